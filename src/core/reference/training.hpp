// The layers of a small transformer and AdamW again, in plain loops in double. Gradients are left
// to finite differences. Tests compare the core with it; it does not ship.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ropewalk::reference {

// A matrix in double, row by row.
struct Table {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values;

  double& at(std::size_t row, std::size_t col) { return values[row * cols + col]; }
  double at(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
};

Table linear(const Table& x, const Table& w);
Table embedding(const Table& table, std::span<const std::uint32_t> ids);

// gain and bias: 1 x cols.
Table rms_norm(const Table& x, const Table& gain, double epsilon);
Table layer_norm(const Table& x, const Table& gain, const Table& bias, double epsilon);

double gelu(double x);
Table gelu(const Table& x);

// The mean by weight of -ln softmax(logits)[target]; 0 where all weights are 0.
double cross_entropy(const Table& logits, std::span<const std::uint32_t> targets,
                     std::span<const float> weights);

// One parameter, with its moments.
struct AdamWParameter {
  double value = 0, first_moment = 0, second_moment = 0;
};

struct AdamWRates {
  double beta1, beta2, epsilon, learning_rate, weight_decay;
};

void adamw(AdamWParameter& parameter, double gradient, const AdamWRates& rates, int step);

}  // namespace ropewalk::reference
