#include "base/elementary.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/double_double.hpp"

namespace ropewalk {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ln_2 + ln_2_rest is ln 2 to 2^-97. ln_2 has 42 bits: its products with integers below 2^11 are
// exact.
constexpr double ln_2 = 0x1.62e42fefa38p-1, ln_2_rest = 0x1.ef35793c7673p-45;

// Returns a + b as a rounded sum and its error, for |a| >= |b| or a = 0.
DoubleDouble sum_of(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

template <std::size_t count>
double polynomial(double x, const std::array<double, count>& terms) {
  double sum = 0.0;
  for (std::size_t i = count; i-- > 0;) sum = sum * x + terms[i];
  return sum;
}

// The terms 1/5, 1/7, ... of the series of atanh, without the first two. Their error is below 2^-66
// for |x| <= 3 - 2 sqrt 2.
constexpr auto atanh_terms = [] {
  std::array<double, 11> terms;
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = 1.0 / (2.0 * double(i) + 5.0);
  return terms;
}();

// The terms 1/2!, 1/3!, ... of the series of exp, without 1 + x. Their error is below 2^-57 for
// |x| <= ln(2) / 2.
constexpr auto exponential_terms = [] {
  std::array<double, 12> terms;
  double factorial = 1.0;
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = 1.0 / (factorial *= double(i) + 2.0);
  return terms;
}();

// Returns ln m = 2 atanh(s) with s = (m - 1) / (m + 1), for m between sqrt(1/2) and sqrt 2.
DoubleDouble logarithm_near_1(double m) {
  const double difference = m - 1.0;
  const DoubleDouble sum = sum_of(1.0, m);
  const double ratio = difference / sum.head, product = ratio * sum.head;
  const double product_rest = product_error(ratio, sum.head, product) + ratio * sum.tail;
  const DoubleDouble s = normalized(ratio, (difference - product - product_rest) / sum.head);
  const DoubleDouble square = s * s;
  DoubleDouble slope = sum_of(1.0 / 3.0, square.head * polynomial(square.head, atanh_terms));
  slope.tail += 0x1.5555555555555p-56;  // 1/3 minus its double
  slope = square * slope;
  DoubleDouble factor = sum_of(1.0, slope.head);
  factor.tail += slope.tail;
  return DoubleDouble{2.0 * s.head, 2.0 * s.tail} * factor;
}

DoubleDouble logarithm_of(double x) {
  if (x == 0.0) return {-infinity};
  if (!(x > 0.0 && x < infinity)) return {x < 0.0 ? std::numeric_limits<double>::quiet_NaN() : x};
  double power = 0.0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    power = -54.0;
  }
  const auto bits = std::bit_cast<std::int64_t>(x);
  const std::int64_t exponent = (bits - std::bit_cast<std::int64_t>(0x1.6a09e667f3bcdp-1)) >> 52;
  const DoubleDouble rest = logarithm_near_1(std::bit_cast<double>(bits - (exponent << 52)));
  power += static_cast<double>(exponent);
  const DoubleDouble sum = sum_of(power * ln_2, rest.head);
  return normalized(sum.head, sum.tail + (rest.tail + power * ln_2_rest));
}

// exp(x) = 2^power (1 + excess.head + excess.tail)
struct Exponential {
  double power;
  DoubleDouble excess;
};

Exponential exponential_parts(DoubleDouble x) {
  const double power = std::nearbyint(x.head / (ln_2 + ln_2_rest));
  const DoubleDouble rest = sum_of(x.head - power * ln_2, x.tail - power * ln_2_rest);
  const double higher_terms = rest.head * rest.head * polynomial(rest.head, exponential_terms);
  return {power, {rest.head, higher_terms + (rest.tail + rest.tail * rest.head)}};
}

double exponential_of(DoubleDouble x) {
  if (!(std::abs(x.head) < 800.0)) return x.head > 0.0 ? infinity : x.head < 0.0 ? 0.0 : x.head;
  const auto [power, excess] = exponential_parts(x);
  const DoubleDouble sum = sum_of(1.0, excess.head);
  return std::ldexp(sum.head + (sum.tail + excess.tail), static_cast<int>(power));
}

// Returns exp(a b). Where that is 0 or infinite, the error of the product is not used.
double exponential_of_product(double a, DoubleDouble b) {
  const double head = a * b.head;
  const bool is_out_of_range = !(std::abs(head) < 800.0);
  const double tail = is_out_of_range ? 0.0 : product_error(a, b.head, head) + a * b.tail;
  return exponential_of({head, tail});
}

// exp(x) - 1
double exponential_excess(double x) {
  if (std::abs(x) > 0.34) return portable::exp(x) - 1.0;
  const DoubleDouble excess = exponential_parts({x}).excess;
  return excess.head + excess.tail;
}

}  // namespace

double portable::exp(double x) { return exponential_of({x}); }

double portable::exp2(double x) {
  return exponential_of_product(x, {ln_2 + ln_2_rest, (ln_2 - (ln_2 + ln_2_rest)) + ln_2_rest});
}

double portable::log(double x) { return logarithm_of(x).head; }

double portable::log2(double x) {
  const DoubleDouble ln = logarithm_of(x);
  if (!std::isfinite(ln.head)) return ln.head;
  return (ln * DoubleDouble{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}).head;
}

double portable::log1p(double x) {
  const double sum = 1.0 + x;
  const DoubleDouble ln = logarithm_of(sum);
  if (!std::isfinite(ln.head)) return ln.head;
  return ln.head + (ln.tail + sum_error(1.0, x, sum) / sum);
}

double portable::pow(double base, double exponent) {
  if (exponent == 0.0 || base == 1.0) return 1.0;
  return exponential_of_product(exponent, logarithm_of(base));
}

double portable::tanh(double x) {
  const double excess = exponential_excess(2.0 * std::abs(x));
  return std::copysign(excess < 1.0 ? excess / (excess + 2.0) : 1.0 - 2.0 / (excess + 2.0), x);
}

std::vector<double> geometric_frequencies(std::size_t count, double base, double steps,
                                          std::size_t first) {
  std::vector<double> frequencies(count, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    const double exponent = static_cast<double>(first + i);
    if (exponent > 0.0) frequencies[i] = portable::pow(base, -exponent / steps);
  }
  return frequencies;
}

}  // namespace ropewalk
