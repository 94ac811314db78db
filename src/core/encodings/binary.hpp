// Binary positions: the bits of the position as a vector of zeros and ones.
//
//   p(m, k) = bit k of m
//
// Bounded and unique, but neighbours may differ in every bit (7 and 8 in four), and positions
// between whole numbers do not exist.
#pragma once

#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Which bit stands first in a row.
enum class BitOrder { lowest_first, highest_first };

// Fills table (positions x bits). Throws std::invalid_argument on 0 or more than 53 bits, a
// position that is not a whole number from 0 to 2^bits - 1, or a table with not one row for each.
void binary(MatrixView table, std::span<const double> positions,
            BitOrder order = BitOrder::lowest_first);

}  // namespace ropewalk
