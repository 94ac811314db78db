#include "base/elementary.hpp"

#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "base/random.hpp"

using namespace ropewalk;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// x86's long double tells where between two doubles the truth lies. Elsewhere the library answers
// in double, and may itself be off by one unit.
constexpr bool is_exact = std::numeric_limits<long double>::digits == 64;
constexpr double allowed = is_exact ? 0.7 : 1.0, allowed_tangent = is_exact ? 3.0 : 4.0;

double units_off(double found, long double truth) {
  const double nearest = std::abs(static_cast<double>(truth));
  const double unit = std::nextafter(nearest, infinity) - nearest;
  return static_cast<double>(std::abs(found - truth) / unit);
}

// A number of any magnitude and sign.
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
    see(portable::exp(700 * x), std::exp(static_cast<double>(700 * x) * 1.0L));
    see(portable::exp(x), std::exp(x));
    see(portable::exp2(1000 * x), std::exp2(static_cast<double>(1000 * x) * 1.0L));
    see(portable::log(any_size), std::log(any_size));
    see(portable::log(1 + x / 4), std::log(static_cast<double>(1 + x / 4) * 1.0L));
    see(portable::log2(any_size), std::log2(any_size));
    see(portable::log2(1 + x / 4), std::log2(static_cast<double>(1 + x / 4) * 1.0L));
    see(portable::log1p(std::abs(small)), std::log1p(std::abs(small)));
    see(portable::pow(any_size, x), std::pow(any_size, x));
    see(portable::pow(tame, 100 * x), std::pow(tame, static_cast<double>(100 * x) * 1.0L));
    worst_tangent = std::max(worst_tangent, units_off(portable::tanh(x), std::tanh(x)));
    worst_tangent = std::max(worst_tangent, units_off(portable::tanh(small), std::tanh(small)));
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
    for (const double value :
         {portable::exp(x), portable::exp2(x), portable::log(positive), portable::log2(positive),
          portable::log1p(positive), portable::pow(positive, x), portable::tanh(x)}) {
      mix(value);
    }
  }
  CHECK(mixed == 5113794342124410715u);
}

TEST_CASE("whole powers of two and of ten are exact") {
  for (int n = -1074; n < 1024; ++n) {
    CHECK(portable::exp2(n) == std::ldexp(1.0, n));
    CHECK(portable::log2(std::ldexp(1.0, n)) == n);
  }
  double ten = 1;
  for (int n = 0; n <= 22; ++n, ten *= 10) CHECK(portable::pow(10, n) == ten);
}

TEST_CASE("elementary functions at the ends of their ranges") {
  const double nan = std::nan("");
  CHECK(portable::exp(0) == 1);
  CHECK(portable::exp(infinity) == infinity);
  CHECK(portable::exp(-infinity) == 0);
  CHECK(portable::exp(710) == infinity);
  CHECK(portable::exp(-746) == 0);
  CHECK(portable::exp(-745) == 0x1p-1074);
  CHECK(portable::log(1) == 0);
  CHECK(portable::log(0) == -infinity);
  CHECK(portable::log(infinity) == infinity);
  CHECK(portable::log1p(-1) == -infinity);
  CHECK(portable::log1p(infinity) == infinity);
  CHECK(portable::log2(infinity) == infinity);
  CHECK(portable::pow(0, 2) == 0);
  CHECK(portable::pow(0, -2) == infinity);
  CHECK(portable::pow(0, 0) == 1);
  CHECK(portable::pow(1, 1e308) == 1);
  CHECK(portable::pow(0.5, 1e308) == 0);
  CHECK(portable::pow(2, 1e308) == infinity);
  CHECK(portable::pow(infinity, 0.5) == infinity);
  CHECK(portable::pow(infinity, -0.5) == 0);
  CHECK(portable::tanh(infinity) == 1);
  CHECK(portable::tanh(-infinity) == -1);
  CHECK(std::signbit(portable::tanh(-0.0)));
  CHECK(std::isnan(portable::log(-1)));
  CHECK(std::isnan(portable::pow(-2, 0.5)));
  for (const double value : {portable::exp(nan), portable::exp2(nan), portable::log(nan),
                             portable::log2(nan), portable::log1p(nan), portable::pow(nan, 1),
                             portable::pow(1.5, nan), portable::tanh(nan)}) {
    CHECK(std::isnan(value));
  }
}
