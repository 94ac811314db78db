// Position Interpolation, "linear" scaling (Chen et al. 2023, equation 4; kaiokendev 2023).
//
//   f_i' = f_i / factor
//
// which is the same as dividing every position by factor: no angle leaves the trained range, and
// neighbours stand factor times closer.
#pragma once

#include "encodings/rotary_scaling.hpp"

namespace ropewalk {

// Throws std::invalid_argument on a factor that is not positive and finite, or on what
// rotary_frequencies refuses.
ScaledFrequencies position_interpolation(std::size_t dim, double base, double factor);

}  // namespace ropewalk
