#include "kernels/sincos.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/double_double.hpp"
#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

using Doubles = xsimd::batch<double>;
using Integers = xsimd::batch<std::int64_t>;

// Angles go through every step two lanes of them together: one wait hides another, and an engine
// that makes a constant anew at each use makes it for both. Four need more registers than there
// are.
constexpr std::size_t together = 2, group = together * Doubles::size;
using Group = std::array<Doubles, together>;

Integers bits_of(Doubles x) { return xsimd::bitwise_cast<std::int64_t>(x); }

template <class Step>
Group each(Step step) {
  return {step(0), step(1)};
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
  const Group near =
      each([&](int k) { return (angle[k] - n[k] * Doubles(first)) - n[k] * Doubles(second); });
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

// 1 / (2 pi) in binary, 32 places per word, from 32 places before the point to where the largest
// double's last place still needs them (Payne and Hanek 1983).
constexpr std::uint32_t turns_per_radian[] = {
    0x00000000, 0x28be60db, 0x9391054a, 0x7f09d5f4, 0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea,
    0xf7aef158, 0x6dc91b8e, 0x909374b8, 0x01924bba, 0x82746487, 0x3f877ac7, 0x2c4a69cf, 0xba208d7d,
    0x4baed121, 0x3a671c09, 0xad17df90, 0x4e64758e, 0x60d4ce7d, 0x272117e2, 0xef7e4a0e, 0xc7fe25ff,
    0xf7816603, 0xfbcbc462, 0xd6829b47, 0xdb4d9fb3, 0xc9f2c26d, 0xd3d18fd9, 0xa797fa8b, 0x5d49eeb1,
    0xfaf97c5e, 0xcf41ce7d, 0xe294a4ba, 0x9afed7ec, 0x47e35742, 0x1580cc11};

// 32 places of it from any place on.
std::uint64_t places_from(std::size_t place) {
  const std::size_t word = place / 32, into = place % 32;
  const std::uint64_t first = turns_per_radian[word], second = turns_per_radian[word + 1];
  return (first << 32 | second) << into >> 32;
}

// A far angle less all whole turns, from -pi to pi; any other as it is. A far one is a whole number
// of 53 bits times a power of two, which moves the point of 1 / (2 pi): what then stands before the
// point makes whole turns.
DoubleDouble within_a_turn(double angle) {
  if (std::abs(angle) < largest_reduced) return {angle};
  if (!std::isfinite(angle)) return {std::numeric_limits<double>::quiet_NaN()};
  const auto bits = std::bit_cast<std::uint64_t>(angle);
  const std::size_t place = (bits >> 52 & 2047) - (1023 + 52 - 32);
  const std::uint64_t low = bits & 0xffffffff, high = (bits >> 32 & 0xfffff) | 0x100000;
  std::uint64_t fraction[5], carry = 0;  // of a turn, 32 places each
  for (std::size_t i = 5; i-- > 0;) {
    const std::uint64_t product = low * places_from(place + 32 * i);
    const std::uint64_t sum =
        (product & 0xffffffff) + high * places_from(place + 32 * (i + 1)) + carry;
    fraction[i] = sum & 0xffffffff;
    carry = (product >> 32) + (sum >> 32);
  }
  // The first 53 places as a signed number: more than half a turn is less than none.
  const auto first_places = static_cast<std::int64_t>(fraction[0] << 32 | fraction[1]);
  const double head = static_cast<double>(first_places & -2048);
  const double tail = static_cast<double>(first_places & 2047) +
                      static_cast<double>(fraction[2] << 32 | fraction[3]) * 0x1p-64;
  const DoubleDouble rest =
      normalized(head, tail) * DoubleDouble{0x1.921fb54442d18p-62, 0x1.1a62633145c07p-116};
  return angle < 0 ? DoubleDouble{-rest.head, -rest.tail} : rest;
}

void sincos_group(const double* angles, const double* tails, double* sin, double* cos) {
  const auto lanes = [](const double* from) {
    return each([&](int k) { return Doubles::load_unaligned(from + k * Doubles::size); });
  };
  Group angle = lanes(angles);
  Group tail = tails ? lanes(tails) : each([](int) { return Doubles(0.0); });
  const auto small = [&](int k) { return xsimd::abs(angle[k]) < Doubles(largest_reduced); };
  if (!xsimd::all(small(0) & small(1))) {
    std::array<double, group> near_angles, near_tails;
    for (std::size_t i = 0; i < group; ++i) {
      const DoubleDouble near = within_a_turn(angles[i]);
      const DoubleDouble rest = within_a_turn(tails ? tails[i] : 0.0);
      near_angles[i] = near.head + rest.head;
      near_tails[i] = sum_error(near.head, rest.head, near_angles[i]) + (near.tail + rest.tail);
    }
    angle = lanes(near_angles.data());
    tail = lanes(near_tails.data());
  }
  reduced_sincos(angle, tail, sin, cos);
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

void sincos(std::span<const double> angles, std::span<float> sin, std::span<float> cos) {
  assert(sin.size() == angles.size() && cos.size() == angles.size());
  constexpr std::size_t block = 64;
  std::array<double, block> wide_sin, wide_cos;
  for (std::size_t first = 0; first < angles.size(); first += block) {
    const std::size_t count = std::min(block, angles.size() - first);
    sincos(angles.subspan(first, count), std::span(wide_sin).first(count),
           std::span(wide_cos).first(count));
    std::copy_n(wide_sin.begin(), count, &sin[first]);
    std::copy_n(wide_cos.begin(), count, &cos[first]);
  }
}

}  // namespace ropewalk
