#include "base/elementary.hpp"

#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "base/random.hpp"

using namespace ropewalk;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// x86's long double tells where between two doubles the truth lies. Elsewhere the library answers in
// double, and may itself be off by one unit.
constexpr bool is_exact = std::numeric_limits<long double>::digits == 64;
constexpr double allowed = is_exact ? 0.7 : 1.0, allowed_tangent = is_exact ? 3.0 : 4.0;

double units_off(double found, long double truth) {
  const double nearest = std::abs(static_cast<double>(truth));
  const double unit = std::nextafter(nearest, infinity) - nearest;
  return static_cast<double>(std::abs(found - truth) / unit);
}

// Of any size, with either sign.
double any(Random& random, double digits) {
  const double size = std::pow(10.0, random.uniform(-digits, digits));
  return random.uniform() < 0.5 ? -size : size;
}

}  // namespace

TEST_CASE("elementary functions are within 0.7 units of the last place") {
  Random random(1);
  double worst = 0, worst_tangent = 0;
  const auto see = [&](double found, long double truth) {
    worst = std::max(worst, units_off(found, truth));
  };
  for (int i = 0; i < 200000; ++i) {
    const long double x = random.uniform(-1, 1), any_size = std::abs(any(random, 300));
    const long double tame = std::abs(any(random, 3)), small = any(random, 20);
    see(exponential(700 * x), std::exp(static_cast<double>(700 * x) * 1.0L));
    see(exponential(x), std::exp(x));
    see(exponential_base_2(1000 * x), std::exp2(static_cast<double>(1000 * x) * 1.0L));
    see(logarithm(any_size), std::log(any_size));
    see(logarithm(1 + x / 4), std::log(static_cast<double>(1 + x / 4) * 1.0L));
    see(logarithm_base_2(any_size), std::log2(any_size));
    see(logarithm_base_2(1 + x / 4), std::log2(static_cast<double>(1 + x / 4) * 1.0L));
    see(logarithm_of_1_plus(std::abs(small)), std::log1p(std::abs(small)));
    see(power(any_size, x), std::pow(any_size, x));
    see(power(tame, 100 * x), std::pow(tame, static_cast<double>(100 * x) * 1.0L));
    worst_tangent = std::max(worst_tangent, units_off(hyperbolic_tangent(x), std::tanh(x)));
    worst_tangent = std::max(worst_tangent, units_off(hyperbolic_tangent(small), std::tanh(small)));
  }
  CHECK(worst <= allowed);
  CHECK(worst_tangent <= allowed_tangent);
}

TEST_CASE("elementary functions give the same bits in every build") {
  Random random(3);
  std::uint64_t mixed = 0;
  const auto mix = [&](double value) {
    mixed = std::rotl(mixed, 1) ^ std::bit_cast<std::uint64_t>(value);
  };
  for (int i = 0; i < 20000; ++i) {
    const double x = random.uniform(-9, 9), positive = random.uniform(0, 1e4);
    for (const double value : {exponential(x), exponential_base_2(x), logarithm(positive),
                               logarithm_base_2(positive), logarithm_of_1_plus(positive),
                               power(positive, x), hyperbolic_tangent(x)}) {
      mix(value);
    }
  }
  CHECK(mixed == 5113794342124410715u);
}

TEST_CASE("whole powers of two and of ten are exact") {
  for (int n = -1074; n < 1024; ++n) {
    CHECK(exponential_base_2(n) == std::ldexp(1.0, n));
    CHECK(logarithm_base_2(std::ldexp(1.0, n)) == n);
  }
  double ten = 1;
  for (int n = 0; n <= 22; ++n, ten *= 10) CHECK(power(10, n) == ten);
}

TEST_CASE("elementary functions at the ends of their ranges") {
  const double nan = std::nan("");
  CHECK(exponential(0) == 1);
  CHECK(exponential(infinity) == infinity);
  CHECK(exponential(-infinity) == 0);
  CHECK(exponential(710) == infinity);
  CHECK(exponential(-746) == 0);
  CHECK(exponential(-745) == 0x1p-1074);
  CHECK(logarithm(1) == 0);
  CHECK(logarithm(0) == -infinity);
  CHECK(logarithm(infinity) == infinity);
  CHECK(logarithm_of_1_plus(-1) == -infinity);
  CHECK(logarithm_of_1_plus(infinity) == infinity);
  CHECK(logarithm_base_2(infinity) == infinity);
  CHECK(power(0, 2) == 0);
  CHECK(power(0, -2) == infinity);
  CHECK(power(0, 0) == 1);
  CHECK(power(1, 1e308) == 1);
  CHECK(power(0.5, 1e308) == 0);
  CHECK(power(2, 1e308) == infinity);
  CHECK(power(infinity, 0.5) == infinity);
  CHECK(power(infinity, -0.5) == 0);
  CHECK(hyperbolic_tangent(infinity) == 1);
  CHECK(hyperbolic_tangent(-infinity) == -1);
  CHECK(std::signbit(hyperbolic_tangent(-0.0)));
  CHECK(std::isnan(logarithm(-1)));
  CHECK(std::isnan(power(-2, 0.5)));
  for (const double value : {exponential(nan), exponential_base_2(nan), logarithm(nan),
                             logarithm_base_2(nan), logarithm_of_1_plus(nan), power(nan, 1),
                             power(1.5, nan), hyperbolic_tangent(nan)}) {
    CHECK(std::isnan(value));
  }
}
