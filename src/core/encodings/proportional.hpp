// Proportional RoPE (p-RoPE; Gemma 4 in transformers 5): the whole head passes through the
// rotation, but only the fastest pairs turn.
//
//   f_i' = base^(-2i / dim) / factor   for i < floor(fraction dim / 2), else 0
//
// The exponents run over the full width `dim`; partial rotary would run them over fraction * dim.
#pragma once

#include "encodings/rotary_scaling.hpp"

namespace ropewalk {

// Throws std::invalid_argument unless 0 < fraction <= 1 and at least one pair turns.
ScaledFrequencies proportional(std::size_t dim, double base, double fraction, double factor = 1.0);

}  // namespace ropewalk
