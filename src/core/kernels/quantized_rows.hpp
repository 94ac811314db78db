// Rows of 16-bit floats or 8-bit integers with a scale each, and products of few rows with them, as
// in matvec.hpp. Decoding waits for memory, so half or a quarter of the bytes is most of the time.
//
// float16: x = scale * half, where half is an IEEE 754 binary16 and the scale a power of two that
// brings the largest value of the row below 2^16. Rows that are binary16 already stay exact.
//   error of x: 2^-11 |x| + 2^-39 largest |x| of the row
// int8: x = scale * code with code = -127 ... 127 and scale = largest |x| of the row / 127.
//   error of x: largest |x| of the row / 253.9
// A row whose values are all below 2^-100 becomes zero in int8.
#pragma once

#include <cstdint>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

enum class RowFormat { float16 = 1, int8 = 2 };

// Larger values, infinities and NaN have no scale.
inline constexpr float largest_quantized = 0x1p29f;

// Infinite or NaN where a value is.
float largest_magnitude(std::span<const float> values);

// The codes of a row fill whole groups of 8, padded with zeros.
std::size_t row_bytes(RowFormat format, std::size_t cols);

template <class Scale, class Byte>
struct BasicQuantizedRows {
  RowFormat format;
  Scale* scales;
  Byte* codes;
  std::size_t rows, cols;

  Byte* row(std::size_t index) const { return codes + index * row_bytes(format, cols); }
  BasicQuantizedRows rows_from(std::size_t first, std::size_t count) const {
    return {format, scales + first, row(first), count, cols};
  }
  operator BasicQuantizedRows<const Scale, const Byte>() const {
    return {format, scales, codes, rows, cols};
  }
};

using QuantizedRows = BasicQuantizedRows<float, std::uint8_t>;
using ConstQuantizedRows = BasicQuantizedRows<const float, const std::uint8_t>;

// Throws std::invalid_argument on values above largest_quantized; the rows before stay written.
void quantize(const QuantizedRows& to, ConstMatrixView from);

// The values that rows stand for.
void dequantize(MatrixView to, const ConstQuantizedRows& from);

// out = factor * left * matrixT. A row of left that is not finite gives NaN. For int8 a row of left
// is rounded, too: by at most 2^-16 of its largest magnitude within 256 columns.
void multiply_quantized(MatrixView out, ConstMatrixView left, const ConstQuantizedRows& matrix,
                        float factor);

// out += weights * matrix. For int8 the products of 32 weights with the scales of their rows are
// rounded, too: by at most 2^-16 of the largest of them.
void accumulate_quantized(MatrixView out, ConstMatrixView weights,
                          const ConstQuantizedRows& matrix);

}  // namespace ropewalk
