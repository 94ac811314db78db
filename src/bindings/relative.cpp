// Score terms of content and distance, for every batch and head.
#include "content/relative.hpp"
#include "attention/temperature.hpp"
#include "bindings/boundary.hpp"
#include "content/cope.hpp"
#include "content/four_terms.hpp"

namespace ropewalk::bindings {
namespace {

// How a scheme finds the table row of a pair.
enum class RelativeScheme { shaw, relative_key, causal_distance, deberta };

// The numbers of one call; arrays follow in the transfer buffers.
struct RelativeCall {
  RelativeScheme scheme;
  double reach;                  // clip, max_positions, rows or span
  double buckets, max_distance;  // DeBERTa; 0 buckets: none
  DebertaReading key_reading;
  std::size_t heads, outer;  // outer: batch * heads
  std::size_t queries, keys, dim;
  std::size_t table_heads;           // 1: shared by all
  std::size_t query_rows, key_rows;  // of the tables multiplied with q and k; 0: that side has none
  double scale;                      // NaN: the default
};

// One matrix per head from the transfer buffer; fewer matrices than heads repeat for each batch.
class Operand {
 public:
  Operand(std::size_t count, std::size_t rows, std::size_t cols)
      : data_(floats_in.take(count * rows * cols).data()),
        count_(count),
        rows_(rows),
        cols_(cols) {}

  MatrixView at(std::size_t head) const {
    return {data_ + head % count_ * rows_ * cols_, rows_, cols_};
  }

 private:
  float* data_;
  std::size_t count_, rows_, cols_;
};

struct Positions {
  explicit Positions(const RelativeCall& call)
      : queries(doubles_in.take(call.queries)), keys(doubles_in.take(call.keys)) {}

