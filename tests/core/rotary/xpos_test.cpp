#include "rotary/angles.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "reference/rotary.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

// What one pair contributes to a score: the scale of the query times that of the key.
double product_of_scales(double m, double n, double center) {
  double query = 1.0, key = 1.0, unused = 0.0;
  scale_xpos({&query, 1, 1}, {&unused, 1, 1}, std::vector{m}, XposRole::query, {.center = center});
  scale_xpos({&key, 1, 1}, {&unused, 1, 1}, std::vector{n}, XposRole::key, {.center = center});
  return query * key;
}

}  // namespace

TEST_CASE("xPos scales each pair by its zeta to the power of the distance from the center") {
  const auto decays = xpos_decays(32);
  CHECK_THAT(decays[0], WithinAbs(0.285714286, 1e-9));
  CHECK_THAT(decays[15], WithinAbs(0.620535714, 1e-9));
  CHECK_THAT(decays[31], WithinAbs(0.977678571, 1e-9));

  std::vector<double> cos(2 * 32, 1.0), sin(2 * 32, -0.5);
  scale_xpos({cos.data(), 2, 32}, {sin.data(), 2, 32}, std::vector{74.0, -20.0}, XposRole::query,
             {.center = 10.0});
  CHECK_THAT(cos[0], WithinAbs(0.855049967, 1e-9));
  for (std::size_t i = 0; i < 32; ++i) {
    CHECK_THAT(cos[i], WithinRel(reference::xpos_scale(i, 32, 0.4, 64.0 / 512.0), 1e-14));
    CHECK_THAT(sin[32 + i],
               WithinRel(-0.5 * reference::xpos_scale(i, 32, 0.4, -30.0 / 512.0), 1e-14));
  }
}

TEST_CASE(
    "C20 the scales of xPos depend on the distance alone, whatever center a cache has fixed") {
  const double expected = std::pow(0.4 / 1.4, 64.0 / 512.0);
  for (double center : {0.0, 512.0, 4000.0}) {
    for (double n : {0.0, 100.0, 5000.0}) {
      CHECK_THAT(product_of_scales(n + 64, n, center), WithinRel(expected, 1e-12));
    }
  }
}

TEST_CASE("xPos rejects a position whose scale no float can hold") {
  double cos = 1, sin = 0;
  const auto at = [&](double position) {
    scale_xpos({&cos, 1, 1}, {&sin, 1, 1}, std::vector{position}, XposRole::key);
  };
  CHECK_NOTHROW(at(35000));
  CHECK_THROWS_MATCHES(
      at(36000), std::invalid_argument,
      Message("xpos: positions must lie within 35556.60657 of center, got 36000 with center 0"));
}
