#include "encodings/recurrent.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/elementary.hpp"
#include "base/random.hpp"
#include "base/require.hpp"

namespace ropewalk {
namespace {

// sum += x W
template <class Number>
void add_product(std::span<double> sum, std::span<const Number> x, ConstMatrixView w) {
  for (std::size_t r = 0; r < w.rows; ++r) {
    const double factor = x[r];
    const std::span<const float> row = w.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) sum[c] += factor * row[c];
  }
}

}  // namespace

void untrained_recurrent(MatrixView input, MatrixView hidden, std::span<float> bias,
                         std::uint64_t seed) {
  Random random(seed);
  const double bound = 1.0 / std::sqrt(static_cast<double>(hidden.cols));
  const auto draw = [&](std::span<float> values) {
    for (float& value : values) value = static_cast<float>(random.uniform(-bound, bound));
  };
  for (std::size_t r = 0; r < input.rows; ++r) draw(input.row(r));
  for (std::size_t r = 0; r < hidden.rows; ++r) draw(hidden.row(r));
  draw(bias);
}

void recurrent(MatrixView states, ConstMatrixView x, const RecurrentWeights& weights,
               std::span<const float> initial, Activation activation) {
  const std::size_t hidden = weights.hidden.rows;
  require(weights.hidden.cols == hidden, "recurrent: the hidden weights must be square, got ",
          hidden, " x ", weights.hidden.cols);
  require(weights.input.rows == x.cols && weights.input.cols == hidden,
          "recurrent: the input weights must be ", x.cols, " x ", hidden, ", got ",
          weights.input.rows, " x ", weights.input.cols);
  require(weights.bias.size() == hidden && initial.size() == hidden,
          "recurrent: bias and initial state must have ", hidden, " values, got ",
          weights.bias.size(), " and ", initial.size());
  require(states.rows == x.rows && states.cols == hidden, "recurrent: the result must be ", x.rows,
          " x ", hidden, ", got ", states.rows, " x ", states.cols);
  std::vector<double> state(initial.begin(), initial.end()), next(hidden);
  for (std::size_t t = 0; t < x.rows; ++t) {
    std::ranges::copy(weights.bias, next.begin());
    add_product<float>(next, x.row(t), weights.input);
    add_product<double>(next, state, weights.hidden);
    if (activation == Activation::tanh) {
      for (double& value : next) value = hyperbolic_tangent(value);
    }
    std::swap(state, next);
    std::ranges::transform(state, states.row(t).begin(),
                           [](double value) { return static_cast<float>(value); });
  }
}

}  // namespace ropewalk
