// Matrix products, with a right-hand side packed into panels.
#pragma once

#include <cmath>
#include <cstddef>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Rows of a tile and columns of a panel. x86-64 has sixteen 128-bit registers: twelve sums beside
// two operands and one broadcast. Without a fused multiply-add each product takes one more, and a
// tile that spills runs at half the speed (62 against 36 GFLOP/s with 4 and 6 rows in V8).
#ifdef __wasm_relaxed_simd__
inline constexpr std::size_t micro_rows = 6;
#else
inline constexpr std::size_t micro_rows = 4;
#endif
inline constexpr std::size_t panel_cols = 8;

constexpr std::size_t round_up(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

// The right-hand matrix is stored in panels: 8 columns side by side, then the next 8, each panel
// `depth` rows long; columns past the end are zero.
// packed holds depth * round_up(columns, panel_cols) floats.
// The first packs factor * rowsT, with depth = rows.cols; the second matrix, with depth =
// matrix.rows. pack_columns returns whether every value is summable.
void pack_rows_as_columns(float* packed, ConstMatrixView rows, float factor = 1.0f);
bool pack_columns(float* packed, ConstMatrixView matrix);

// A value is summable when it is finite and the sum of 2^27 such values is finite, too.
inline constexpr float largest_summable = 0x1p100f;
inline bool is_summable(float value) { return std::abs(value) <= largest_summable; }

// Part of a packed matrix: some rows of each panel, panels `stride` floats apart.
struct PackedView {
  const float* data;
  std::size_t stride;
};

// out (rows x cols) = left (rows x depth) * packed. cols may end anywhere in a panel; the columns
// of out up to the panel's end are written too, so rows of out must have room for them.
void multiply_packed(MatrixView out, ConstMatrixView left, const float* packed);

// out += left * packed, writing nothing past out.cols.
void accumulate_packed(MatrixView out, ConstMatrixView left, PackedView packed);

// out += leftT * packed, writing nothing past out.cols; out.rows = left.cols, and packed has
// left.rows rows. For gradients of weights and of keys: left is read in place, without a transpose.
void accumulate_transposed(MatrixView out, ConstMatrixView left, PackedView packed);

}  // namespace ropewalk
