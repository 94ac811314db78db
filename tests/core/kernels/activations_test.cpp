#include "kernels/activations.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "base/random.hpp"

using namespace ropewalk;

TEST_CASE("the logarithm of sigmoid keeps its digits at every argument and count") {
  const std::size_t count = GENERATE(0, 1, 2, 3, 4, 5, 1000);
  const double largest = GENERATE(1e-30, 0.5, 1.0, 40.0, 290.0, 1e5);
  const double sign = GENERATE(1.0, -1.0);
  Random random(count + 1);
  std::vector<float> x(count);
  for (float& value : x) value = static_cast<float>(random.uniform(-largest, largest));
  std::vector<double> y(count);
  log_sigmoid(y, x, sign);
  for (std::size_t i = 0; i < count; ++i) {
    const long double at = sign * x[i];
    const long double exact = (at < 0 ? at : 0.0L) - std::log1p(std::exp(at < 0 ? at : -at));
    CAPTURE(x[i], y[i]);
    CHECK(std::abs(y[i] - double(exact)) <= 1e-15 * std::abs(double(exact)) + 1e-130);
  }
}

TEST_CASE("the logarithm of sigmoid at 0, at infinities and at NaN") {
  const std::vector<float> x{0.0f, INFINITY, -INFINITY, NAN, 1.0f};
  std::vector<double> y(x.size());
  log_sigmoid(y, x, 1.0);
  CHECK(y[0] == -std::log(2.0));
  CHECK(std::abs(y[1]) <= 1e-130);
  CHECK(y[2] == -INFINITY);
  CHECK(std::isnan(y[3]));
  CHECK(std::abs(y[4] + std::log1p(std::exp(-1.0))) <= 1e-15);
}

TEST_CASE("the exact form of gelu is within its bound at every argument and count") {
  const std::size_t count = GENERATE(0, 1, 3, 4, 5, 1000);
  const double largest = GENERATE(1e-20, 0.1, 1.0, 8.0, 1e4);
  Random random(count + 2);
  std::vector<float> x(count), y(count);
  for (float& value : x) value = static_cast<float>(random.uniform(-largest, largest));
  gelu_exact(y, x);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = x[i], exact = at * 0.5 * std::erfc(-at / std::sqrt(2.0));
    CAPTURE(x[i], y[i], exact);
    CHECK(std::abs(double(y[i]) - exact) <= 3e-7 * std::abs(at));
  }
}

TEST_CASE("the gradient of silu is that of its formula at every argument and count") {
  const std::size_t count = GENERATE(0, 1, 3, 4, 5, 1000);
  const double largest = GENERATE(1e-20, 0.1, 1.0, 8.0, 1e4);
  Random random(count + 3);
  std::vector<float> x(count), d(count);
  for (float& value : x) value = static_cast<float>(random.uniform(-largest, largest));
  for (float& value : d) value = static_cast<float>(random.normal());
  const std::vector<float> d_y = d;
  silu_backward(d, d_y, x);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = x[i], s = 1.0 / (1.0 + std::exp(-at));
    const double exact = d_y[i] * s * (1.0 + at * (1.0 - s));
    CAPTURE(x[i], d_y[i], d[i], exact);
    CHECK(std::abs(double(d[i]) - exact) <= 2e-6 * std::abs(d_y[i]) * (1.0 + std::abs(at)));
  }
}