  std::span<const double> queries, keys;
};

RelativeIndex index_of(const RelativeCall& call, const Positions& at, DebertaReading reading) {
  const auto reach = static_cast<std::int64_t>(call.reach);
  switch (call.scheme) {
    case RelativeScheme::shaw:
      return shaw_index(at.queries, at.keys, reach);
    case RelativeScheme::relative_key:
      return relative_key_index(at.queries, at.keys, reach);
    case RelativeScheme::causal_distance:
      return causal_distance_index(at.queries, at.keys, reach);
    case RelativeScheme::deberta:
      break;
  }
  if (call.buckets == 0) return deberta_index(at.queries, at.keys, reach, {}, reading);
  const DebertaBuckets buckets(static_cast<std::int64_t>(call.buckets),
                               static_cast<std::int64_t>(call.max_distance));
  return deberta_index(at.queries, at.keys, reach, buckets, reading);
}

// One matrix per head in the result: cleared, then filled by work(head, matrix).
template <class Work>
std::span<float> per_head(std::size_t outer, std::size_t rows, std::size_t cols, Work work) {
  const std::span<float> all = floats_out.reserve(outer * rows * cols);
  std::ranges::fill(all, 0.0f);
  for (std::size_t o = 0; o < outer; ++o)
    work(o, MatrixView(all.data() + o * rows * cols, rows, cols));
  return all;
}

// doubles: positions of queries and keys
Pointer relative_indices(const RelativeCall& call) {
  return guarded([&] {
    return integers_out.assign(
        index_of(call, Positions(call), DebertaReading::query_minus_key).rows);
  });
}

// doubles: relative positions, query - key
Pointer deberta_bucket_list(std::size_t count, double buckets, double max_distance) {
  return guarded([&] {
    const std::span<double> relative = doubles_in.take(count);
    const DebertaBuckets bucket(static_cast<std::int64_t>(buckets),
                                static_cast<std::int64_t>(max_distance));
    const std::span<std::int32_t> out = integers_out.reserve(count);
    std::ranges::transform(relative, out.begin(), [&](double r) {
      return static_cast<std::int32_t>(bucket(static_cast<std::int64_t>(r)));
    });
    return out;
  });
}

// floats: q, k, the table for q, the table for k, each if there is one;
// doubles: positions of queries and keys
Pointer relative_products(const RelativeCall& c) {
  return guarded([&] {
    const Positions positions(c);
    const bool has_q = c.query_rows > 0, has_k = c.key_rows > 0;
    const Operand q(has_q ? c.outer : 0, c.queries, c.dim), k(has_k ? c.outer : 0, c.keys, c.dim);
    const Operand of_q(c.table_heads, c.query_rows, c.dim), of_k(c.table_heads, c.key_rows, c.dim);
    RelativeIndex by_query, by_key;
    if (has_q) by_query = index_of(c, positions, DebertaReading::query_minus_key);
    if (has_k) by_key = index_of(c, positions, c.key_reading);
    // DeBERTa counts the term of the content and each of its own.
    const std::size_t terms = c.scheme == RelativeScheme::deberta ? 1 + has_q + has_k : 1;
    const float scale = scale_or_default(c.scale, c.dim * terms);
    return per_head(c.outer, c.queries, c.keys, [&](std::size_t o, MatrixView scores) {
      if (has_q) add_query_products(scores, q.at(o), of_q.at(o), by_query, scale);
      if (has_k) add_key_products(scores, k.at(o), of_k.at(o), by_key, scale);
    });
  });
}

// floats: weights, table (query_rows); doubles: positions of queries and keys
Pointer relative_values(const RelativeCall& c) {
  return guarded([&] {
    const RelativeIndex index = index_of(c, Positions(c), DebertaReading::query_minus_key);
    const Operand weights(c.outer, c.queries, c.keys), table(c.table_heads, c.query_rows, c.dim);
    return per_head(c.outer, c.queries, c.dim, [&](std::size_t o, MatrixView out) {
      add_weighted_rows(out, weights.at(o), table.at(o), index);
    });
  });
}

// floats: q, k, r (query_rows), u, v; doubles: positions of queries and keys
Pointer transformer_xl_scores(const RelativeCall& c) {
  return guarded([&] {
    const RelativeIndex index = index_of(c, Positions(c), DebertaReading::query_minus_key);
    const Operand q(c.outer, c.queries, c.dim), k(c.outer, c.keys, c.dim);
    const Operand r(c.table_heads, c.query_rows, c.dim);
    const Operand u(c.heads, 1, c.dim), v(c.heads, 1, c.dim);
    return per_head(c.outer, c.queries, c.keys, [&](std::size_t o, MatrixView bias) {
      transformer_xl_bias(bias, q.at(o), k.at(o), r.at(o), u.at(o).row(0), v.at(o).row(0), index,
                          scale_or_default(c.scale, c.dim));
    });
  });
}

// floats: x, outer x rows x cols
Pointer shift_rows(std::size_t outer, std::size_t rows, std::size_t cols) {
  return guarded([&] {
    const Operand x(outer, rows, cols);
    return per_head(outer, rows, cols,
                    [&](std::size_t o, MatrixView out) { relative_shift(out, x.at(o)); });
  });
}

// floats: logits; doubles: positions of queries and keys
Pointer cope_position_matrix(std::size_t outer, std::size_t queries, std::size_t keys,
                             std::size_t rows) {
  return guarded([&] {
    const std::span<double> of_queries = doubles_in.take(queries), of_keys = doubles_in.take(keys);
    const Operand logits(outer, queries, keys);
    return per_head(outer, queries, keys, [&](std::size_t o, MatrixView positions) {
      cope_positions(positions, logits.at(o), of_queries, of_keys, rows);
    });
  });
}

// floats: q, logits, table; doubles: positions of queries and keys
Pointer cope_scores(std::size_t outer, std::size_t queries, std::size_t keys, std::size_t dim,
                    std::size_t table_heads, std::size_t rows) {
  return guarded([&] {
    const std::span<double> of_queries = doubles_in.take(queries), of_keys = doubles_in.take(keys);
    const Operand q(outer, queries, dim), logits(outer, queries, keys),
        table(table_heads, rows, dim);
    return per_head(outer, queries, keys, [&](std::size_t o, MatrixView bias) {
      cope_bias(bias, q.at(o), logits.at(o), table.at(o), of_queries, of_keys);
    });
  });
}

// floats: x, p, query weights, key weights (width 0: none). Result: the four terms, one by one
Pointer four_term_scores(std::size_t length, std::size_t dim, std::size_t query_width,
                         std::size_t key_width, double scale) {
  return guarded([&] {
    const Operand x(1, length, dim), p(1, length, dim);
    const Operand wq(1, dim, query_width), wk(1, dim, key_width);
    const std::size_t width = query_width > 0 ? query_width : dim;
    const std::span<float> all = floats_out.reserve(4 * length * length);
    const auto term = [&](std::size_t i) {
      return MatrixView(all.data() + i * length * length, length, length);
    };
    const auto weights = [](const Operand& w, std::size_t width) {
      return width > 0 ? w.at(0) : MatrixView();
    };
    four_terms({term(0), term(1), term(2), term(3)}, x.at(0), p.at(0), weights(wq, query_width),
               weights(wk, key_width), scale_or_default(scale, width));
    return all;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(relative) {
  using namespace emscripten;
  enum_<RelativeScheme>("RelativeScheme", enum_value_type::string)
      .value("shaw", RelativeScheme::shaw)
      .value("relative-key", RelativeScheme::relative_key)
      .value("causal-distance", RelativeScheme::causal_distance)
      .value("deberta", RelativeScheme::deberta);
  enum_<DebertaReading>("DebertaReading", enum_value_type::string)
      .value("query-minus-key", DebertaReading::query_minus_key)
      .value("key-minus-query", DebertaReading::key_minus_query);

  value_object<RelativeCall>("RelativeCall")
      .field("scheme", &RelativeCall::scheme)
      .field("reach", &RelativeCall::reach)
      .field("buckets", &RelativeCall::buckets)
      .field("maxDistance", &RelativeCall::max_distance)
      .field("keyReading", &RelativeCall::key_reading)
      .field("heads", &RelativeCall::heads)
      .field("outer", &RelativeCall::outer)
      .field("queries", &RelativeCall::queries)
      .field("keys", &RelativeCall::keys)
      .field("dim", &RelativeCall::dim)
      .field("tableHeads", &RelativeCall::table_heads)
      .field("queryRows", &RelativeCall::query_rows)
      .field("keyRows", &RelativeCall::key_rows)
      .field("scale", &RelativeCall::scale);

  function("relativeIndices", &relative_indices);
  function("debertaBuckets", &deberta_bucket_list);
  function("relativeProducts", &relative_products);
  function("relativeValues", &relative_values);
  function("transformerXl", &transformer_xl_scores);
  function("relativeShift", &shift_rows);
  function("copePositions", &cope_position_matrix);
  function("cope", &cope_scores);
  function("fourTerms", &four_term_scores);
}

}  // namespace ropewalk::bindings
