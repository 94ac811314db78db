#include "kernels/dot.hpp"

#include "kernels/lanes.hpp"

namespace ropewalk {

float dot(const float* a, const float* b, std::size_t count) {
  Lanes sum(0.0f);
  float rest = 0.0f;
  for_lanes(
      count, [&](std::size_t i) { sum = multiply_add(load(&a[i]), load(&b[i]), sum); },
      [&](std::size_t i) { rest += a[i] * b[i]; });
  return xsimd::reduce_add(sum) + rest;
}

}  // namespace ropewalk
