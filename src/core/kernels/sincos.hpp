// Sine and cosine of many angles at once, in double, each angle reduced exactly.
#pragma once

#include <span>

namespace ropewalk {

// sin[i] and cos[i] of angles[i] + tails[i], within 3e-16 of the exact values for every finite
// angle. A tail is what an angle's double has no room for, such as the rest of a product; without
// them (an empty span) the angles are exactly the doubles given. All spans have one size, and an
// output may be an input.
void sincos(std::span<const double> angles, std::span<const double> tails, std::span<double> sin,
            std::span<double> cos);

inline void sincos(std::span<const double> angles, std::span<double> sin, std::span<double> cos) {
  sincos(angles, {}, sin, cos);
}

}  // namespace ropewalk
