// Inner product of two rows.
#pragma once

#include <span>

namespace ropewalk {

// Sum of a[i] * b[i]; both of the same length, which may be 0.
float dot(std::span<const float> a, std::span<const float> b);

}  // namespace ropewalk
