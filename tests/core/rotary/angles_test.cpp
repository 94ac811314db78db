#include "rotary/angles.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "base/double_double.hpp"
#include "rotary/rotate.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("a product of doubles and its error are the product exactly") {
  const double a = 1099511627779.0, b = 0.86596432336006535;
  const double product = a * b;
  CHECK(product_error(a, b, product) == std::fma(a, b, -product));
  CHECK(product_error(a, b, product) != 0.0);
}

TEST_CASE("tables in double are exact where the angle itself needs more digits than a double has") {
  // cos and sin of 1099511627779 * 0.1 (that double exactly), to 40 digits: mpmath 1.3.0.
  const std::vector<double> positions = {1099511627779.0}, frequencies = {0.1};
  double cos = 0, sin = 0;
  rotary_table({&cos, 1, 1}, {&sin, 1, 1}, RotaryAngles{1, positions, frequencies});
  CHECK_THAT(cos, WithinAbs(0.3351657099567955, 1e-15));
  CHECK_THAT(sin, WithinAbs(-0.9421591940161478, 1e-15));
}

TEST_CASE("exact frequencies carry the digits that a double drops") {
  // 10000^(-2/128) and 500000^(-126/128), to 40 digits: mpmath 1.3.0.
  const auto f = exact_rotary_frequencies(128, 10000.0),
             g = exact_rotary_frequencies(128, 500000.0);
  CHECK(f.heads[0] == 1.0);
  CHECK(f.tails[0] == 0.0);
  CHECK(f.heads[1] == 0.8659643233600653);
  CHECK_THAT(f.tails[1], WithinRel(5.662352160374847e-18, 1e-12));
  CHECK(g.heads[63] == 2.455140791131609e-06);
  CHECK_THAT(g.tails[63], WithinRel(4.710400737850883e-24, 1e-12));
  const auto plain = rotary_frequencies(128);
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK_THAT(plain[i], WithinRel(f.heads[i], 4e-16));
}

TEST_CASE("each pair is rotated by the coordinate of its axis") {
  const std::vector<double> coordinates = {1, 2, 3, 10, 20, 30}, frequencies = {1.0, 0.5, 0.25};
  const std::vector<std::size_t> axis_of_pair = {1, 0, 1};
  std::vector<double> angles(9);
  rotary_angles({angles.data(), 3, 3}, RotaryAngles{3, coordinates, frequencies, axis_of_pair});
  CHECK(angles == std::vector<double>{10, 0.5, 2.5, 20, 1, 5, 30, 1.5, 7.5});
}

TEST_CASE("angles reject axes that positions do not have") {
  const std::vector<double> coordinates = {1, 2, 3}, frequencies = {1.0, 0.5};
  const std::vector<std::size_t> axis_of_pair = {0, 1};
  CHECK_THROWS_MATCHES(check_rotary_angles(RotaryAngles{3, coordinates, frequencies, axis_of_pair}),
                       std::invalid_argument,
                       Message("rotary: a pair belongs to axis 1, but positions have 1"));
  CHECK_THROWS_MATCHES(
      check_rotary_angles(RotaryAngles{2, coordinates, frequencies}), std::invalid_argument,
      Message("rotary: positions must be a whole number of axes of 2 values, got 3"));
}
