// AdamW: Adam with decoupled weight decay (Loshchilov and Hutter 2019, algorithm 2), with epsilon
// outside the root and after the bias correction, as in PyTorch.
//
//   g = gradient_scale * gradient
//   p = p (1 - learning_rate weight_decay)
//   m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2
//   p = p - learning_rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
#pragma once

#include <cstdint>
#include <span>

namespace ropewalk {

struct AdamW {
  double beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8;
};

// One step of one parameter tensor. step is t: 1 for the first. The moments start as zeros.
// Throws std::invalid_argument on spans that differ in length, step 0, a beta outside [0, 1), an
// epsilon that is not positive, a rate or decay that is negative or not finite, or a negative
// scale.
void adamw_step(std::span<float> values, std::span<const float> gradients,
                std::span<float> first_moment, std::span<float> second_moment, const AdamW& options,
                double learning_rate, double weight_decay, double gradient_scale,
                std::uint64_t step);

// The 2-norm of all gradients together, summed in double.
double gradient_norm(std::span<const float> all);

// The factor on gradients with which their norm is at most max_norm:
// min(1, max_norm / (norm + 1e-6)), as in PyTorch. NaN for a norm that is NaN.
// Throws std::invalid_argument when max_norm is not positive and finite.
double clip_scale(double norm, double max_norm);

}  // namespace ropewalk
