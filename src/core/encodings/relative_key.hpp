// BERT's relative positions (Huang et al. 2020, methods 3 and 4; transformers' relative_key and
// relative_key_query).
//
//   relative_key         score(m, n) = (q_m . k_n + q_m . a_{m-n}) / sqrt(d)
//   relative_key_query   score(m, n) = (q_m . k_n + q_m . a_{m-n} + k_n . a_{m-n}) / sqrt(d)
//
// with one table a of 2 max_positions - 1 rows and no clipping: its ends are the longest distances.
#pragma once

#include "encodings/relative_table.hpp"

namespace ropewalk {

// Row m - n + max_positions - 1 of every pair; for add_query_products and add_key_products.
// Throws std::invalid_argument for max_positions outside 1 ... 2^30 or a distance that has no row.
RelativeIndex relative_key_index(std::span<const double> queries, std::span<const double> keys,
                                 std::int64_t max_positions);

}  // namespace ropewalk
