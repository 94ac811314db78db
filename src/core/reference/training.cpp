#include "reference/training.hpp"

#include <cmath>
#include <numbers>

#include "reference/kernels.hpp"

namespace ropewalk::reference {

Table linear(const Table& x, const Table& w) {
  Table y{x.rows, w.cols, std::vector<double>(x.rows * w.cols)};
  for (std::size_t r = 0; r < x.rows; ++r) {
    for (std::size_t i = 0; i < w.rows; ++i) {
      for (std::size_t c = 0; c < w.cols; ++c) y.at(r, c) += x.at(r, i) * w.at(i, c);
    }
  }
  return y;
}

Table embedding(const Table& table, std::span<const std::uint32_t> ids) {
  Table y{ids.size(), table.cols, {}};
  for (const std::uint32_t id : ids) {
    for (std::size_t c = 0; c < table.cols; ++c) y.values.push_back(table.at(id, c));
  }
  return y;
}

Table rms_norm(const Table& x, const Table& gain, double epsilon) {
  Table y = x;
  for (std::size_t r = 0; r < x.rows; ++r) {
    double squares = 0;
    for (std::size_t c = 0; c < x.cols; ++c) squares += x.at(r, c) * x.at(r, c);
    const double root = std::sqrt(squares / double(x.cols) + epsilon);
    for (std::size_t c = 0; c < x.cols; ++c) y.at(r, c) = x.at(r, c) * gain.at(0, c) / root;
  }
  return y;
}

Table layer_norm(const Table& x, const Table& gain, const Table& bias, double epsilon) {
  Table y = x;
  for (std::size_t r = 0; r < x.rows; ++r) {
    double mean = 0, variance = 0;
    for (std::size_t c = 0; c < x.cols; ++c) mean += x.at(r, c) / double(x.cols);
    for (std::size_t c = 0; c < x.cols; ++c) {
      variance += (x.at(r, c) - mean) * (x.at(r, c) - mean) / double(x.cols);
    }
    const double root = std::sqrt(variance + epsilon);
    for (std::size_t c = 0; c < x.cols; ++c) {
      y.at(r, c) = (x.at(r, c) - mean) / root * gain.at(0, c) + bias.at(0, c);
    }
  }
  return y;
}

double gelu(double x) {
  const double u = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(u));
}

Table gelu(const Table& x) {
  Table y = x;
  for (double& value : y.values) value = gelu(value);
  return y;
}

double cross_entropy(const Table& logits, std::span<const std::uint32_t> targets,
                     std::span<const float> weights) {
  double sum = 0, weight_sum = 0;
  for (std::size_t r = 0; r < logits.rows; ++r) {
    const auto first = logits.values.begin() + std::ptrdiff_t(r * logits.cols);
    const double whole = log_sum_exp({first, first + std::ptrdiff_t(logits.cols)});
    sum += double(weights[r]) * (whole - logits.at(r, targets[r]));
    weight_sum += weights[r];
  }
  return weight_sum == 0 ? 0 : sum / weight_sum;
}

void adamw(AdamWParameter& parameter, double gradient, const AdamWRates& rates, int step) {
  auto& [p, m, v] = parameter;
  p *= 1 - rates.learning_rate * rates.weight_decay;
  m = rates.beta1 * m + (1 - rates.beta1) * gradient;
  v = rates.beta2 * v + (1 - rates.beta2) * gradient * gradient;
  const double first = m / (1 - std::pow(rates.beta1, step));
  const double second = v / (1 - std::pow(rates.beta2, step));
  p -= rates.learning_rate * first / (std::sqrt(second) + rates.epsilon);
}

}  // namespace ropewalk::reference
