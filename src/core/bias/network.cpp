#include "bias/network.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/elementary.hpp"
#include "base/require.hpp"

namespace ropewalk {

void BiasNetwork::check(std::size_t inputs) const {
  require(hidden_weights.cols == inputs, "the bias network must take ", inputs, " inputs, got ",
          hidden_weights.cols);
  require(hidden_bias.size() == hidden_weights.rows, "the bias network's hidden bias must have ",
          hidden_weights.rows, " values, got ", hidden_bias.size());
  require(head_weights.cols == hidden_weights.rows, "the bias network's head weights must have ",
          hidden_weights.rows, " columns, got ", head_weights.cols);
  require(head_bias.empty() || head_bias.size() == head_weights.rows,
          "the bias network's head bias must have ", head_weights.rows, " values, got ",
          head_bias.size());
}

// Unit by unit, so that no unit has to be kept.
void BiasNetwork::operator()(std::span<const double> inputs, std::span<double> heads) const {
  for (std::size_t h = 0; h < heads.size(); ++h) {
    heads[h] = head_bias.empty() ? 0.0 : double(head_bias[h]);
  }
  for (std::size_t i = 0; i < hidden_weights.rows; ++i) {
    double sum = hidden_bias[i];
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      sum += double(hidden_weights.row(i)[j]) * inputs[j];
    }
    const double unit = sum < 0.0 ? 0.0 : sum;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      heads[h] += double(head_weights.row(h)[i]) * unit;
    }
  }
}

namespace {

double psi(double x, const FireOptions& options) {
  return portable::log(std::abs(options.c * x) + 1.0);
}

// What a query's distances are divided by.
double reach_of(double query, const FireOptions& options) {
  const double reach = std::max(query, std::abs(options.multiplier * options.threshold));
  return psi(reach, options) + options.epsilon;
}

}  // namespace

double fire_input(double query, double key, const FireOptions& options) {
  return psi(query - key, options) / reach_of(query, options);
}

void fire(MatrixView bias, std::span<const double> queries, std::span<const double> keys,
          const BiasNetwork& network, const FireOptions& options) {
  network.check(1);
  const std::size_t heads = network.head_weights.rows;
  require_shape("fire: bias", bias, heads * queries.size(), keys.size());
  std::vector<double> values(heads);
  for (std::size_t m = 0; m < queries.size(); ++m) {
    const double reach = reach_of(queries[m], options);
    for (std::size_t n = 0; n < keys.size(); ++n) {
      const double input = psi(queries[m] - keys[n], options) / reach;
      network({&input, 1}, values);
      for (std::size_t h = 0; h < heads; ++h) {
        bias.row(h * queries.size() + m)[n] = static_cast<float>(values[h]);
      }
    }
  }
}

}  // namespace ropewalk
