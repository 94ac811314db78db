// Seeded inputs: the same numbers in every build.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/matrix_view.hpp"
#include "base/random.hpp"

namespace ropewalk {

inline std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

inline std::vector<double> counted_positions(std::size_t count) {
  std::vector<double> positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[i] = static_cast<double>(i);
  return positions;
}

// Floats with a shape, for tests to own.
struct Matrix {
  std::size_t rows = 0, cols = 0;
  std::vector<float> values;

  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, float value = 0.0f)
      : rows(rows), cols(cols), values(rows * cols, value) {}
  Matrix(std::size_t rows, std::size_t cols, std::vector<float> values)
      : rows(rows), cols(cols), values(std::move(values)) {}

  float& at(std::size_t row, std::size_t col) { return values[row * cols + col]; }
  float at(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
  MatrixView view() { return {values.data(), rows, cols}; }
  ConstMatrixView view() const { return {values.data(), rows, cols}; }
};

inline Matrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  return {rows, cols, random_floats(rows * cols, seed)};
}

// The same numbers as doubles, which the reference takes.
inline std::vector<std::vector<double>> rows_of(const Matrix& matrix) {
  std::vector<std::vector<double>> rows;
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    rows.emplace_back(matrix.view().row(r).begin(), matrix.view().row(r).end());
  }
  return rows;
}

// Row i of the result is row order[i] of the matrix.
inline Matrix reordered(const Matrix& matrix, const std::vector<std::size_t>& order) {
  Matrix result(order.size(), matrix.cols);
  for (std::size_t r = 0; r < order.size(); ++r) {
    for (std::size_t c = 0; c < matrix.cols; ++c) result.at(r, c) = matrix.at(order[r], c);
  }
  return result;
}

// A shuffle of 0 ... count - 1 (Fisher and Yates).
inline std::vector<std::size_t> shuffled_order(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.bits() % i]);
  return order;
}

// Equal bit for bit, NaN included.
inline bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace ropewalk
