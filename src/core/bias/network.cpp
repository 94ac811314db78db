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

// Divisor of a query's distances.
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

void fire_backward(const FireGradients& gradients, ConstMatrixView d_bias,
                   std::span<const double> queries, std::span<const double> keys,
                   const BiasNetwork& network, const FireOptions& options) {
  const std::size_t heads = network.head_weights.rows, hidden = network.hidden_weights.rows;
  require_shape("fire_backward: d_bias", d_bias, heads * queries.size(), keys.size());
  std::vector<double> d_heads(heads), d_hidden_weight(hidden), d_hidden_bias(hidden),
      d_head_bias(heads), d_head_weights(heads * hidden);
  double d_c = 0.0, d_threshold = 0.0;
  for (std::size_t m = 0; m < queries.size(); ++m) {
    const double edge = std::abs(options.multiplier * options.threshold);
    const double length = std::max(queries[m], edge), reach = reach_of(queries[m], options);
    for (std::size_t n = 0; n < keys.size(); ++n) {
      bool has_gradient = false;
      for (std::size_t h = 0; h < heads; ++h) {
        d_heads[h] = d_bias.row(h * queries.size() + m)[n];
        d_head_bias[h] += d_heads[h];
        has_gradient = has_gradient || d_heads[h] != 0.0;
      }
      if (!has_gradient) continue;  // a key that the query does not see
      const double distance = queries[m] - keys[n];
      const double near = psi(distance, options), input = near / reach;
      double d_input = 0.0;
      for (std::size_t i = 0; i < hidden; ++i) {
        const double weight = network.hidden_weights.row(i)[0];
        const double unit = double(network.hidden_bias[i]) + weight * input;
        if (unit <= 0.0) continue;
        double d_unit = 0.0;
        for (std::size_t h = 0; h < heads; ++h) {
          d_head_weights[h * hidden + i] += d_heads[h] * unit;
          d_unit += d_heads[h] * double(network.head_weights.row(h)[i]);
        }
        d_hidden_weight[i] += d_unit * input;
        d_hidden_bias[i] += d_unit;
        d_input += d_unit * weight;
      }
      // d psi(x) / dc = |x| / (|c x| + 1), with the sign of c; the same with c and x exchanged.
      const double sign = options.c < 0.0 ? -1.0 : 1.0;
      const auto by_c = [&](double x) {
        return sign * std::abs(x) / (std::abs(options.c * x) + 1.0);
      };
      d_c += d_input * (by_c(distance) - input * by_c(length)) / reach;
      if (queries[m] > edge) continue;
      const double by_length = std::abs(options.c) / (std::abs(options.c) * length + 1.0);
      const double direction = options.multiplier * options.threshold < 0.0 ? -1.0 : 1.0;
      const double share = queries[m] == edge ? 0.5 : 1.0;  // max(m, edge) has both slopes there
      d_threshold -= share * d_input * input * by_length / reach * direction * options.multiplier;
    }
  }
  for (std::size_t i = 0; i < hidden; ++i) {
    gradients.hidden_weights.row(i)[0] += static_cast<float>(d_hidden_weight[i]);
    gradients.hidden_bias[i] += static_cast<float>(d_hidden_bias[i]);
    for (std::size_t h = 0; h < heads; ++h)
      gradients.head_weights.row(h)[i] += static_cast<float>(d_head_weights[h * hidden + i]);
  }
  for (std::size_t h = 0; h < gradients.head_bias.size(); ++h)
    gradients.head_bias[h] += static_cast<float>(d_head_bias[h]);
  if (gradients.c) *gradients.c += d_c;
  if (gradients.threshold) *gradients.threshold += d_threshold;
}

}  // namespace ropewalk
