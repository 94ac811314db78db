#include "kernels/matmul.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

static_assert(panel_cols % Lanes::size == 0, "wider lanes need wider panels");
constexpr std::size_t vectors = panel_cols / Lanes::size;

// One tile of `Rows` x 8 sums, which stay in registers over the whole depth.
template <std::size_t Rows, bool Accumulate>
void multiply_tile(float* out, std::size_t out_stride, const float* left, std::size_t left_stride,
                   const float* panel, std::size_t depth) {
  Lanes sum[Rows][vectors];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t c = 0; c < vectors; ++c) {
      sum[r][c] = Accumulate ? load(out + r * out_stride + c * Lanes::size) : Lanes(0.0f);
    }
  }
  for (std::size_t d = 0; d < depth; ++d, panel += panel_cols) {
    Lanes right[vectors];
    for (std::size_t c = 0; c < vectors; ++c) right[c] = load(panel + c * Lanes::size);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Lanes factor(left[r * left_stride + d]);
      for (std::size_t c = 0; c < vectors; ++c) sum[r][c] = multiply_add(factor, right[c], sum[r][c]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t c = 0; c < vectors; ++c) store(out + r * out_stride + c * Lanes::size, sum[r][c]);
  }
}

template <bool Accumulate, std::size_t Rows = tile_rows>
void multiply_last_tile(std::size_t rows, float* out, std::size_t out_stride, const float* left,
                        std::size_t left_stride, const float* panel, std::size_t depth) {
  if constexpr (Rows > 0) {
    if (rows == Rows) return multiply_tile<Rows, Accumulate>(out, out_stride, left, left_stride, panel, depth);
    multiply_last_tile<Accumulate, Rows - 1>(rows, out, out_stride, left, left_stride, panel, depth);
  }
}

// All rows of one panel.
template <bool Accumulate>
void multiply_panel(float* out, std::size_t out_stride, ConstMatrixView left, const float* panel) {
  std::size_t row = 0;
  for (; row + tile_rows <= left.rows; row += tile_rows) {
    multiply_tile<tile_rows, Accumulate>(out + row * out_stride, out_stride, left.data + row * left.stride,
                                         left.stride, panel, left.cols);
  }
  multiply_last_tile<Accumulate>(left.rows - row, out + row * out_stride, out_stride,
                                 left.data + row * left.stride, left.stride, panel, left.cols);
}

// The columns of out that do not fill a panel go through a small copy that does.
void accumulate_partial_panel(MatrixView out, ConstMatrixView left, const float* panel) {
  for (std::size_t row = 0; row < left.rows; row += tile_rows) {
    const std::size_t rows = std::min(tile_rows, left.rows - row);
    float tile[tile_rows * panel_cols] = {};
    multiply_last_tile<false>(rows, tile, panel_cols, left.data + row * left.stride, left.stride, panel,
                              left.cols);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < out.cols; ++c) {
        out.data[(row + r) * out.stride + c] += tile[r * panel_cols + c];
      }
    }
  }
}

// A panel of 8 rows as columns, by transposing squares of lanes; the rest of the depth one by one.
void pack_full_panel(float* packed, ConstMatrixView rows, float factor) {
  const std::size_t body = rows.cols - rows.cols % Lanes::size;
  for (std::size_t c = 0; c < panel_cols; c += Lanes::size) {
    for (std::size_t d = 0; d < body; d += Lanes::size) {
      Lanes square[Lanes::size];
      for (std::size_t i = 0; i < Lanes::size; ++i) {
        square[i] = load(rows.data + (c + i) * rows.stride + d) * Lanes(factor);
      }
      xsimd::transpose(square, square + Lanes::size);
      for (std::size_t i = 0; i < Lanes::size; ++i) store(packed + (d + i) * panel_cols + c, square[i]);
    }
  }
  for (std::size_t d = body; d < rows.cols; ++d) {
    for (std::size_t c = 0; c < panel_cols; ++c) packed[d * panel_cols + c] = factor * rows.row(c)[d];
  }
}

void pack_partial_panel(float* packed, ConstMatrixView rows, float factor) {
  for (std::size_t d = 0; d < rows.cols; ++d) {
    for (std::size_t c = 0; c < panel_cols; ++c) {
      packed[d * panel_cols + c] = c < rows.rows ? factor * rows.row(c)[d] : 0.0f;
    }
  }
}

// Whether all values taken so far are summable.
class Summable {
 public:
  void take(Lanes values) { small_ = small_ & (xsimd::abs(values) <= limit_); }
  bool holds() const { return xsimd::all(small_); }

 private:
  Lanes limit_ = Lanes(largest_summable);
  xsimd::batch_bool<float> small_ = Lanes(0.0f) <= limit_;
};

}  // namespace

void pack_rows_as_columns(float* packed, ConstMatrixView rows, float factor) {
  for (std::size_t first = 0; first < rows.rows; first += panel_cols, packed += rows.cols * panel_cols) {
    const std::size_t count = std::min(panel_cols, rows.rows - first);
    const ConstMatrixView panel(rows.data + first * rows.stride, count, rows.cols, rows.stride);
    count == panel_cols ? pack_full_panel(packed, panel, factor) : pack_partial_panel(packed, panel, factor);
  }
}

bool pack_columns(float* packed, ConstMatrixView matrix) {
  if (matrix.rows == 0) return true;  // data may be null
  Summable all;
  std::size_t first = 0;
  for (; first + panel_cols <= matrix.cols; first += panel_cols) {
    const float* from = matrix.data + first;
    for (std::size_t d = 0; d < matrix.rows; ++d, from += matrix.stride, packed += panel_cols) {
      for (std::size_t c = 0; c < vectors; ++c) {
        const Lanes values = load(from + c * Lanes::size);
        all.take(values);
        store(packed + c * Lanes::size, values);
      }
    }
  }
  for (std::size_t d = 0; first < matrix.cols && d < matrix.rows; ++d, packed += panel_cols) {
    for (std::size_t c = 0; c < panel_cols; ++c) {
      packed[c] = first + c < matrix.cols ? matrix.row(d)[first + c] : 0.0f;
    }
    for (std::size_t c = 0; c < vectors; ++c) all.take(load(packed + c * Lanes::size));
  }
  return all.holds();
}

void multiply_packed(MatrixView out, ConstMatrixView left, const float* packed) {
  assert(out.rows == left.rows && out.stride >= round_up(out.cols, panel_cols));
  for (std::size_t column = 0; column < out.cols; column += panel_cols) {
    multiply_panel<false>(out.data + column, out.stride, left, packed + column * left.cols);
  }
}

void accumulate_packed(MatrixView out, ConstMatrixView left, PackedView packed) {
  assert(out.rows == left.rows);
  std::size_t column = 0;
  for (; column + panel_cols <= out.cols; column += panel_cols) {
    multiply_panel<true>(out.data + column, out.stride, left, packed.data + column / panel_cols * packed.stride);
  }
  if (column < out.cols) {
    const MatrixView rest(out.data + column, out.rows, out.cols - column, out.stride);
    accumulate_partial_panel(rest, left, packed.data + column / panel_cols * packed.stride);
  }
}

}  // namespace ropewalk
