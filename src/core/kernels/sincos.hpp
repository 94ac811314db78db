// Sine and cosine of many angles at once, in double, each angle reduced exactly.
#pragma once

#include <span>

namespace ropewalk {

// sin[i] and cos[i] of angles[i] + tails[i], within 3e-16 of the exact values for every finite
// angle. A tail holds digits beyond the double of an angle, such as the rounding error of a
// product; without tails (an empty span) the angles are exactly the given doubles. All spans have
// one size, and an output may be an input.
void sincos(std::span<const double> angles, std::span<const double> tails, std::span<double> sin,
            std::span<double> cos);

inline void sincos(std::span<const double> angles, std::span<double> sin, std::span<double> cos) {
  sincos(angles, {}, sin, cos);
}

// The same, rounded to 32-bit floats.
void sincos(std::span<const double> angles, std::span<float> sin, std::span<float> cos);

}  // namespace ropewalk
