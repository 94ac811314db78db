// Score terms from content and distance: Shaw, BERT's relative keys, Music Transformer,
// Transformer-XL and DeBERTa. Every pair of a query and a key reads one row of a table; the row is
// multiplied with the query, the key or the attention weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "attention/attention.hpp"
#include "base/matrix_view.hpp"

namespace ropewalk {

// Marks a pair without a row, such as a key after its query.
inline constexpr std::int32_t no_row = -1;

// The table row of every pair, row by row: rows[m * keys + n].
struct RelativeIndex {
  std::size_t queries = 0, keys = 0;
  std::vector<std::int32_t> rows;

  std::int32_t at(std::size_t m, std::size_t n) const { return rows[m * keys + n]; }
};

// Returns key - query. Throws std::invalid_argument if it is not a whole number or exceeds 2^53.
std::int64_t whole_offset(double query, double key);

// row_at(key position - query position) for every pair.
template <class RowAt>
RelativeIndex relative_index(std::span<const double> queries, std::span<const double> keys,
                             RowAt row_at) {
  RelativeIndex index{queries.size(), keys.size(), {}};
  index.rows.reserve(queries.size() * keys.size());
  for (const double query : queries) {
    for (const double key : keys) index.rows.push_back(row_at(whole_offset(query, key)));
  }
  return index;
}

// scores(m, n) += scale * q_m . table[row(m, n)], and the same with k_n.
// Throw std::invalid_argument when the shapes do not fit or the index reaches past the table.
void add_query_products(MatrixView scores, ConstMatrixView q, ConstMatrixView table,
                        const RelativeIndex& index, float scale);
void add_key_products(MatrixView scores, ConstMatrixView k, ConstMatrixView table,
                      const RelativeIndex& index, float scale);

// out_m += sum over n of weights(m, n) * table[row(m, n)].
void add_weighted_rows(MatrixView out, ConstMatrixView weights, ConstMatrixView table,
                       const RelativeIndex& index);

// Relative position representations (Shaw, Uszkoreit, Vaswani 2018, equations 3 and 4).
//
//   score(m, n) = q_m . (k_n + a^K_{n-m}) scale      out_m = sum_n w(m, n) (v_n + a^V_{n-m})
//
// with tables a^K and a^V of 2 clip + 1 rows, the distance clipped to [-clip, clip].

// Row clip(n - m) + clip of every pair; for add_query_products and add_weighted_rows.
// Throws std::invalid_argument for a clip outside 0 ... 2^30.
RelativeIndex shaw_index(std::span<const double> queries, std::span<const double> keys,
                         std::int64_t clip);

// The keys' part as a modifier: score(m, n) += scale q_m . table[clip(n - m) + clip]. tables: 2
// clip + 1 rows for all heads, or that many per head, stacked. q is unscaled and unrotated; scale
// is that of the call.
class RelativeKeys final : public ScoreModifier {
 public:
  // Gradients are added to: d_q, contiguous in the shape of q, and d_tables.
  RelativeKeys(const HeadsView& q, ConstMatrixView tables, std::size_t table_count, float scale,
               float* d_q = nullptr, MatrixView d_tables = {})
      : ScoreModifier(ScoreStep::biased),
        q_(q),
        tables_(tables),
        table_count_(table_count),
        scale_(scale),
        d_q_(d_q),
        d_tables_(d_tables) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  // The first row of tables_ that the keys of a row read, and how many rows after it.
  struct TableRows {
    std::size_t first, count;
  };
  TableRows rows_of(const ScoreRow& row) const;
  // Calls use(i, r) for each score i of the row; it reads row r of rows_of(row).
  template <class Use>
  void for_each(const ScoreRow& row, Use use) const;

