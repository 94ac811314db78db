#include "input/counting.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "reference/input.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;

namespace {

Matrix waves(const std::vector<double>& positions, std::size_t dim,
             const SineWaveOptions& options = {}) {
  Matrix table(positions.size(), dim);
  sine_waves(table.view(), positions, options);
  return table;
}

double distance(const Matrix& a, std::size_t m, const Matrix& b, std::size_t n) {
  double squared = 0;
  for (std::size_t c = 0; c < a.cols; ++c) squared += std::pow(double(a.at(m, c)) - b.at(n, c), 2);
  return std::sqrt(squared);
}

}  // namespace

TEST_CASE(
    "C05 every sine has half the frequency of the one before, is bounded and moves without jumps") {
  const std::size_t dim = 8;
  for (double t = 0; t < 40; t += 0.5) {
    const Matrix at = waves({t, t / 2, t + 0.001}, dim);
    for (std::size_t j = 1; j < dim; ++j) CHECK(at.at(0, j) == at.at(1, j - 1));
    for (std::size_t j = 0; j < dim; ++j) CHECK(std::abs(at.at(0, j)) <= 1.0f);
    CHECK(distance(at, 0, at, 2) <= 0.001 * std::sqrt(4.0 / 3.0) + 1e-6);
  }
}

TEST_CASE("C06 fast waves close on themselves, and slow ones do not over the same range") {
  const double lap = 8 * std::numbers::pi;  // of 1, 1/2 and 1/4
  for (double t = 0; t < 100; t += 0.25) {
    const Matrix fast = waves({t, t + lap}, 3);
    CHECK(distance(fast, 0, fast, 1) < 1e-6);
    const Matrix slow = waves({t, t + lap}, 3, {WaveSpacing::endpoint_included});
    CHECK(distance(slow, 0, slow, 1) > 0.05);
  }
}

TEST_CASE("the product of neighbouring sine waves depends on their positions") {
  const Matrix p = waves({0, 1, 5, 6, 20, 21}, 16, {WaveSpacing::endpoint_excluded});
  const auto product = [&](std::size_t m, std::size_t n) {
    return reference::dot(p.view().row(m), p.view().row(n)).value;
  };
  CHECK_THAT(product(0, 1), WithinAbs(0.0, 1e-6));
  CHECK_THAT(product(2, 3), WithinAbs(2.226548, 2e-6));
  CHECK_THAT(product(4, 5), WithinAbs(3.840333, 2e-6));
  CHECK_THAT(std::sqrt(product(1, 1)), WithinAbs(1.065332, 1e-6));
  CHECK_THAT(std::sqrt(product(2, 2)), WithinAbs(1.723524, 1e-6));
  CHECK_THAT(std::sqrt(product(4, 4)), WithinAbs(2.026117, 1e-6));
}

TEST_CASE("one sine wave that ends at the base is the position's own") {
  CHECK(waves({3}, 1, {WaveSpacing::endpoint_included}).at(0, 0) ==
        static_cast<float>(std::sin(3.0)));
}

TEST_CASE("sine_waves rejects invalid arguments") {
  Matrix table(1, 4);
  const std::vector<double> one = {0}, two = {0, 1};
  CHECK_THROWS_MATCHES(sine_waves({table.values.data(), 1, 0}, one), std::invalid_argument,
                       Message("sine_waves: dim must be positive, got 0"));
  CHECK_THROWS_MATCHES(sine_waves(table.view(), one, {.base = 0}), std::invalid_argument,
                       Message("sine_waves: base must be positive and finite, got 0"));
  CHECK_THROWS_MATCHES(sine_waves(table.view(), two), std::invalid_argument,
                       Message("sine_waves: table must be 2 x 4, got 1 x 4"));
}
