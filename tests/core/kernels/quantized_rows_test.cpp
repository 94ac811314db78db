#include "kernels/quantized_rows.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "reference/kernels.hpp"
#include "support/inputs.hpp"
#include "support/quantized.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinRel;

namespace {

// Rows of very different sizes.
Matrix uneven_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix matrix = random_matrix(rows, cols, seed);
  for (std::size_t r = 0; r < rows; ++r) {
    for (float& value : matrix.view().row(r)) value *= std::ldexp(1.0f, int(r * 7 % 31) - 15);
  }
  return matrix;
}

std::vector<float> product(ConstMatrixView left, const Quantized& matrix, float factor) {
  std::vector<float> out(left.rows * matrix.rows(), 7.0f);
  multiply_quantized({out.data(), left.rows, matrix.rows()}, left, matrix.view(), factor);
  return out;
}

}  // namespace

TEST_CASE("multiply_quantized is within its bound at every length and number of rows") {
  const auto format = GENERATE(RowFormat::float16, RowFormat::int8);
  const std::size_t count = GENERATE(0u, 1u, 3u, 4u, 5u, 9u);
  const std::size_t cols = GENERATE(0u, 1u, 7u, 8u, 13u, 128u, 256u, 300u);
  const std::size_t rows = GENERATE(0u, 1u, 2u, 5u, 32u);
  const Matrix left = uneven_rows(count, cols, 1), matrix = uneven_rows(rows, cols, 2);
  const auto out = product(left.view(), Quantized(format, matrix.view()), 0.25f);
  Comparison comparison;
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t i = 0; i < rows; ++i) {
      const auto own = left.view().row(r), other = matrix.view().row(i);
      const double expected = 0.25 * reference::dot(own, other).value;
      comparison.add(out[r * rows + i], expected, 0.25 * product_error(format, own, other));
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("accumulate_quantized is within its bound at every length and number of rows") {
  const auto format = GENERATE(RowFormat::float16, RowFormat::int8);
  const std::size_t count = GENERATE(0u, 1u, 3u, 4u, 5u, 9u);
  const std::size_t cols = GENERATE(0u, 1u, 7u, 8u, 13u, 128u, 256u, 300u);
  const std::size_t rows = GENERATE(0u, 1u, 2u, 31u, 32u, 33u, 65u);
  const Matrix matrix = uneven_rows(rows, cols, 2);
  Matrix weights = random_matrix(count, rows, 1);
  for (float& weight : weights.values) weight = std::exp(3 * weight);
  const Matrix before = random_matrix(count, cols, 3);
  Matrix out = before;
  accumulate_quantized(out.view(), weights.view(), Quantized(format, matrix.view()).view());
  std::vector<double> largest(rows);
  for (std::size_t i = 0; i < rows; ++i) largest[i] = largest_in_row(matrix.view().row(i));
  // What the weights of 32 rows were rounded by in int8, of the largest product of these.
  const auto weight_errors = [&](std::size_t r) {
    std::vector<double> errors(rows / 32 + 1);
    for (std::size_t i = 0; i < rows; ++i)
      errors[i / 32] = std::max(errors[i / 32], 0x1.01p-16 * weights.at(r, i) * largest[i]);
    return errors;
  };
  Comparison comparison;
  for (std::size_t r = 0; r < count; ++r) {
    const std::vector<double> of_weights = weight_errors(r);
    for (std::size_t c = 0; c < cols; ++c) {
      double sum = before.at(r, c), bound = rounding * std::abs(sum);
      for (std::size_t i = 0; i < rows; ++i) {
        const double weight = weights.at(r, i);
        sum += weight * matrix.at(i, c);
        bound += weight * value_error(format, largest[i], matrix.at(i, c));
        bound += weight * std::abs(matrix.at(i, c)) * rounding * double(rows + 8);
        if (format == RowFormat::int8) bound += of_weights[i / 32];
      }
      comparison.add(out.at(r, c), sum, bound);
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("rows of binary16 stay exact in float16, subnormal numbers too") {
  const float largest = GENERATE(1.0f, 65504.0f);
  Matrix row(1, 41);
  for (std::size_t i = 0; i < 41; ++i) {
    row.at(0, i) = std::ldexp(i % 2 ? -1.0f : 1.0f, 16 - int(i));  // down to 2^-24
    if (i < 30) row.at(0, i) *= 2047.0f / 2048;
    if (std::abs(row.at(0, i)) > largest) row.at(0, i) = largest;
  }
  const Quantized stored(RowFormat::float16, row.view());
  for (std::size_t i = 0; i < 41; ++i) {
    Matrix unit(1, 41);
    unit.at(0, i) = 1;
    CHECK_THAT(product(unit.view(), stored, 1)[0], WithinRel(row.at(0, i), float(4 * rounding)));
  }
}

TEST_CASE("rows of zeros, and of the smallest and the largest values, keep their bound") {
  const auto format = GENERATE(RowFormat::float16, RowFormat::int8);
  for (const float size : {0.0f, 0x1p-140f, 0x1p-100f, 1.0f, largest_quantized}) {
    const Matrix row(1, 3, {size, -size / 3, 0});
    for (std::size_t i = 0; i < 3; ++i) {
      Matrix unit(1, 3);
      unit.at(0, i) = 1;
      const float out = product(unit.view(), Quantized(format, row.view()), 1)[0];
      CHECK(std::abs(double(out) - row.at(0, i)) <=
            value_error(format, largest_in_row(row.view().row(0)), row.at(0, i)) +
                4 * rounding * std::abs(out));
    }
  }
}

TEST_CASE("a query that is not finite gives NaN, and the others stay as they are") {
  const auto format = GENERATE(RowFormat::float16, RowFormat::int8);
  const float odd = GENERATE(float(NAN), float(INFINITY), -float(INFINITY));
  const Matrix matrix = random_matrix(5, 10, 1), left = random_matrix(3, 10, 2);
  Matrix changed = left;
  changed.at(1, 7) = odd;
  const Quantized stored(format, matrix.view());
  const auto expected = product(left.view(), stored, 1), out = product(changed.view(), stored, 1);
  for (std::size_t i = 0; i < 15; ++i) {
    if (i / 5 == 1)
      CHECK(std::isnan(out[i]));
    else
      CHECK(same_bits(out[i], expected[i]));
  }
}

TEST_CASE("what has no scale is rejected by its value") {
  const auto format = GENERATE(RowFormat::float16, RowFormat::int8);
  for (const auto& [value, text] : {std::pair(float(NAN), "got nan"),
                                    {float(INFINITY), "got inf"},
                                    {-0x1p30f, "got -1073741824"}}) {
    CHECK_THROWS_WITH(Quantized(format, Matrix(1, 2, {1, value}).view()), ContainsSubstring(text));
  }
}
