#include "base/random.hpp"

#include <algorithm>
#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("random bits are SplitMix64's") {
  Random random(1234567);
  CHECK(random.bits() == 6457827717110365317u);
  CHECK(random.bits() == 3203168211198807973u);
  CHECK(random.bits() == 9817491932198370423u);
}

TEST_CASE("a seed gives the same normal draws in every build") {
  Random random(42);
  std::uint64_t mixed = 0;
  for (int i = 0; i < 100000; ++i) {
    mixed = std::rotl(mixed, 1) ^ std::bit_cast<std::uint64_t>(random.normal());
  }
  CHECK(mixed == 1276290557313435503u);
}

TEST_CASE("uniform draws fill their interval evenly and stay inside") {
  Random random(7);
  const int count = 100000;
  double sum = 0, least = 1, most = -1;
  for (int i = 0; i < count; ++i) {
    const double draw = random.uniform(-1.0, 1.0);
    sum += draw;
    least = std::min(least, draw);
    most = std::max(most, draw);
  }
  CHECK(least >= -1.0);
  CHECK(most < 1.0);
  CHECK(least < -0.999);
  CHECK(most > 0.999);
  CHECK_THAT(sum / count, WithinAbs(0.0, 5 / std::sqrt(3.0 * count)));  // five standard errors
}

TEST_CASE("normal draws have mean 0, variance 1, no skew and a normal's fourth moment") {
  Random random(7);
  const double count = 200000;
  double moments[4] = {};
  for (int i = 0; i < count; ++i) {
    const double draw = random.normal();
    REQUIRE(std::isfinite(draw));
    double power = 1;
    for (double& moment : moments) moment += (power *= draw) / count;
  }
  // Standard errors of the moments of a normal: 1, sqrt 2, sqrt 15, sqrt 96, over sqrt n.
  const double of_one = 5 / std::sqrt(count);
  CHECK_THAT(moments[0], WithinAbs(0.0, of_one));
  CHECK_THAT(moments[1], WithinAbs(1.0, std::sqrt(2.0) * of_one));
  CHECK_THAT(moments[2], WithinAbs(0.0, std::sqrt(15.0) * of_one));
  CHECK_THAT(moments[3], WithinAbs(3.0, std::sqrt(96.0) * of_one));
}
