// Integer positions: a token at position m carries the number m itself.
//
//   p(m) = m
//
// Unbounded: positions beyond those seen in training are larger than any of them.
#pragma once

#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Fills column (positions x 1). Whole numbers are exact up to 2^24. Throws std::invalid_argument
// when the column has not one row per position.
void integer_positions(MatrixView column, std::span<const double> positions);

}  // namespace ropewalk
