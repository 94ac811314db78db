// The choice of the next token from logits.
#pragma once

#include <span>

#include "base/random.hpp"

namespace ropewalk {

struct Sampling {
  double temperature = 0.0;  // 0: the largest logit, the first of equals
  // Nucleus sampling (Holtzman et al. 2020, section 3.1): of the most probable tokens as many as
  // reach this sum together. 1: all.
  double top_p = 1.0;
};

// Draws from softmax(logits / temperature), and takes one number of `random` unless the temperature
// is 0. Throws std::invalid_argument on a negative temperature, a top_p outside (0, 1], no logits,
// and logits that are not finite.
std::size_t sample(std::span<const float> logits, const Sampling& sampling, Random& random);

}  // namespace ropewalk
