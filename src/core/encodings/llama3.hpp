// Llama 3.1's scaling (Meta, llama-models apply_scaling), by wavelength l = 2 pi / f_i:
//
//   l < L0 / high   f_i' = f_i
//   l > L0 / low    f_i' = f_i / s
//   else            f_i' = (1 - kept) f_i / s + kept f_i,   kept = (L0 / l - low) / (high - low)
//
// which is NTK-by-parts with `low` and `high` as the turns at the ends of its published ramp.
#pragma once

#include "encodings/rotary_scaling.hpp"

namespace ropewalk {

struct Llama3Options {
  double factor = 8.0;              // s
  double original_length = 8192.0;  // L0
  double low_freq_factor = 1.0;
  double high_freq_factor = 4.0;
};

// Throws std::invalid_argument unless 0 < low_freq_factor < high_freq_factor, and on a factor or
// length out of range.
ScaledFrequencies llama3(std::size_t dim, double base, const Llama3Options& options);

}  // namespace ropewalk
