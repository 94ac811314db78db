#include "kernels/matvec.hpp"

#include <catch_amalgamated.hpp>

#include "kernels/lanes.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("multiply_rows agrees with sums in double at every length and number of rows") {
  const std::size_t count = GENERATE(0u, 1u, 3u, 4u, 6u, 8u);
  const std::size_t cols = GENERATE(range<std::size_t>(0, 2 * Lanes::size + 2));
  const std::size_t rows = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t stride = cols + 3, out_stride = rows + 1;
  const auto of_left = random_floats(count * stride, 1), values = random_floats(rows * stride, 2);
  const ConstMatrixView left(of_left.data(), count, cols, stride);
  const ConstMatrixView matrix(values.data(), rows, cols, stride);
  std::vector<float> out(count * out_stride, 7.0f);
  multiply_rows({out.data(), count, rows, out_stride}, left, matrix, 0.25f);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t i = 0; i < rows; ++i) {
      const reference::Sum expected = reference::dot(left.row(r), matrix.row(i));
      CHECK_THAT(out[r * out_stride + i],
                 WithinAbs(0.25 * expected.value, double(cols) * epsilon * expected.magnitude));
    }
    CHECK(out[r * out_stride + rows] == 7.0f);
  }
}

TEST_CASE("accumulate_rows agrees with sums in double at every length and number of rows") {
  const std::size_t count = GENERATE(0u, 1u, 3u, 4u, 6u, 8u);
  const std::size_t cols = GENERATE(range<std::size_t>(0, 2 * Lanes::size + 2));
  const std::size_t rows = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const auto weights = random_floats(count * rows, 1), values = random_floats(rows * cols, 2);
  const auto before = random_floats(count * cols, 3);
  auto out = before;
  accumulate_rows({out.data(), count, cols}, {weights.data(), count, rows},
                  {values.data(), rows, cols});
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      double sum = before[r * cols + c], magnitude = std::abs(sum);
      for (std::size_t i = 0; i < rows; ++i) {
        const double term = double(weights[r * rows + i]) * values[i * cols + c];
        sum += term;
        magnitude += std::abs(term);
      }
      CHECK_THAT(out[r * cols + c], WithinAbs(sum, double(rows + 1) * epsilon * magnitude));
    }
  }
}

TEST_CASE("accumulate_rows gives a column the same bits alone and among others") {
  const std::size_t count = GENERATE(1u, 4u);
  const std::size_t cols = GENERATE(range<std::size_t>(1, 2 * Lanes::size + 2));
  const std::size_t rows = GENERATE(std::size_t{1}, 2 * Lanes::size, 4 * Lanes::size + 1);
  const auto weights = random_floats(count * rows, 1), values = random_floats(rows * cols, 2);
  const auto before = random_floats(count * cols, 3);
  auto together = before;
  accumulate_rows({together.data(), count, cols}, {weights.data(), count, rows},
                  {values.data(), rows, cols});
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      float alone = before[r * cols + c];
      accumulate_rows({&alone, 1, 1}, {&weights[r * rows], 1, rows}, {&values[c], rows, 1, cols});
      REQUIRE(same_bits(alone, together[r * cols + c]));
    }
  }
}
