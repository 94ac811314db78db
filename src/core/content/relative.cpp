#include "content/relative.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/require.hpp"
#include "bias/buckets.hpp"
#include "kernels/dot.hpp"
#include "kernels/matvec.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {
namespace {

// use(m, n, table row) for every pair that has a row.
template <class Use>
void for_each_row(ConstMatrixView table, const RelativeIndex& index, Use use) {
  for (std::size_t m = 0; m < index.queries; ++m) {
    for (std::size_t n = 0; n < index.keys; ++n) {
      const std::int32_t row = index.at(m, n);
      if (row == no_row) continue;
      require(row >= 0 && static_cast<std::size_t>(row) < table.rows, "relative table: it has ",
              table.rows, " rows and none with index ", row);
      use(m, n, table.row(static_cast<std::size_t>(row)));
    }
  }
}

// scores += scale (x . row), x = row_of(query, key), for every pair that has a row.
template <class RowOf>
void add_products(MatrixView scores, ConstMatrixView table, const RelativeIndex& index, float scale,
                  RowOf row_of) {
  require_shape("relative table: scores", scores, index.queries, index.keys);
  for_each_row(table, index, [&](std::size_t m, std::size_t n, std::span<const float> row) {
    scores.row(m)[n] += scale * dot(row_of(m, n), row);
  });
}

}  // namespace

std::int64_t whole_offset(double query, double key) {
  const double offset = key - query;
  require(std::abs(offset) <= 0x1p53 && offset == std::floor(offset),
          "relative table: positions must be whole numbers within 2^53 of each other, got ", query,
          " and ", key);
  return static_cast<std::int64_t>(offset);
}

void add_query_products(MatrixView scores, ConstMatrixView q, ConstMatrixView table,
                        const RelativeIndex& index, float scale) {
  require_shape("relative table: q", q, index.queries, table.cols);
  add_products(scores, table, index, scale, [&](std::size_t m, std::size_t) { return q.row(m); });
}

void add_key_products(MatrixView scores, ConstMatrixView k, ConstMatrixView table,
                      const RelativeIndex& index, float scale) {
  require_shape("relative table: k", k, index.keys, table.cols);
  add_products(scores, table, index, scale, [&](std::size_t, std::size_t n) { return k.row(n); });
}

void add_weighted_rows(MatrixView out, ConstMatrixView weights, ConstMatrixView table,
                       const RelativeIndex& index) {
  require_shape("relative table: weights", weights, index.queries, index.keys);
  require_shape("relative table: out", out, index.queries, table.cols);
  for_each_row(table, index, [&](std::size_t m, std::size_t n, std::span<const float> row) {
    add_scaled(out.row(m), row, weights.row(m)[n]);
  });
}

RelativeIndex shaw_index(std::span<const double> queries, std::span<const double> keys,
                         std::int64_t clip) {
  require(clip >= 0 && clip <= 1 << 30, "shaw: clip must be from 0 to 2^30, got ", clip);
  return relative_index(queries, keys, [&](std::int64_t offset) {
    return static_cast<std::int32_t>(std::clamp(offset, -clip, clip) + clip);
  });
}

void RelativeKeys::check(const AttentionShape& shape) const {
  require(table_count_ == 1 || table_count_ == shape.heads,
          "attention: there must be one table of relative keys, or one per head, ", shape.heads,
          ", got ", table_count_);
  const std::size_t rows = tables_.rows / table_count_;
  require(rows * table_count_ == tables_.rows && rows % 2 == 1,
          "attention: a table of relative keys must have an odd number of rows, got ", rows);
  require(tables_.cols == shape.dim, "attention: a table of relative keys must have ", shape.dim,
          " columns, got ", tables_.cols);
}

template <class Use>
void RelativeKeys::for_each(const ScoreRow& row, Use use) const {
  const auto clip = static_cast<std::int64_t>(tables_.rows / table_count_ / 2);
  const std::int64_t distance = static_cast<std::int64_t>(row.first_key) - row.query_key;
  const std::int64_t first = std::clamp(distance, -clip, clip);
  for (std::size_t i = 0; i < row.scores.size(); ++i) {
    const std::int64_t at = std::clamp(distance + static_cast<std::int64_t>(i), -clip, clip);
    use(i, static_cast<std::size_t>(at - first));
  }
}

RelativeKeys::TableRows RelativeKeys::rows_of(const ScoreRow& row) const {
  const std::size_t rows = tables_.rows / table_count_;
  const auto clip = static_cast<std::int64_t>(rows / 2);
  const std::int64_t distance = static_cast<std::int64_t>(row.first_key) - row.query_key;
  const auto count = static_cast<std::int64_t>(row.scores.size());
  const std::int64_t first = std::clamp(distance, -clip, clip);
  const std::int64_t last = std::clamp(distance + count - 1, -clip, clip);
  const std::size_t table = table_count_ == 1 ? 0 : row.head * rows;
  return {table + static_cast<std::size_t>(first + clip),
          static_cast<std::size_t>(last - first + 1)};
}

void RelativeKeys::apply(const ScoreRow& row) const {
  const TableRows rows = rows_of(row);
  products_.resize(rows.count);
  multiply_rows({products_.data(), 1, rows.count}, {query_of(row, q_).data(), 1, tables_.cols},
                {tables_.row(rows.first).data(), rows.count, tables_.cols}, scale_);
  for_each(row, [&](std::size_t i, std::size_t r) { row.scores[i] += products_[r]; });
}

