// Sinusoidal positions (Vaswani et al. 2017, section 3.5).
//
//   PE(t, 2i) = sin(t w_i)    PE(t, 2i + 1) = cos(t w_i)    w_i = base^(-2i / dim)
//
// with i = 0 ... dim/2 - 1 the pair, not the position. Angles are formed and reduced in double:
// every value is within 1e-7 of the exact one for |t| up to 2^24.
#pragma once

#include <cstddef>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk {

// The layout of pairs: interleaved, the two values of a pair adjacent (the paper); or half-split,
// all first values and then all second values (tensor2tensor, fairseq, Transformer-XL).
enum class SinusoidLayout { interleaved, half_split };

// The exponent of the base: 2i/dim (the paper), or i/(dim/2 - 1), which reaches 1/base exactly
// (tensor2tensor, fairseq, Whisper).
enum class SinusoidSpacing { half_dim, half_dim_minus_one };

enum class SinusoidOrder { sin_first, cos_first };

struct SinusoidOptions {
  double base = 10000.0;
  SinusoidLayout layout = SinusoidLayout::interleaved;
  SinusoidSpacing spacing = SinusoidSpacing::half_dim;
  SinusoidOrder order = SinusoidOrder::sin_first;
  // The position whose row is zero (fairseq's padding_idx); NaN is none.
  double zero_at = std::numeric_limits<double>::quiet_NaN();
};

// The angular frequencies w_i of all pairs, in radians per position. For an odd dim, spacing
// half_dim has a last pair of which only the first value is in the row (the paper's formula,
// Marian, CTRL); half_dim_minus_one has no such pair, and the row ends with a zero (fairseq,
// tensor2tensor).
std::vector<double> sinusoid_frequencies(std::size_t dim, const SinusoidOptions& options = {});

// Fills table (positions x dim). Throws std::invalid_argument on dim 0, a base that is not > 0 and
// finite, or a table that has not one row per position.
void sinusoidal(MatrixView table, std::span<const double> positions,
                const SinusoidOptions& options = {});

// The map T with PE(t + offset) = T PE(t) for every t: block-diagonal, one 2 x 2 rotation by
// offset * w_i per pair. map is dim x dim, dim even, layout interleaved, order sin_first.
void sinusoidal_shift(MatrixView map, double offset, const SinusoidOptions& options = {});

// Sinusoids of two dimensions: half of a vector encodes the row of an image, half the column.

// Which coordinate fills the first half of a vector.
enum class GridOrder { column_first, row_first };

struct SinusoidalGridOptions {
  SinusoidOptions sinusoid = {.layout = SinusoidLayout::half_split};
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
  bool normalize = false;  // multiply coordinates by scale / (last coordinate + 1e-6)
  double scale = 2.0 * std::numbers::pi;
};

// Positions of the pixels of a padded image (DETR, Carion et al. 2020). mask: rows * columns
// numbers, 0 for padding. The coordinates of a pixel count the pixels up to and including it in its
// column (y) and row (x). table: dim x (rows * columns), channels first: dim / 2 of y, then
// those of x, interleaved. Throws std::invalid_argument on a dim that is not a multiple of 4, or
// other shapes.
void sinusoidal_mask(MatrixView table, std::span<const float> mask, std::size_t rows,
                     std::size_t columns, const SinusoidalMaskOptions& options = {});

}  // namespace ropewalk
