// Logits that grow with the logarithm of how much a row sees, so that the entropy of attention
// holds steadier as contexts grow (Su, kexue.fm/archives/8823). One factor per row, on its logits.
//
//   length    ln n / ln L0 for every row, n the length of the whole context
//   position  ln(p + 1) / ln L0: below 1 inside the training length, and 0 for the first row
//   clipped   max(1, ln(p + 1) / ln L0): Su's rerope repository, Qwen
//
// p is the row's position from 0, L0 the training length.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ropewalk {

// The factor on q kT of every row where a call names none: 1 / sqrt(dim) (Vaswani et al. 2017, eq.
// 1).
float default_scale(std::size_t dim);
// `given`, or the default where that is NaN.
float scale_or_default(double given, std::size_t dim);

enum class LogNForm { length, position, clipped };

// `length` (n) serves the form of that name only. Throws std::invalid_argument on L0 <= 1, and on a
// length or position + 1 below 1.
std::vector<double> log_n_factors(std::span<const double> positions, double original_length,
                                  LogNForm form, double length = 1.0);

// Llama 4's factor on queries of its layers without positions:
// 1 + scale ln(1 + floor((p + offset) / floor_length)). Ministral 3 has it on every layer, with
// offset 0 (transformers, modeling_ministral3.py).
std::vector<double> llama4_factors(std::span<const double> positions, double scale = 0.1,
                                   double floor_length = 8192.0, double offset = 1.0);

// Scalable softmax, SSMax (Nakanishi 2025, section 3): s_h ln n + b_h with n = p + 1, the number of
// keys that a causal row sees. Result: (heads, positions). biases: one per head, or empty: 0.
std::vector<double> ssmax_factors(std::span<const double> positions, std::span<const double> scales,
                                  std::span<const double> biases = {});

}  // namespace ropewalk
