// Rows scaled to mean square 1 (RMSNorm) or shifted and scaled to mean 0 and variance 1
// (LayerNorm), and their gradients.
#pragma once

#include <span>

namespace ropewalk {

// One value of gain and bias per column. RMSNorm has no bias and subtracts no mean, so an empty
// bias says which of the two it is.
struct RowNorm {
  std::span<const float> gain, bias;
  float epsilon;
};

struct RowNormGradients {
  std::span<float> gain, bias;
};

// n = (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon), without the means of x for RMSNorm;
// y = n gain + bias. y may be x.
void normalize_row(std::span<float> y, std::span<const float> x, const RowNorm& norm);

// With a = d_y gain: d_x = (a - mean(a) - n mean(a n)) / sqrt(...), without mean(a) for RMSNorm;
// d.gain += d_y n, d.bias += d_y. d_x may be d_y or x.
void normalize_row_backward(std::span<float> d_x, const RowNormGradients& d,
                            std::span<const float> d_y, std::span<const float> x,
                            const RowNorm& norm);

}  // namespace ropewalk
