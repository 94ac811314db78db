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

// Angles go through every step four lanes of them together: one wait hides another, and an engine
// that makes a constant anew at each use makes it for all four.
constexpr std::size_t together = 4, group = together * Doubles::size;
using Group = std::array<Doubles, together>;

Integers bits_of(Doubles x) { return xsimd::bitwise_cast<std::int64_t>(x); }

template <class Step>
Group each(Step step) {
  return {step(0), step(1), step(2), step(3)};
}

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

Group polynomial(const Group& z, const std::array<double, 6>& terms) {
  Group sum;
  sum.fill(Doubles(terms.back()));
  for (std::size_t i = terms.size() - 1; i-- > 0;) {
    sum = each([&](int k) { return sum[k] * z[k] + Doubles(terms[i]); });
  }
  return sum;
}

// Angles below largest_reduced are n quarter turns and a rest x + y in [-pi/4, pi/4].
void reduced_sincos(const Group& angle, const Group& tail, double* sin, double* cos) {
  const Doubles per_radian(2 / 3.14159265358979323846), round(rounder), one(1.0);
  const Group shifted = each([&](int k) { return angle[k] * per_radian + round; });
  const Group n = each([&](int k) { return shifted[k] - round; });
  const Group near = each([&](int k) {
    return (angle[k] - n[k] * Doubles(first)) - n[k] * Doubles(second);
  });
  const Group rest = each([&](int k) { return n[k] * Doubles(third) - tail[k]; });
  const Group x = each([&](int k) { return near[k] - rest[k]; });
  const Group z = each([&](int k) { return x[k] * x[k]; });
  const Group sin_rest = polynomial(z, sin_terms), cos_rest = polynomial(z, cos_terms);

  for (std::size_t k = 0; k < together; ++k) {
    const Doubles y = (near[k] - x[k]) - rest[k];
    const Doubles half = Doubles(0.5) * z[k], whole = one - half;
    const Doubles s = x[k] + (x[k] * z[k] * sin_rest[k] + y * whole);
    const Doubles c = whole + (((one - whole) - half) + (z[k] * z[k] * cos_rest[k] - x[k] * y));

    // An odd count of quarters swaps the two; counts 2, 3 (mod 4) turn the sine's sign, 1, 2 the
    // cosine's.
    const Integers quarters = bits_of(shifted[k]);
    const Integers odd = Integers(0) - (quarters & Integers(1));
    const Integers s_bits = bits_of(s), c_bits = bits_of(c);
    const Integers exchanged = (s_bits ^ c_bits) & odd;
    const Integers sin_sign = (quarters & Integers(2)) << 62;
    const Integers cos_sign = ((quarters + Integers(1)) & Integers(2)) << 62;
    const std::size_t at = k * Doubles::size;
    xsimd::bitwise_cast<double>(s_bits ^ exchanged ^ sin_sign).store_unaligned(sin + at);
    xsimd::bitwise_cast<double>(c_bits ^ exchanged ^ cos_sign).store_unaligned(cos + at);
  }
}

// The C library reduces by as many digits of pi as it takes.
void far_sincos(double angle, double tail, double& sin, double& cos) {
  const double s = std::sin(angle), c = std::cos(angle);
  sin = s * std::cos(tail) + c * std::sin(tail);
  cos = c * std::cos(tail) - s * std::sin(tail);
}

void sincos_group(const double* angles, const double* tails, double* sin, double* cos) {
  const auto lanes = [](const double* from) {
    return each([&](int k) { return Doubles::load_unaligned(from + k * Doubles::size); });
  };
  const Group angle = lanes(angles);
  const Group tail = tails ? lanes(tails) : each([](int) { return Doubles(0.0); });
  const auto small = [&](int k) { return xsimd::abs(angle[k]) < Doubles(largest_reduced); };
  if (xsimd::all(small(0) & small(1) & small(2) & small(3))) {
    return reduced_sincos(angle, tail, sin, cos);
  }
  std::array<double, group> each_angle, each_tail;  // an output may be an input
  std::copy_n(angles, group, each_angle.begin());
  each_tail.fill(0.0);
  if (tails) std::copy_n(tails, group, each_tail.begin());
  for (std::size_t i = 0; i < group; ++i) far_sincos(each_angle[i], each_tail[i], sin[i], cos[i]);
}

}  // namespace

void sincos(std::span<const double> angles, std::span<const double> tails, std::span<double> sin,
            std::span<double> cos) {
  assert(sin.size() == angles.size() && cos.size() == angles.size());
  assert(tails.empty() || tails.size() == angles.size());
  const std::size_t count = angles.size(), body = count - count % group;
  const double* tail = tails.empty() ? nullptr : tails.data();
  for (std::size_t i = 0; i < body; i += group) {
    sincos_group(&angles[i], tail ? tail + i : nullptr, &sin[i], &cos[i]);
  }
  if (body == count) return;
  std::array<double, group> last_angles{}, last_tails{}, last_sin, last_cos;
  std::copy(angles.begin() + body, angles.end(), last_angles.begin());
  if (tail) std::copy(tails.begin() + body, tails.end(), last_tails.begin());
  sincos_group(last_angles.data(), last_tails.data(), last_sin.data(), last_cos.data());
  std::copy_n(last_sin.begin(), count - body, sin.begin() + body);
  std::copy_n(last_cos.begin(), count - body, cos.begin() + body);
}

}  // namespace ropewalk