void RelativeKeys::backward(const ScoreRow& d_scores, std::span<const float>) const {
  const TableRows rows = rows_of(d_scores);
  std::vector<float>& d_products = products_;
  d_products.assign(rows.count, 0.0f);
  for_each(d_scores,
           [&](std::size_t i, std::size_t r) { d_products[r] += scale_ * d_scores.scores[i]; });
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::span<const float> table_row = tables_.row(rows.first + r);
    if (d_q_) add_scaled(query_of(d_scores, d_q_), table_row, d_products[r]);
    if (!d_tables_.data) continue;
    add_scaled(d_tables_.row(rows.first + r), query_of(d_scores, q_), d_products[r]);
  }
}

RelativeIndex relative_key_index(std::span<const double> queries, std::span<const double> keys,
                                 std::int64_t max_positions) {
  require(max_positions > 0 && max_positions <= 1 << 30,
          "relative_key: max_positions must be from 1 to 2^30, got ", max_positions);
  return relative_index(queries, keys, [&](std::int64_t offset) {
    require(offset > -max_positions && offset < max_positions,
            "relative_key: a distance must be below max_positions, ", max_positions, ", got ",
            offset < 0 ? -offset : offset);
    return static_cast<std::int32_t>(max_positions - 1 - offset);
  });
}

RelativeIndex causal_distance_index(std::span<const double> queries, std::span<const double> keys,
                                    std::int64_t rows) {
  require(rows > 0 && rows <= 1 << 30, "relative_shift: the table must have 1 to 2^30 rows, got ",
          rows);
  return relative_index(queries, keys, [&](std::int64_t offset) {
    require(-offset < rows, "relative_shift: the table has ", rows, " distances, from 0 to ",
            rows - 1, ", and none for ", -offset);
    return offset > 0 ? no_row : static_cast<std::int32_t>(rows - 1 + offset);
  });
}

void relative_shift(MatrixView out, ConstMatrixView products) {
  require_shape("relative_shift: result", out, products.rows, products.cols);
  const std::size_t padded = products.cols + 1;
  for (std::size_t m = 0; m < out.rows; ++m) {
    for (std::size_t n = 0; n < out.cols; ++n) {
      const std::size_t at = products.rows + m * out.cols + n;
      out.row(m)[n] = at % padded == 0 ? 0.0f : products.row(at / padded)[at % padded - 1];
    }
  }
}

void transformer_xl_bias(MatrixView bias, ConstMatrixView q, ConstMatrixView k, ConstMatrixView r,
                         std::span<const float> u, std::span<const float> v,
                         const RelativeIndex& index, float scale) {
  require(u.size() == q.cols && v.size() == q.cols && k.cols == q.cols,
          "transformer_xl: k, u and v must have q's dim ", q.cols, ", got ", k.cols, ", ", u.size(),
          " and ", v.size());
  require_shape("transformer_xl: bias", bias, q.rows, k.rows);
  std::vector<float> moved(q.rows * q.cols);
  const MatrixView q_plus_v(moved.data(), q.rows, q.cols);
  for (std::size_t m = 0; m < q.rows; ++m) {
    std::ranges::copy(q.row(m), q_plus_v.row(m).begin());
    add(q_plus_v.row(m), v);
  }
  for (std::size_t n = 0; n < k.rows; ++n) {
    const float content = scale * dot(u, k.row(n));
    for (std::size_t m = 0; m < q.rows; ++m) bias.row(m)[n] = content;
  }
  add_query_products(bias, q_plus_v, r, index, scale);
}

DebertaBuckets::DebertaBuckets(std::int64_t buckets, std::int64_t max_distance)
    : mid_(buckets / 2), end_(max_distance - 1) {
  require(buckets >= 4 && buckets <= 8192, "deberta_buckets: buckets must be from 4 to 8192, got ",
          buckets);
  require(max_distance > mid_ + 1 && max_distance < (std::int64_t{1} << 32),
          "deberta_buckets: max_distance must be more than ", mid_ + 1, " and below 2^32, got ",
          max_distance);
  buckets_per_log_ = static_cast<double>(mid_ - 1) / log_ratio(mid_, end_);
}

std::int64_t DebertaBuckets::operator()(std::int64_t relative_position) const {
  const std::int64_t distance = std::abs(relative_position);
  if (mid_ == 0 || distance <= mid_) return relative_position;
  // The logarithm is off by less than 1e-6 buckets: where an edge is that near, it decides.
  const double above = log_ratio(mid_, distance) * buckets_per_log_;
  const double nearest = std::round(above);
  double bucket = std::ceil(above);
  if (std::abs(above - nearest) < 1e-6) {
    const auto step = static_cast<std::int64_t>(nearest);
    const bool reached = log_threshold(mid_, end_, step, mid_ - 1, Edge::more_than) <= distance;
    bucket = nearest + (reached ? 1.0 : 0.0);
  }
  const std::int64_t signless = mid_ + static_cast<std::int64_t>(bucket);
  return relative_position < 0 ? -signless : signless;
}

RelativeIndex deberta_index(std::span<const double> queries, std::span<const double> keys,
                            std::int64_t span, const DebertaBuckets& buckets,
                            DebertaReading reading) {
  require(span > 0 && span <= 1 << 30, "deberta: span must be from 1 to 2^30, got ", span);
  const bool by_query = reading == DebertaReading::query_minus_key;
  return relative_index(queries, keys, [&](std::int64_t offset) {
    const std::int64_t relative = buckets(by_query ? -offset : offset);
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(relative + span, 0, 2 * span - 1));
  });
}

}  // namespace ropewalk
