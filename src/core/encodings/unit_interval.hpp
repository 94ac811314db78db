// Positions scaled to [0, 1] by the length of their sequence.
//
//   p(m) = m / (length - 1), and 0 when length is 1
//
// The distance between neighbours depends on the length: "one apart" has no fixed meaning.
#pragma once

#include <cstddef>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Fills column (positions x 1). Throws std::invalid_argument on length 0, a position outside
// [0, length - 1], or a column that has not one row per position.
void unit_interval(MatrixView column, std::span<const double> positions, std::size_t length);

}  // namespace ropewalk
