#include "kernels/matmul.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t vectors = panel_cols / Lanes::size;

void multiply_tile(float* out, std::size_t out_stride, const float* left, std::size_t left_stride,
                   const float* panel, std::size_t depth, bool accumulate) {
  Lanes sum[tile_rows][vectors];
  for (std::size_t r = 0; r < tile_rows; ++r) {
    for (std::size_t c = 0; c < vectors; ++c) {
      sum[r][c] = accumulate ? load(out + r * out_stride + c * Lanes::size) : Lanes(0.0f);
    }
  }
  for (std::size_t d = 0; d < depth; ++d) {
    Lanes right[vectors];
    for (std::size_t c = 0; c < vectors; ++c) right[c] = load(panel + d * panel_cols + c * Lanes::size);
    for (std::size_t r = 0; r < tile_rows; ++r) {
      const Lanes factor(left[r * left_stride + d]);
      for (std::size_t c = 0; c < vectors; ++c) sum[r][c] = multiply_add(factor, right[c], sum[r][c]);
    }
  }
  for (std::size_t r = 0; r < tile_rows; ++r) {
    for (std::size_t c = 0; c < vectors; ++c) store(out + r * out_stride + c * Lanes::size, sum[r][c]);
  }
}

}  // namespace

void pack_rows_as_columns(float* packed, ConstMatrixView rows) {
  const std::size_t depth = rows.cols;
  for (std::size_t first = 0; first < rows.rows; first += panel_cols, packed += depth * panel_cols) {
    const std::size_t count = std::min(panel_cols, rows.rows - first);
    for (std::size_t c = 0; c < panel_cols; ++c) {
      for (std::size_t d = 0; d < depth; ++d) {
        packed[d * panel_cols + c] = c < count ? rows.data[(first + c) * rows.stride + d] : 0.0f;
      }
    }
  }
}

void pack_columns(float* packed, ConstMatrixView matrix) {
  for (std::size_t first = 0; first < matrix.cols; first += panel_cols) {
    const std::size_t count = std::min(panel_cols, matrix.cols - first);
    for (std::size_t d = 0; d < matrix.rows; ++d, packed += panel_cols) {
      const float* from = matrix.data + d * matrix.stride + first;
      std::fill(std::copy(from, from + count, packed), packed + panel_cols, 0.0f);
    }
  }
}

void multiply_packed(MatrixView out, ConstMatrixView left, const float* packed, bool accumulate) {
  assert(out.rows % tile_rows == 0 && out.cols % panel_cols == 0 && left.rows == out.rows);
  for (std::size_t column = 0; column < out.cols; column += panel_cols) {
    const float* panel = packed + column * left.cols;
    for (std::size_t row = 0; row < out.rows; row += tile_rows) {
      multiply_tile(out.data + row * out.stride + column, out.stride, left.data + row * left.stride,
                    left.stride, panel, left.cols, accumulate);
    }
  }
}

}  // namespace ropewalk
