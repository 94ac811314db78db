#include "kernels/dot.hpp"

#include <cassert>

#include "kernels/lanes.hpp"

namespace ropewalk {

float dot(std::span<const float> a, std::span<const float> b) {
  assert(a.size() == b.size());
  Lanes sum(0.0f);
  float rest = 0.0f;
  for_lanes(
      a.size(), [&](std::size_t i) { sum = multiply_add(load(&a[i]), load(&b[i]), sum); },
      [&](std::size_t i) { rest += a[i] * b[i]; });
  return xsimd::reduce_add(sum) + rest;
}

}  // namespace ropewalk
