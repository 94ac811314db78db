#include "kernels/sincos.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "base/random.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("sincos is within 3e-16 for every count, size of angle and tail") {
  const std::size_t count = GENERATE(0, 1, 2, 3, 7, 64, 1001);
  const double largest = GENERATE(1e-300, 1e-8, 0.8, 7.0, 1e4, 6.7e7, 6.8e7, 1e12, 1e300);
  Random random(count + 1);
  std::vector<double> angles(count), tails(count), sin(count), cos(count);
  for (std::size_t i = 0; i < count; ++i) {
    angles[i] = random.uniform(-largest, largest);
    tails[i] = random.uniform(-0.5, 0.5) *
               (std::nextafter(std::abs(angles[i]), 1e308) - std::abs(angles[i]));
    if (largest > 1e20) tails[i] = 0.25;  // beyond, a tail is no longer a small angle
  }
  sincos(angles, tails, sin, cos);
  for (std::size_t i = 0; i < count; ++i) {
    const long double s = std::sin((long double)angles[i]), c = std::cos((long double)angles[i]);
    const long double st = std::sin((long double)tails[i]), ct = std::cos((long double)tails[i]);
    CHECK_THAT(sin[i], WithinAbs(double(s * ct + c * st), 3e-16));
    CHECK_THAT(cos[i], WithinAbs(double(c * ct - s * st), 3e-16));
  }
}

TEST_CASE("sincos is exact at large reference angles and at multiples of a quarter turn") {
  const std::vector<double> angles = {
      15962, 131071, 1e6, 0.0, -0.0, 1.5707963267948966, 3.141592653589793};
  std::vector<double> sin(angles.size()), cos(angles.size());
  sincos(angles, sin, cos);
  CHECK_THAT(cos[0], WithinAbs(-0.908015901, 1e-9));
  CHECK_THAT(sin[0], WithinAbs(0.418935703, 1e-9));
  CHECK_THAT(cos[1], WithinAbs(-0.817983499, 1e-9));
  CHECK_THAT(sin[1], WithinAbs(-0.575241684, 1e-9));
  CHECK_THAT(cos[2], WithinAbs(0.936752128, 1e-9));
  CHECK_THAT(sin[2], WithinAbs(-0.349993502, 1e-9));
  CHECK(sin[3] == 0.0);
  CHECK(cos[3] == 1.0);
  CHECK(sin[4] == 0.0);
  CHECK_THAT(cos[5], WithinAbs(6.123233995736766e-17, 1e-32));
  CHECK_THAT(sin[6], WithinAbs(1.2246467991473532e-16, 1e-31));
}

TEST_CASE("sincos of infinity and NaN is NaN") {
  const std::vector<double> angles = {HUGE_VAL, std::nan(""), 1.0};
  std::vector<double> sin(3), cos(3);
  sincos(angles, sin, cos);
  CHECK(std::isnan(sin[0]));
  CHECK(std::isnan(cos[1]));
  CHECK_THAT(sin[2], WithinAbs(0.8414709848078965, 3e-16));
}

TEST_CASE("sincos of a large angle is right in every lane, beside small angles and beside NaN") {
  for (std::size_t far = 0; far < 32; ++far) {
    for (std::size_t apart = 1; apart < 32; ++apart) {
      std::vector<double> angles(32), sin(32), cos(32);
      for (std::size_t i = 0; i < 32; ++i) angles[i] = static_cast<double>(i);
      angles[far] = 1e12;
      angles[(far + apart) % 32] = std::nan("");
      sincos(angles, sin, cos);
      for (std::size_t i = 0; i < 32; ++i) {
        if (std::isnan(angles[i])) continue;
        CHECK_THAT(sin[i], WithinAbs(std::sin(angles[i]), 4e-16));
        CHECK_THAT(cos[i], WithinAbs(std::cos(angles[i]), 4e-16));
      }
    }
  }
}

TEST_CASE("sincos as floats is that of doubles, rounded, at every count") {
  const std::size_t count = GENERATE(0, 1, 63, 64, 65, 1001);
  Random random(count + 1);
  std::vector<double> angles(count), sin(count), cos(count);
  for (double& angle : angles) angle = random.uniform(-1e4, 1e4);
  sincos(angles, sin, cos);
  std::vector<float> narrow_sin(count), narrow_cos(count);
  sincos(angles, narrow_sin, narrow_cos);
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(narrow_sin[i] == static_cast<float>(sin[i]));
    CHECK(narrow_cos[i] == static_cast<float>(cos[i]));
  }
}
