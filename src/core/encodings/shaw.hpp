// Relative position representations (Shaw, Uszkoreit, Vaswani 2018, equations 3 and 4).
//
//   score(m, n) = q_m . (k_n + a^K_{n-m}) scale      out_m = sum_n w(m, n) (v_n + a^V_{n-m})
//
// with tables a^K and a^V of 2 clip + 1 rows, the distance clipped to [-clip, clip].
#pragma once

#include "encodings/relative_table.hpp"

namespace ropewalk {

// Row clip(n - m) + clip of every pair; for add_query_products and add_weighted_rows.
// Throws std::invalid_argument for a clip outside 0 ... 2^30.
RelativeIndex shaw_index(std::span<const double> queries, std::span<const double> keys,
                         std::int64_t clip);

}  // namespace ropewalk
