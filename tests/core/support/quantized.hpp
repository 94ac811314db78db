// Quantized rows for tests to own, and how far they may be from the numbers that they stand for.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/quantized_rows.hpp"
#include "reference/kernels.hpp"
#include "support/tolerance.hpp"

namespace ropewalk {

class Quantized {
 public:
  Quantized(RowFormat format, ConstMatrixView from)
      : format_(format),
        rows_(from.rows),
        cols_(from.cols),
        scales_(rows_),
        codes_(rows_ * row_bytes(format, cols_)) {
    quantize({format, scales_.data(), codes_.data(), rows_, cols_}, from);
  }
  std::size_t rows() const { return rows_; }
  ConstQuantizedRows view() const { return {format_, scales_.data(), codes_.data(), rows_, cols_}; }

 private:
  RowFormat format_;
  std::size_t rows_, cols_;
  std::vector<float> scales_;
  std::vector<std::uint8_t> codes_;
};

inline double largest_in_row(std::span<const float> row) {
  double largest = 0;
  for (const float value : row) largest = std::max(largest, std::abs(double(value)));
  return largest;
}

// Error bound of a value in a row with this largest magnitude, as in quantized_rows.hpp.
inline double value_error(RowFormat format, double largest, double value) {
  if (format == RowFormat::float16) return 0x1p-11 * std::abs(value) + 0x1p-39 * largest;
  return largest / 253.9 + 0x1p-100;
}

// Error bound of the product of two rows, of which the second is quantized: the errors of its
// values; in int8 those of the first row, rounded to 2^-16 of its largest; and the roundings of a
// sum of products.
inline double product_error(RowFormat format, std::span<const float> left,
                            std::span<const float> row) {
  double error = 0;
  const double step = format == RowFormat::int8 ? 0x1.01p-16 * largest_in_row(left) : 0;
  const double largest = largest_in_row(row);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double of_value = value_error(format, largest, row[i]);
    error += std::abs(left[i]) * of_value + step * (std::abs(row[i]) + of_value);
  }
  return error + double(row.size() + 8) * rounding * reference::dot(left, row).magnitude;
}

}  // namespace ropewalk
