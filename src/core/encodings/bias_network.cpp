#include "encodings/bias_network.hpp"

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

}  // namespace ropewalk
