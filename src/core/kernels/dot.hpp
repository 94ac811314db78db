// Inner product of two rows.
#pragma once

#include <cassert>
#include <span>

namespace ropewalk {

// Sum of a[i] * b[i]; the length may be 0.
float dot(const float* a, const float* b, std::size_t count);

// Takes pointers and a count: WebAssembly passes spans through memory.
inline float dot(std::span<const float> a, std::span<const float> b) {
  assert(a.size() == b.size());
  return dot(a.data(), b.data(), a.size());
}

}  // namespace ropewalk
