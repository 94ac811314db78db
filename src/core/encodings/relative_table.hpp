// What the schemes share whose score has terms of content and distance: every pair of a query and a
// key reads one row of a learned table, and meets it with the query, the key or the weight.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk {

// A pair for which a scheme has nothing, such as a key after its query.
inline constexpr std::int32_t no_row = -1;

// The table row of every pair, row by row: rows[m * keys + n].
struct RelativeIndex {
  std::size_t queries = 0, keys = 0;
  std::vector<std::int32_t> rows;

  std::int32_t at(std::size_t m, std::size_t n) const { return rows[m * keys + n]; }
};

// key - query, of positions that are whole numbers: throws std::invalid_argument where it is none,
// or beyond 2^53.
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

}  // namespace ropewalk
