// The exponential that softmax needs: arguments from -infinity to 0.
#pragma once

#include <numbers>

#include "kernels/lanes.hpp"

namespace ropewalk {

// exp(x) for x <= 0; NaN stays NaN, -infinity and everything below -70.0 give +0, and 0 gives 1.
//
// exp(x) = 2^n 2^f with n = round(x log2 e) and |f| <= 1/2; 2^f is a minimax polynomial with the
// constant term 1, relative error 9.2e-8, summed in pairs (Estrin) for a shorter chain. Rounding
// x log2 e costs |x| 2^-24 more, relative to the result; relative to the row's largest weight, 1,
// that is at most 2^-24 / e, so one step of argument reduction is enough where results are summed.
// That holds for what is left of a score once the maximum is subtracted: with log2 e in the scores
// from the start, those that share a large offset would lose their differences.
//
// Adding 1.5 * 2^23 + 101 leaves n + 101 in the low bits, which shifted are the bits of 2^(n - 26):
// no conversion to integers, which costs several instructions where it saturates. The polynomial
// has the factor 2^26. n = -101 gives the bits of 0. Neither a weight nor its product with a value
// above 1e-8 is then below the normal numbers, with which processors are a hundred times slower:
// where scores fall fast, as with ALiBi, that took a fifth of the time.
//
// Make it before the loop: its constants then stay in registers. They and what a loop needs besides
// fill all sixteen, so a long loop is quicker as two, one for each half.
class ExpOfNonPositive {
 public:
  Lanes operator()(Lanes x) const { return power_of_two(exponent(x)); }

  // x log2 e, or where the power begins to be 0.
  Lanes exponent(Lanes x) const { return max_propagate_nan(x * log2e_, lowest_); }

  // For what exponent() returns.
  Lanes power_of_two(Lanes y) const {
    const Lanes shifted = y + magic_;
    const Lanes f = y - (shifted - magic_), f2 = f * f;
    const Lanes low = multiply_add(c_[1], f, c_[0]), middle = multiply_add(c_[3], f, c_[2]),
                high = multiply_add(c_[5], f, c_[4]);
    const Lanes p = multiply_add(multiply_add(high, f2, middle), f2, low);
    return p * xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(shifted) << 23);
  }

 private:
  static constexpr float log2e = std::numbers::log2e_v<float>, lowest = -101.0f,
                         magic = 12583013.0f;
  static constexpr float c[6] = {0x1p26f,
                                 0x1p26f * 0.693147004f,
                                 0x1p26f * 0.240222424f,
                                 0x1p26f * 0.0555073358f,
                                 0x1p26f * 0.00967151299f,
                                 0x1p26f * 0.00132647273f};
  Lanes log2e_ = broadcast_opaque(log2e), lowest_ = broadcast_opaque(lowest),
        magic_ = broadcast_opaque(magic);
  Lanes c_[6] = {broadcast_opaque(c[0]), broadcast_opaque(c[1]), broadcast_opaque(c[2]),
                 broadcast_opaque(c[3]), broadcast_opaque(c[4]), broadcast_opaque(c[5])};
};

}  // namespace ropewalk
