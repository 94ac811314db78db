// The one matrix product of the attention: everything is padded to whole tiles, so it has no tails.
#pragma once

#include <cstddef>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Rows of a tile and columns of a panel. 6 x 8 keeps twelve sums in registers, which is what the
// sixteen 128-bit registers of x86-64 allow beside two operands and one broadcast.
inline constexpr std::size_t tile_rows = 6;
inline constexpr std::size_t panel_cols = 8;

constexpr std::size_t round_up(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

// Panels are how the right-hand matrix is stored: 8 columns side by side, then the next 8, each
// column group `depth` rows long; columns past the end are zero.
// packed holds depth * round_up(columns, panel_cols) floats.
void pack_rows_as_columns(float* packed, ConstMatrixView rows);  // depth = rows.cols: right = rowsT
void pack_columns(float* packed, ConstMatrixView matrix);        // depth = matrix.rows

// out (rows x cols) = left (rows x depth) * packed, or += when `accumulate`.
// rows is a multiple of tile_rows and cols of panel_cols.
void multiply_packed(MatrixView out, ConstMatrixView left, const float* packed, bool accumulate);

}  // namespace ropewalk
