#include "kernels/sincos.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

using Doubles = xsimd::batch<double>;
using Integers = xsimd::batch<std::int64_t>;

struct SinCos {
  Doubles sin, cos;
};

// pi/2 = first + second + third to 2^-107. A quarter count below 2^26 times `first` (27 bits, the
// last worth 2^-26) or `second` (the last worth 2^-53) is exact, and so are both subtractions.
constexpr double first = 0x1.921fb54p+0, second = 0x1.10b46p-30, third = 0x1.1a62633145c07p-54;
constexpr double largest_reduced = 0x1p26;

// Adding this rounds to a whole number and leaves it in the low bits.
constexpr double rounder = 0x1.8p52;

// (sin x - x) / x^3 and (cos x - 1 + x^2/2) / x^4 as polynomials in x^2, interpolated at the
// Chebyshev nodes of [0, (pi/4)^2]: errors 1.4e-17 and 9e-19.
constexpr std::array sin_terms = {-0x1.5555555555555p-3,  0x1.1111111110bb2p-7,
                                  -0x1.a01a019e83aadp-13, 0x1.71de379689f47p-19,
                                  -0x1.ae600b0299686p-26, 0x1.5e0b19ee56c64p-33};
constexpr std::array cos_terms = {0x1.5555555555555p-5,  -0x1.6c16c16c16967p-10,
                                  0x1.a01a019f4eb00p-16, -0x1.27e4fa17d9fc1p-22,
                                  0x1.1eeb68e92d026p-29, -0x1.907da35d467bfp-37};

Doubles polynomial(Doubles z, const std::array<double, 6>& terms) {
  Doubles sum(terms.back());
  for (std::size_t i = terms.size() - 1; i-- > 0;) sum = sum * z + Doubles(terms[i]);
  return sum;
}

// An angle below largest_reduced is n quarter turns and a rest x + y in [-pi/4, pi/4].
SinCos reduced_sincos(Doubles angle, Doubles tail) {
  const Doubles shifted = angle * Doubles(2 / 3.14159265358979323846) + Doubles(rounder);
  const Doubles n = shifted - Doubles(rounder);
  const Doubles near = (angle - n * Doubles(first)) - n * Doubles(second);
  const Doubles rest = n * Doubles(third) - tail;
  const Doubles x = near - rest;
  const Doubles y = (near - x) - rest;

  const Doubles z = x * x, half = Doubles(0.5) * z;
  const Doubles one(1.0), whole = one - half;
  const Doubles s = x + (x * z * polynomial(z, sin_terms) + y * whole);
  const Doubles c = whole + (((one - whole) - half) + (z * z * polynomial(z, cos_terms) - x * y));

  // An odd count of quarters swaps the two; counts 2, 3 (mod 4) turn the sine's sign, 1, 2 the cosine's.
  const Integers quarters = xsimd::bitwise_cast<std::int64_t>(shifted);
  const Integers odd = Integers(0) - (quarters & Integers(1));
  const Integers s_bits = xsimd::bitwise_cast<std::int64_t>(s), c_bits = xsimd::bitwise_cast<std::int64_t>(c);
  const Integers exchanged = (s_bits ^ c_bits) & odd;
  const Integers sin_sign = (quarters & Integers(2)) << 62;
  const Integers cos_sign = ((quarters + Integers(1)) & Integers(2)) << 62;
  return {xsimd::bitwise_cast<double>(s_bits ^ exchanged ^ sin_sign),
          xsimd::bitwise_cast<double>(c_bits ^ exchanged ^ cos_sign)};
}

// The C library reduces by as many digits of pi as it takes.
void far_sincos(double angle, double tail, double& sin, double& cos) {
  const double s = std::sin(angle), c = std::cos(angle);
  sin = s * std::cos(tail) + c * std::sin(tail);
  cos = c * std::cos(tail) - s * std::sin(tail);
}

void sincos_group(const double* angles, const double* tails, double* sin, double* cos) {
  const Doubles angle = Doubles::load_unaligned(angles);
  const Doubles tail = tails ? Doubles::load_unaligned(tails) : Doubles(0.0);
  if (xsimd::all(xsimd::abs(angle) < Doubles(largest_reduced))) {
    const SinCos value = reduced_sincos(angle, tail);
    value.sin.store_unaligned(sin);
    value.cos.store_unaligned(cos);
    return;
  }
  std::array<double, Doubles::size> each_angle, each_tail;
  angle.store_unaligned(each_angle.data());
  tail.store_unaligned(each_tail.data());
  for (std::size_t i = 0; i < each_angle.size(); ++i) {
    far_sincos(each_angle[i], each_tail[i], sin[i], cos[i]);
  }
}

}  // namespace

void sincos(std::span<const double> angles, std::span<const double> tails, std::span<double> sin,
            std::span<double> cos) {
  assert(sin.size() == angles.size() && cos.size() == angles.size());
  assert(tails.empty() || tails.size() == angles.size());
  const std::size_t count = angles.size(), body = count - count % Doubles::size;
  const double* tail = tails.empty() ? nullptr : tails.data();
  for (std::size_t i = 0; i < body; i += Doubles::size) {
    sincos_group(&angles[i], tail ? tail + i : nullptr, &sin[i], &cos[i]);
  }
  if (body == count) return;
  std::array<double, Doubles::size> last_angles{}, last_tails{}, last_sin, last_cos;
  std::copy(angles.begin() + body, angles.end(), last_angles.begin());
  if (tail) std::copy(tails.begin() + body, tails.end(), last_tails.begin());
  sincos_group(last_angles.data(), last_tails.data(), last_sin.data(), last_cos.data());
  std::copy_n(last_sin.begin(), count - body, sin.begin() + body);
  std::copy_n(last_cos.begin(), count - body, cos.begin() + body);
}

}  // namespace ropewalk
