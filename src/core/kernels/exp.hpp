// The exponential that softmax needs: arguments from -infinity to 0.
#pragma once

#include <numbers>

#include "kernels/lanes.hpp"

namespace ropewalk {

// exp(x) for x <= 0; NaN stays NaN, -infinity and everything below -87.3 give +0, and 0 gives 1.
//
// exp(x) = 2^n 2^f with n = round(x log2 e) and |f| <= 1/2; 2^f is a minimax polynomial with the
// constant term 1, relative error 9.2e-8. Rounding x log2 e costs |x| 2^-24 more, relative to the
// result; relative to the row's largest weight, 1, that is at most 2^-24 / e, so one step of
// argument reduction is enough where results are summed.
//
// Adding 1.5 * 2^23 + 127 leaves n + 127 in the low bits, which shifted are the bits of 2^n: no
// conversion to integers, which costs several instructions where it saturates. n = -127 gives
// the bits of 0, so nothing below the normal numbers is ever formed.
inline Lanes exp_of_non_positive(Lanes x) {
  const Lanes magic(12583039.0f);
  const Lanes y = at_least(x * Lanes(std::numbers::log2e_v<float>), -127.0f);
  const Lanes shifted = y + magic;
  const Lanes f = y - (shifted - magic);
  Lanes p(0.00132647273f);
  p = multiply_add(p, f, Lanes(0.00967151299f));
  p = multiply_add(p, f, Lanes(0.0555073358f));
  p = multiply_add(p, f, Lanes(0.240222424f));
  p = multiply_add(p, f, Lanes(0.693147004f));
  p = multiply_add(p, f, Lanes(1.0f));
  return p * xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(shifted) << 23);
}

}  // namespace ropewalk