  HeadsView q_;
  ConstMatrixView tables_;
  std::size_t table_count_;
  float scale_;
  float* d_q_;
  MatrixView d_tables_;
  mutable std::vector<float> products_;
};

// BERT's relative positions (Huang et al. 2020, methods 3 and 4; transformers' relative_key and
// relative_key_query).
//
//   relative_key         score(m, n) = (q_m . k_n + q_m . a_{m-n}) / sqrt(d)
//   relative_key_query   score(m, n) = (q_m . k_n + q_m . a_{m-n} + k_n . a_{m-n}) / sqrt(d)
//
// with one table a of 2 max_positions - 1 rows and no clipping: its ends are the longest distances.

// Row m - n + max_positions - 1 of every pair; for add_query_products and add_key_products.
// Throws std::invalid_argument for max_positions outside 1 ... 2^30 or a distance that has no row.
RelativeIndex relative_key_index(std::span<const double> queries, std::span<const double> keys,
                                 std::int64_t max_positions);

// Tables by distance for causal models, and the shift that lines their products up with the keys.
//
// A table of R rows holds distance R - 1 first and distance 0 last, as Transformer-XL's r and Music
// Transformer's E do: query m and key n read row R - 1 - (m - n), and a key after its query none.
//
//   Music Transformer (Huang et al. 2019, section 3.4)
//   score(m, n) = q_m . (k_n + e_{m-n}) / sqrt(d)
//
// Both papers form all products of a query with the table, queries x R, and then move row m left by
// queries - 1 - m: "skewing" there, "relative shift" in Transformer-XL, the same movement.

// Row rows - 1 - (m - n) of every pair, no_row for n > m.
// Throws std::invalid_argument for rows outside 1 ... 2^30, or a distance that has no row.
RelativeIndex causal_distance_index(std::span<const double> queries, std::span<const double> keys,
                                    std::int64_t rows);

// The shift itself, of the same shape: puts one zero in front of every row, reads the result as one
// list, and drops its first `rows` values. The part after the query holds zeros and values of the
// next row, as in the papers' code.
void relative_shift(MatrixView out, ConstMatrixView products);

// Transformer-XL's relative positions (Dai et al. 2019, section 3.3).
//
//   score(m, n) = (q_m . k_n + q_m . r_{m-n} + u . k_n + v . r_{m-n}) scale      n <= m
//
// r is the projected sinusoid of a distance, u and v are learned per head. Keys include the memory
// before the queries. All but q_m . k_n is the bias below; a causal mask hides what comes after.

// bias(m, n) = scale ((q_m + v) . r + u . k_n) of one head, r by causal_distance_index.
// q: queries x dim   k: keys x dim   r: rows x dim   u, v: dim
// Throws std::invalid_argument on shapes that do not fit.
void transformer_xl_bias(MatrixView bias, ConstMatrixView q, ConstMatrixView k, ConstMatrixView r,
                         std::span<const float> u, std::span<const float> v,
                         const RelativeIndex& index, float scale);

// DeBERTa's disentangled attention (He et al. 2021, equations 3 and 4; log buckets: DeBERTa-v2).
//
//   score(m, n) = (q_m . k_n + q_m . K_{d(m,n)} + k_n . Q_{d(n,m)}) / sqrt(dim (1 + terms))
//
// with tables K and Q of 2 span rows, and d(m, n) = m - n + span, kept within 0 ... 2 span - 1.
// The authors' code and transformers read Q at d(m, n) instead of d(n, m); both are here by name.
//
// DeBERTa-v2 first puts m - n into B log buckets: with mid = B / 2, distances up to mid keep their
// value, and a longer one r becomes mid + ceil(ln(r / mid) / ln((max_distance - 1) / mid) (mid -
// 1)), with the sign of m - n. Span is then B.

// relative position (query - key) -> bucket. As in the authors' code, buckets continue beyond
// max_distance, where tables end, and may be narrower than one distance. So the bucket is computed
// for each distance, without a list of edges.
class DebertaBuckets {
 public:
  // Every distance keeps its value.
  DebertaBuckets() = default;

  // Throws std::invalid_argument unless buckets is 4 to 8192 and max_distance is more than
  // buckets / 2 + 1 and below 2^32.
  DebertaBuckets(std::int64_t buckets, std::int64_t max_distance);

  std::int64_t operator()(std::int64_t relative_position) const;

 private:
  std::int64_t mid_ = 0, end_ = 0;
  double buckets_per_log_ = 0.0;  // (mid - 1) / ln(end / mid), end = max_distance - 1
};

// d(m, n) of the two terms: content to position by the query, position to content by the key.
enum class DebertaReading { query_minus_key, key_minus_query };

// Row d of every pair; for add_query_products (K) and add_key_products (Q).
// Throws std::invalid_argument for a span outside 1 ... 2^30.
RelativeIndex deberta_index(std::span<const double> queries, std::span<const double> keys,
                            std::int64_t span, const DebertaBuckets& buckets = {},
                            DebertaReading reading = DebertaReading::query_minus_key);

}  // namespace ropewalk
