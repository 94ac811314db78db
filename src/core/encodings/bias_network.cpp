#include "encodings/bias_network.hpp"

#include "base/require.hpp"

namespace ropewalk {
namespace {

double linear(std::span<const float> weights, std::span<const double> inputs, double bias) {
  for (std::size_t i = 0; i < inputs.size(); ++i) bias += double(weights[i]) * inputs[i];
  return bias;
}

}  // namespace

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

std::vector<double> BiasNetwork::operator()(std::span<const double> inputs) const {
  std::vector<double> hidden(hidden_weights.rows), heads(head_weights.rows);
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    const double sum = linear(hidden_weights.row(i), inputs, hidden_bias[i]);
    hidden[i] = sum < 0.0 ? 0.0 : sum;
  }
  for (std::size_t h = 0; h < heads.size(); ++h) {
    heads[h] = linear(head_weights.row(h), hidden, head_bias.empty() ? 0.0 : double(head_bias[h]));
  }
  return heads;
}

}  // namespace ropewalk
