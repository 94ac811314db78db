#include "rotary/rotate.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

using namespace ropewalk;
using Catch::Matchers::Message;
using enum RotaryLayout;

TEST_CASE("tables as floats are within 1e-7 up to position 2^24, whatever the positions' step") {
  const double start = GENERATE(0.0, -3.5, 131071.0, 16776000.0), step = GENERATE(1.0, 0.25, -2.0);
  const auto frequencies = rotary_frequencies(128, 500000.0);
  std::vector<double> positions(300);
  for (std::size_t r = 0; r < positions.size(); ++r) positions[r] = start + step * double(r);
  positions[150] = 7.0;  // not every block counts up
  const auto table = rotary_table(positions, frequencies);
  double worst = 0;
  for (std::size_t r = 0; r < positions.size(); ++r) {
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const long double angle = (long double)positions[r] * frequencies[i];
      worst = std::max(worst, std::abs(double(table.view().cos.row(r)[i] - std::cos(angle))));
      worst = std::max(worst, std::abs(double(table.view().sin.row(r)[i] - std::sin(angle))));
    }
  }
  CHECK(worst < 1e-7);
}

TEST_CASE("rotation rejects shapes that do not fit") {
  std::vector<float> x(2 * 3 * 4);
  const Heads heads{x.data(), 2, 1, 3, 4};
  const RotaryLayouts layouts{interleaved, interleaved};
  const std::vector<double> four = {0, 1, 2, 3}, two = {1.0, 0.5}, three = {1.0, 0.5, 0.2};
  CHECK_THROWS_MATCHES(rotate_heads(heads, RotaryAngles{4, four, two}, layouts),
                       std::invalid_argument,
                       Message("rotate: positions must number 3 or 6, got 4"));
  CHECK_THROWS_MATCHES(rotate_heads(heads, RotaryAngles{3, three, three}, layouts),
                       std::invalid_argument,
                       Message("rotate: the frequencies rotate 6 values, but a head has 4"));
  const auto table = rotary_table(four, two);
  CHECK_THROWS_MATCHES(
      rotate_heads(heads, table.view(), {std::vector<std::size_t>{0, 4, 1}}, layouts),
      std::invalid_argument,
      Message("rotate: a position must be a row of the table, below 4, got 4"));
  CHECK_THROWS_MATCHES(rotary_table(std::vector{1e16}, two), std::invalid_argument,
                       Message("rotary: positions must lie within 2^53, got 1e+16"));
}
