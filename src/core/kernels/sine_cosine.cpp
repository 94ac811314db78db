#include "kernels/sine_cosine.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t width = DoubleLanes::size;
using IntegerLanes = xsimd::batch<std::int64_t>;

// pi/2 in three parts. The first two have 29 bits, so that their products with a whole number of
// up to 24 bits are exact; what the third rounds is far below the last bit of a double.
constexpr double quarter_turn_high = 0x1.921fb54p+0;
constexpr double quarter_turn_middle = 0x1.10b4611p-30;
constexpr double quarter_turn_low = 0x1.4c4c6628b80dcp-59;
constexpr double largest_reducible = 0x1p24 * std::numbers::pi / 2;

// Adding it leaves the nearest whole number, as an integer, in the lowest bits.
constexpr double rounder = 0x1.8p52;

// Taylor's coefficients about 0 of x^last, x^(last - 2), ...: of the sine for odd `last`, of the
// cosine for even.
template <std::size_t terms>
constexpr std::array<double, terms> series(int last) {
  std::array<double, terms> coefficients{};
  for (double& coefficient : coefficients) {
    double factorial = 1.0;
    for (int n = 2; n <= last; ++n) factorial *= n;
    coefficient = (last % 4 < 2 ? 1.0 : -1.0) / factorial;
    last -= 2;
  }
  return coefficients;
}

// On [-pi/4, pi/4] what is cut off is below 5e-17.
constexpr auto sine_series = series<7>(15);
constexpr auto cosine_series = series<8>(16);

// Angles that go through each step together: one wait hides another, and engines that build a
// constant anew wherever it is used build it once for all of them.
constexpr std::size_t together = 4;
constexpr std::size_t group = together * width;
using Group = std::array<DoubleLanes, together>;

template <class Step>
Group each(Step step) {
  return {step(0), step(1), step(2), step(3)};
}

template <std::size_t terms>
Group horner(const std::array<double, terms>& coefficients, const Group& x) {
  Group sum;
  sum.fill(DoubleLanes(coefficients[0]));
  for (std::size_t i = 1; i < terms; ++i) {
    sum = each([&](int k) { return sum[k] * x[k] + DoubleLanes(coefficients[i]); });
  }
  return sum;
}

// x, negated in the lanes where bit 1 of `count` is set.
DoubleLanes negated_by_bit_1(DoubleLanes x, IntegerLanes count) {
  const IntegerLanes sign = (count & IntegerLanes(2)) << 62;
  return xsimd::bitwise_cast<double>(xsimd::bitwise_cast<std::int64_t>(x) ^ sign);
}

// Takes out whole quarter turns, which only swap and negate sine and cosine.
void reduce_and_evaluate(const Group& angle, double* sines, double* cosines) {
  const DoubleLanes per_radian(2.0 / std::numbers::pi), round(rounder);
  const Group shifted = each([&](int k) { return angle[k] * per_radian + round; });
  const Group rest = each([&](int k) {
    const DoubleLanes quarters = shifted[k] - round;
    const DoubleLanes high = angle[k] - quarters * DoubleLanes(quarter_turn_high);
    const DoubleLanes middle = high - quarters * DoubleLanes(quarter_turn_middle);
    return middle - quarters * DoubleLanes(quarter_turn_low);
  });
  const Group square = each([&](int k) { return rest[k] * rest[k]; });
  const Group sine = horner(sine_series, square), cosine = horner(cosine_series, square);
  for (std::size_t k = 0; k < together; ++k) {
    const DoubleLanes s = rest[k] + rest[k] * square[k] * sine[k];
    const DoubleLanes c = DoubleLanes(1.0) + square[k] * cosine[k];
    const IntegerLanes count = xsimd::bitwise_cast<std::int64_t>(shifted[k]);
    const auto odd = xsimd::batch_bool_cast<double>((count & IntegerLanes(1)) == IntegerLanes(1));
    const DoubleLanes swapped_s = xsimd::select(odd, c, s), swapped_c = xsimd::select(odd, s, c);
    negated_by_bit_1(swapped_s, count).store_unaligned(sines + k * width);
    negated_by_bit_1(swapped_c, count + IntegerLanes(1)).store_unaligned(cosines + k * width);
  }
}

void evaluate(const double* angles, double* sines, double* cosines) {
  const Group angle = each([&](int k) { return load(angles + k * width); });
  bool reducible = true;
  for (const DoubleLanes& part : angle) {
    reducible &= xsimd::all(xsimd::abs(part) <= DoubleLanes(largest_reducible));
  }
  if (reducible) return reduce_and_evaluate(angle, sines, cosines);
  for (std::size_t i = 0; i < group; ++i) {
    sines[i] = std::sin(angles[i]);
    cosines[i] = std::cos(angles[i]);
  }
}

struct Sum {
  DoubleLanes sine, cosine;
};

Sum sum_at(const Turns& a, const Turns& b, std::size_t i) {
  const DoubleLanes sine_a = load(&a.sines[i]), cosine_a = load(&a.cosines[i]);
  const DoubleLanes sine_b = load(&b.sines[i]), cosine_b = load(&b.cosines[i]);
  return {sine_a * cosine_b + cosine_a * sine_b, cosine_a * cosine_b - sine_a * sine_b};
}

}  // namespace

void sines_and_cosines(std::span<const double> angles, std::span<double> sines,
                       std::span<double> cosines) {
  assert(angles.size() == sines.size() && angles.size() == cosines.size());
  const std::size_t body = angles.size() - angles.size() % group;
  for (std::size_t i = 0; i < body; i += group) evaluate(&angles[i], &sines[i], &cosines[i]);
  if (body == angles.size()) return;

  double rest[group] = {}, sine[group], cosine[group];  // filled up with zeros
  std::ranges::copy(angles.subspan(body), rest);
  evaluate(rest, sine, cosine);
  std::copy_n(sine, angles.size() - body, &sines[body]);
  std::copy_n(cosine, angles.size() - body, &cosines[body]);
}

Turns::Turns(std::span<const double> angles) : sines(angles.size()), cosines(angles.size()) {
  sines_and_cosines(angles, sines, cosines);
}

void write_sums(const Turns& a, const Turns& b, std::size_t count, float* sines, float* cosines) {
  const std::size_t body = count - count % width;
  for (std::size_t i = 0; i < body; i += width) {
    const Sum sum = sum_at(a, b, i);
    store_narrowed(sines + i, sum.sine);
    store_narrowed(cosines + i, sum.cosine);
  }
  for (std::size_t i = body; i < count; ++i) {
    sines[i] = static_cast<float>(sine_of_sum(a, b, i));
    cosines[i] = static_cast<float>(cosine_of_sum(a, b, i));
  }
}

void write_sums_in_pairs(const Turns& a, const Turns& b, std::size_t count, float* pairs,
                         bool cosine_first) {
  const std::size_t body = count - count % width;
  const std::size_t sine_in_pair = cosine_first ? 1 : 0;
  for (std::size_t i = 0; i < body; i += width) {
    const Sum sum = sum_at(a, b, i);
    if (cosine_first) store_narrowed_pairs(pairs + 2 * i, sum.cosine, sum.sine);
    else store_narrowed_pairs(pairs + 2 * i, sum.sine, sum.cosine);
  }
  for (std::size_t i = body; i < count; ++i) {
    pairs[2 * i + sine_in_pair] = static_cast<float>(sine_of_sum(a, b, i));
    pairs[2 * i + 1 - sine_in_pair] = static_cast<float>(cosine_of_sum(a, b, i));
  }
}

}  // namespace ropewalk
