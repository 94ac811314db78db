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
//
// Make it before the loop: its constants then stay in registers.
class ExpOfNonPositive {
 public:
  Lanes operator()(Lanes x) const {
    const Lanes y = at_least(x * log2e_, lowest_);
    const Lanes shifted = y + magic_;
    const Lanes f = y - (shifted - magic_);
    Lanes p = coefficients_[0];
    for (std::size_t i = 1; i < 6; ++i) p = multiply_add(p, f, coefficients_[i]);
    return p * xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(shifted) << 23);
  }

 private:
  static constexpr float log2e = std::numbers::log2e_v<float>, lowest = -127.0f, magic = 12583039.0f;
  static constexpr float coefficients[6] = {0.00132647273f, 0.00967151299f, 0.0555073358f,
                                            0.240222424f,   0.693147004f,   1.0f};
  Lanes log2e_ = kept(log2e), lowest_ = kept(lowest), magic_ = kept(magic);
  Lanes coefficients_[6] = {kept(coefficients[0]), kept(coefficients[1]), kept(coefficients[2]),
                            kept(coefficients[3]), kept(coefficients[4]), kept(coefficients[5])};
};

}  // namespace ropewalk
