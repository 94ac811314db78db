// LongRoPE (Ding et al. 2024): every pair has a divisor of its own, found by search, in two lists.
//
//   f_i' = f_i / ext_i,   ext = long list if L > L0, else short list (L = L0 is still short)
//
// cos and sin are multiplied by sqrt(1 + ln s / ln L0), or 1 for s <= 1, as Phi-3 ships it.
// Crossing L0 changes every frequency, so keys cached rotated before it no longer fit.
#pragma once

#include <span>

#include "encodings/rotary_scaling.hpp"

namespace ropewalk {

// Throws std::invalid_argument unless both lists have dim / 2 positive finite divisors.
ScaledFrequencies longrope(std::size_t dim, double base, std::span<const double> short_factors,
                           std::span<const double> long_factors, double length,
                           double original_length);

double longrope_attention_factor(double factor, double original_length);

}  // namespace ropewalk
