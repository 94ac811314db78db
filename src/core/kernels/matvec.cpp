#include "kernels/matvec.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "kernels/dot.hpp"
#include "kernels/lanes.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {
namespace {

// Places of the matrix that are read by turns, each a stream of its own that the hardware fetches
// ahead. Short rows of one place are read at less than half the rate of four, those of eight at
// three quarters; for long rows eight are best.
constexpr std::size_t few_streams = Lanes::size, many_streams = 2 * Lanes::size;
constexpr std::size_t long_row = 512;

std::size_t streams_of(ConstMatrixView matrix) {
  return matrix.cols < long_row ? few_streams : many_streams;
}

template <std::size_t count>
using Count = std::integral_constant<std::size_t, count>;

// Rows of the left operand that share what is read of the matrix, and rows of that at once.
constexpr std::size_t shared_rows = 4, shared_others = 2;

// Products of `Rows` rows of left with `Others` rows of matrix, each `step` rows after the one
// before. Several rows of left have whole lanes only.
template <std::size_t Rows, std::size_t Others>
void multiply_group(float* out, std::size_t out_stride, const float* left, std::size_t left_stride,
                    const float* matrix, std::size_t stride, std::size_t cols, std::size_t step,
                    float factor) {
  constexpr std::size_t at_once = Rows * Others;
  const std::size_t body = cols - cols % Lanes::size, apart = step * stride;
  Lanes sums[at_once];  // by row of left, then by row of matrix
  for (Lanes& sum : sums) sum = Lanes(0.0f);
  for (std::size_t d = 0; d < body; d += Lanes::size) {
    Lanes pieces[Rows];
    for (std::size_t r = 0; r < Rows; ++r) pieces[r] = load(left + r * left_stride + d);
    for (std::size_t i = 0; i < Others; ++i) {
      const Lanes other = load(matrix + i * apart + d);
      for (std::size_t r = 0; r < Rows; ++r) {
        sums[r * Others + i] = multiply_add(pieces[r], other, sums[r * Others + i]);
      }
    }
  }
  float products[at_once];
  for (std::size_t i = 0; i < at_once; i += Lanes::size) {
    store(products + i, sums_across(sums + i) * Lanes(factor));
  }
  for (std::size_t d = body; d < cols; ++d) {
    for (std::size_t i = 0; i < at_once; ++i)
      products[i] += factor * left[d] * matrix[i * apart + d];
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t i = 0; i < Others; ++i)
      out[r * out_stride + i * step] = products[r * Others + i];
  }
}

// out += weights * matrix for `Rows` rows of out and `Others` rows of matrix, each `step` rows
// after the one before; whole lanes only.
template <std::size_t Rows, std::size_t Others>
void accumulate_group(float* out, std::size_t out_stride, const float* weights,
                      std::size_t weights_stride, const float* matrix, std::size_t stride,
                      std::size_t body, std::size_t step) {
  constexpr std::size_t at_once = Rows * Others;
  // Copied to locals: the compiler must assume that a store to out changes a weight.
  Lanes factors[at_once];
  for (std::size_t i = 0; i < at_once; ++i) {
    factors[i] = Lanes(weights[i / Others * weights_stride + i % Others * step]);
  }
  for (std::size_t c = 0; c < body; c += Lanes::size) {
    Lanes values[Others];
    for (std::size_t i = 0; i < Others; ++i) values[i] = load(matrix + i * step * stride + c);
    for (std::size_t r = 0; r < Rows; ++r) {
      Lanes sum = load(out + r * out_stride + c);
      for (std::size_t i = 0; i < Others; ++i) {
        sum = multiply_add(factors[r * Others + i], values[i], sum);
      }
      store(out + r * out_stride + c, sum);
    }
  }
}

// Calls group(rows, others, row, first, step) for all rows of the left operand and whole groups of
// the rows of the matrix, each one of a stream. Returns how many of these were taken.
template <class Group>
std::size_t for_groups(std::size_t rows, bool shares, ConstMatrixView matrix, Group group) {
  const std::size_t streams = streams_of(matrix), step = matrix.rows / streams;
  for (std::size_t i = 0; i < step; ++i) {
    std::size_t row = 0;
    for (; shares && row + shared_rows <= rows; row += shared_rows) {
      for (std::size_t other = 0; other < streams; other += shared_others)
        group(Count<shared_rows>(), Count<shared_others>(), row, i + other * step, step);
    }
    for (; row < rows; ++row) {
      if (streams == few_streams)
        group(Count<1>(), Count<few_streams>(), row, i, step);
      else
        group(Count<1>(), Count<many_streams>(), row, i, step);
    }
  }
  return step * streams;
}

}  // namespace

void multiply_rows(MatrixView out, ConstMatrixView left, ConstMatrixView matrix, float factor) {
  assert(out.rows == left.rows && out.cols == matrix.rows && left.cols == matrix.cols);
  std::size_t i =
      for_groups(left.rows, left.cols % Lanes::size == 0, matrix,
                 [&](auto rows, auto others, std::size_t row, std::size_t first, std::size_t step) {
                   multiply_group<rows(), others()>(out.data + row * out.stride + first, out.stride,
                                                    left.data + row * left.stride, left.stride,
                                                    matrix.data + first * matrix.stride,
                                                    matrix.stride, left.cols, step, factor);
                 });
  for (; i < matrix.rows; ++i) {
    for (std::size_t row = 0; row < left.rows; ++row)
      out.row(row)[i] = factor * dot(left.row(row), matrix.row(i));
  }
}

void accumulate_rows(MatrixView out, ConstMatrixView weights, ConstMatrixView matrix) {
  assert(out.rows == weights.rows && out.cols == matrix.cols && weights.cols == matrix.rows);
  const std::size_t body = out.cols - out.cols % Lanes::size;
  const std::size_t grouped = for_groups(
      out.rows, true, matrix,
      [&](auto rows, auto others, std::size_t row, std::size_t first, std::size_t step) {
        accumulate_group<rows(), others()>(
            out.data + row * out.stride, out.stride, weights.data + row * weights.stride + first,
            weights.stride, matrix.data + first * matrix.stride, matrix.stride, body, step);
      });
  const auto add_row = [&](std::size_t other, std::size_t first) {
    for (std::size_t row = 0; row < out.rows; ++row) {
      add_scaled(out.row(row).subspan(first), matrix.row(other).subspan(first),
                 weights.row(row)[other]);
    }
  };
  // The last columns of these rows, in the order of the groups: a column has the same bits wherever
  // it stands.
  const std::size_t streams = streams_of(matrix), step = grouped / streams;
  for (std::size_t i = 0; i < grouped && body < out.cols; ++i)
    add_row(i / streams + i % streams * step, body);
  for (std::size_t other = grouped; other < matrix.rows; ++other) add_row(other, 0);
}

}  // namespace ropewalk
