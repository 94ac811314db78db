#include "kernels/matmul.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

static_assert(panel_cols % Lanes::size == 0, "wider lanes need wider panels");
constexpr std::size_t vectors = panel_cols / Lanes::size;

enum class Sums { replace, add };

// Whether the left operand is as it is stored, or its transpose is.
enum class Left { stored, transposed };

// One tile of `Rows` x 8 sums, which stay in registers over the whole depth.
template <Left Operand, std::size_t Rows>
void multiply_tile(Sums sums, float* out, std::size_t out_stride, const float* left,
                   std::size_t left_stride, const float* panel, std::size_t depth) {
  Lanes sum[Rows][vectors];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t c = 0; c < vectors; ++c) {
      sum[r][c] = sums == Sums::add ? load(out + r * out_stride + c * Lanes::size) : Lanes(0.0f);
    }
  }
  // One pointer moves along: a product of depth and stride would be formed for each step.
  const std::size_t row_step = Operand == Left::stored ? left_stride : 1,
                    depth_step = Operand == Left::stored ? 1 : left_stride;
  for (std::size_t d = 0; d < depth; ++d, left += depth_step, panel += panel_cols) {
    Lanes right[vectors];
    for (std::size_t c = 0; c < vectors; ++c) right[c] = load(panel + c * Lanes::size);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Lanes factor(left[r * row_step]);
      for (std::size_t c = 0; c < vectors; ++c)
        sum[r][c] = multiply_add(factor, right[c], sum[r][c]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t c = 0; c < vectors; ++c)
      store(out + r * out_stride + c * Lanes::size, sum[r][c]);
  }
}

// Without a fused multiply-add a tile is bound by the number of instructions. One whose rows lie
// side by side, as in a transposed operand, takes one address for all of them.
constexpr bool interleaves = micro_rows == Lanes::size;
// Floats that are interleaved at a time: a tile of attention's rows and a block of its keys.
constexpr std::size_t max_interleaved = 48 * 256;
// With fewer columns it costs more than it saves.
constexpr std::size_t cols_worth_interleaving = 4 * panel_cols;

// The whole tiles of a left operand, each with its rows side by side; null where it is not worth
// it.
[[gnu::noinline]] const float* interleaved(ConstMatrixView left, std::size_t cols) {
  alignas(64) static float tiles[interleaves ? max_interleaved : 1];
  if (!interleaves || cols < cols_worth_interleaving || left.rows * left.cols > max_interleaved)
    return nullptr;
  float* to = tiles;
  const std::size_t body = left.cols - left.cols % Lanes::size;
  for (std::size_t row = 0; row + Lanes::size <= left.rows; row += Lanes::size) {
    const float* from = left.data + row * left.stride;
    for (std::size_t d = 0; d < body; d += Lanes::size, to += Lanes::size * Lanes::size) {
      Lanes square[Lanes::size];
      for (std::size_t i = 0; i < Lanes::size; ++i) square[i] = load(from + i * left.stride + d);
      xsimd::transpose(square, square + Lanes::size);
      for (std::size_t i = 0; i < Lanes::size; ++i) store(to + i * Lanes::size, square[i]);
    }
    for (std::size_t d = body; d < left.cols; ++d) {
      for (std::size_t i = 0; i < Lanes::size; ++i) *to++ = from[i * left.stride + d];
    }
  }
  return tiles;
}

// All rows of one panel: rows that do not fill a tile are computed by twos and ones. `tiles`: the
// result of interleaved(), if any.
template <Left Operand = Left::stored>
void multiply_panel(Sums sums, float* out, std::size_t out_stride, ConstMatrixView left,
                    const float* panel, const float* tiles = nullptr) {
  constexpr bool stored = Operand == Left::stored;
  const std::size_t rows = stored ? left.rows : left.cols, depth = stored ? left.cols : left.rows;
  const std::size_t row_step = stored ? left.stride : 1;
  std::size_t row = 0;
  for (; interleaves && tiles && row + micro_rows <= rows; row += micro_rows) {
    multiply_tile<Left::transposed, micro_rows>(sums, out + row * out_stride, out_stride,
                                                tiles + row * depth, micro_rows, panel, depth);
  }
  const auto take = [&]<std::size_t Rows>(std::integral_constant<std::size_t, Rows>) {
    for (; row + Rows <= rows; row += Rows) {
      multiply_tile<Operand, Rows>(sums, out + row * out_stride, out_stride,
                                   left.data + row * row_step, left.stride, panel, depth);
    }
  };
  take(std::integral_constant<std::size_t, micro_rows>());
  take(std::integral_constant<std::size_t, 2>());
  take(std::integral_constant<std::size_t, 1>());
}

