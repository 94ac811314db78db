// Gradients by central differences, for tests of backward functions.
#pragma once

#include <catch_amalgamated.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "reference/training.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

namespace ropewalk {

using reference::Table;

inline constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

inline Table table_of(const Matrix& matrix) {
  return {matrix.rows, matrix.cols, {matrix.values.begin(), matrix.values.end()}};
}

// 2-norm of the difference, relative to the expected tensor's.
inline double relative_error(const std::vector<float>& actual, const Table& expected) {
  REQUIRE(actual.size() == expected.values.size());
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    difference += std::pow(actual[i] - expected.values[i], 2);
    norm += expected.values[i] * expected.values[i];
  }
  REQUIRE(norm > 0);  // a gradient that is all zero would fit anything that is small
  return std::sqrt(difference / norm);
}

// Central differences of loss(tensor) in double. Their own error is near 1e-10.
inline Table gradient(Table at, const std::function<double(const Table&)>& loss) {
  Table result = at;
  const double h = 1e-5;
  for (std::size_t i = 0; i < at.values.size(); ++i) {
    const double value = at.values[i];
    at.values[i] = value + h;
    const double above = loss(at);
    at.values[i] = value - h;
    result.values[i] = (above - loss(at)) / (2 * h);
    at.values[i] = value;
  }
  return result;
}

// The loss whose gradient with respect to y is d_y.
inline double inner_product(const Table& y, const Matrix& d_y) {
  REQUIRE(y.values.size() == d_y.values.size());
  double sum = 0;
  for (std::size_t i = 0; i < y.values.size(); ++i) sum += y.values[i] * d_y.values[i];
  return sum;
}

// Values of a row are sums of at most `terms` products and some thirty roundings beside; rounding
// errors of a whole tensor do not all point the same way, so this is far from reached.
inline double layer_bound(std::size_t terms) { return rounding * double(terms + 30); }

}  // namespace ropewalk
