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
#pragma once

#include "encodings/relative_table.hpp"

namespace ropewalk {

// Row rows - 1 - (m - n) of every pair, no_row for n > m.
// Throws std::invalid_argument for rows outside 1 ... 2^30, or a distance that has no row.
RelativeIndex causal_distance_index(std::span<const double> queries, std::span<const double> keys,
                                    std::int64_t rows);

// The movement itself, of the same shape: one zero in front of every row, and of all that, row
// after row, what follows the first `rows` values. Beyond the causal part stand the zeros and what
// belongs to the next row, as in the papers' code.
void relative_shift(MatrixView out, ConstMatrixView products);

}  // namespace ropewalk