// A panel of at most 8 rows as columns: whole ones by transposing squares of lanes, the rest of the
// depth, and other panels, one by one.
void pack_panel(float* packed, ConstMatrixView rows, float factor) {
  const std::size_t body = rows.rows == panel_cols ? rows.cols - rows.cols % Lanes::size : 0;
  for (std::size_t c = 0; c < panel_cols; c += Lanes::size) {
    for (std::size_t d = 0; d < body; d += Lanes::size) {
      Lanes square[Lanes::size];
      for (std::size_t i = 0; i < Lanes::size; ++i) {
        square[i] = load(rows.data + (c + i) * rows.stride + d) * Lanes(factor);
      }
      xsimd::transpose(square, square + Lanes::size);
      for (std::size_t i = 0; i < Lanes::size; ++i)
        store(packed + (d + i) * panel_cols + c, square[i]);
    }
  }
  for (std::size_t d = body; d < rows.cols; ++d) {
    for (std::size_t c = 0; c < panel_cols; ++c) {
      packed[d * panel_cols + c] = c < rows.rows ? factor * rows.data[c * rows.stride + d] : 0.0f;
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
  for (std::size_t first = 0; first < rows.rows;
       first += panel_cols, packed += rows.cols * panel_cols) {
    const std::size_t count = std::min(panel_cols, rows.rows - first);
    const ConstMatrixView panel(rows.data + first * rows.stride, count, rows.cols, rows.stride);
    pack_panel(packed, panel, factor);
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
  const float* const tiles = interleaved(left, out.cols);
  for (std::size_t column = 0; column < out.cols; column += panel_cols) {
    multiply_panel(Sums::replace, out.data + column, out.stride, left, packed + column * left.cols,
                   tiles);
  }
}

namespace {

// `rows_of` gives some rows of the left operand, from one on.
template <Left Operand, class RowsOf>
void accumulate(MatrixView out, ConstMatrixView left, PackedView packed, RowsOf rows_of) {
  const float* const tiles = Operand == Left::stored ? interleaved(left, out.cols) : nullptr;
  const float* panel = packed.data;
  std::size_t column = 0;
  for (; column + panel_cols <= out.cols; column += panel_cols, panel += packed.stride) {
    multiply_panel<Operand>(Sums::add, out.data + column, out.stride, left, panel, tiles);
  }
  // Columns that do not fill a panel go through a small tile that does.
  for (std::size_t row = 0; column < out.cols && row < out.rows; row += micro_rows) {
    float tile[micro_rows * panel_cols];
    const std::size_t rows = std::min(micro_rows, out.rows - row);
    multiply_panel<Operand>(Sums::replace, tile, panel_cols, rows_of(row, rows), panel);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = column; c < out.cols; ++c)
        out.row(row + r)[c] += tile[r * panel_cols + c - column];
    }
  }
}

}  // namespace

void accumulate_packed(MatrixView out, ConstMatrixView left, PackedView packed) {
  assert(out.rows == left.rows);
  accumulate<Left::stored>(out, left, packed, [&](std::size_t first, std::size_t count) {
    return ConstMatrixView(left.row(first).data(), count, left.cols, left.stride);
  });
}

void accumulate_transposed(MatrixView out, ConstMatrixView left, PackedView packed) {
  assert(out.rows == left.cols);
  if (left.rows == 0) return;  // data may be null
  accumulate<Left::transposed>(out, left, packed, [&](std::size_t first, std::size_t count) {
    return ConstMatrixView(left.data + first, left.rows, count, left.stride);
  });
}

}  // namespace ropewalk
