// Sinusoids of two dimensions: half of a vector tells the row of a picture, half the column.
#pragma once

#include <cstddef>
#include <numbers>
#include <span>

#include "base/matrix_view.hpp"
#include "encodings/sinusoidal.hpp"

namespace ropewalk {

// Which coordinate fills the first half of a vector.
enum class GridOrder { column_first, row_first };

struct SinusoidalGridOptions {
  SinusoidOptions sinusoid = {.layout = SinusoidLayout::concatenated};
  GridOrder order = GridOrder::column_first;
  bool class_token = false;  // one row of zeros before the grid
};

// table: (rows * columns, and 1 more for the class token) x dim, cells row after row; each half is
// the sinusoid of dim / 2 of a coordinate counted from 0. The defaults are those of MAE (He et al.
// 2021). Throws std::invalid_argument on a dim that is not a multiple of 4, or another table.
void sinusoidal_grid(MatrixView table, std::size_t rows, std::size_t columns,
                     const SinusoidalGridOptions& options = {});

struct SinusoidalMaskOptions {
  double base = 10000.0;
  bool normalize = false;  // coordinates as parts of the picture: times scale / (last + 1e-6)
  double scale = 2.0 * std::numbers::pi;
};

// Positions of the pixels of a padded picture (DETR, Carion et al. 2020). mask: rows * columns
// numbers, not 0 where a pixel is; a pixel's coordinate is how many there are up to and with it in
// its column (y) and row (x). table: dim x (rows * columns), channels first: dim / 2 of y, then
// those of x, interleaved. Throws std::invalid_argument on a dim that is not a multiple of 4, or
// other shapes.
void sinusoidal_mask(MatrixView table, std::span<const float> mask, std::size_t rows,
                     std::size_t columns, const SinusoidalMaskOptions& options = {});

}  // namespace ropewalk
