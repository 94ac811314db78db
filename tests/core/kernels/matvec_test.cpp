#include "kernels/matvec.hpp"

#include <catch_amalgamated.hpp>

#include "kernels/lanes.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("multiply_rows agrees with sums in double at every length and number of rows") {
  const std::size_t cols = GENERATE(range<std::size_t>(0, 2 * Lanes::size + 2));
  const std::size_t rows = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t stride = cols + 3;
  const auto row = random_floats(cols, 1), values = random_floats(rows * stride, 2);
  const ConstMatrixView matrix(values.data(), rows, cols, stride);
  std::vector<float> out(rows);
  multiply_rows(out, row, matrix, 0.25f);
  for (std::size_t i = 0; i < rows; ++i) {
    const reference::Sum expected = reference::dot(row, matrix.row(i));
    CHECK_THAT(out[i],
               WithinAbs(0.25 * expected.value, double(cols) * epsilon * expected.magnitude));
  }
}

TEST_CASE("accumulate_rows agrees with sums in double at every length and number of rows") {
  const std::size_t cols = GENERATE(range<std::size_t>(0, 2 * Lanes::size + 2));
  const std::size_t rows = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const auto weights = random_floats(rows, 1), values = random_floats(rows * cols, 2);
  const auto before = random_floats(cols, 3);
  auto out = before;
  accumulate_rows(out, weights, {values.data(), rows, cols});
  for (std::size_t c = 0; c < cols; ++c) {
    double sum = before[c], magnitude = std::abs(sum);
    for (std::size_t i = 0; i < rows; ++i) {
      const double term = double(weights[i]) * values[i * cols + c];
      sum += term;
      magnitude += std::abs(term);
    }
    CHECK_THAT(out[c], WithinAbs(sum, double(rows + 1) * epsilon * magnitude));
  }
}

TEST_CASE("accumulate_rows gives a column the same bits alone and among others") {
  const std::size_t cols = GENERATE(range<std::size_t>(1, 2 * Lanes::size + 2));
  const std::size_t rows = GENERATE(std::size_t{1}, 2 * Lanes::size, 4 * Lanes::size + 1);
  const auto weights = random_floats(rows, 1), values = random_floats(rows * cols, 2);
  const auto before = random_floats(cols, 3);
  auto together = before;
  accumulate_rows(together, weights, {values.data(), rows, cols});
  for (std::size_t c = 0; c < cols; ++c) {
    float alone = before[c];
    accumulate_rows({&alone, 1}, weights, {&values[c], rows, 1, cols});
    REQUIRE(same_bits(alone, together[c]));
  }
}
