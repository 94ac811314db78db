#include "rotary/axes.hpp"

#include <catch_amalgamated.hpp>
#include <numbers>
#include <vector>

#include "rotary/rotate.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Axes = std::vector<std::size_t>;

namespace {

std::vector<double> positions_of(const GridOptions& options) {
  std::vector<double> positions(2 * grid_tokens(options));
  grid_positions(options, positions);
  return positions;
}

}  // namespace

TEST_CASE("axes repeat the frequencies of their own width, or interleave those of the head") {
  const auto repeated = axial_frequencies(8, 2, 10000.0, AxialSplit::repeated);
  CHECK(repeated.axis_of_pair == Axes{0, 0, 1, 1});
  const std::vector<double> own = rotary_frequencies(4);
  CHECK(repeated.frequencies == std::vector{own[0], own[1], own[0], own[1]});

  const auto interleaved = axial_frequencies(10, 2, 10000.0, AxialSplit::interleaved);
  const std::vector<double> all = rotary_frequencies(10);
  CHECK(interleaved.axis_of_pair == Axes{0, 0, 0, 1, 1});
  CHECK(interleaved.frequencies == std::vector{all[0], all[2], all[4], all[1], all[3]});
}

TEST_CASE("counts whose products or sums overflow 32 bits are rejected at once") {
  const std::size_t half = std::size_t{1} << 31;
  CHECK_THROWS_MATCHES(
      axial_frequencies(8, half, 100.0, AxialSplit::repeated), std::invalid_argument,
      Message("axial_frequencies: dim must be a multiple of 2 * axes = 4294967296, got 8"));
  CHECK(axial_frequencies(8, half, 100.0, AxialSplit::interleaved).axis_of_pair ==
        Axes{0, 1, 2, 3});
  CHECK_THROWS_MATCHES(
      section_axes(2, Axes{half, half, 2}, SectionOrder::consecutive), std::invalid_argument,
      Message("section_axes: the sections must add up to the number of pairs, 2, got 4294967298"));
}

TEST_CASE("sections give each axis its pairs, consecutive or interleaved") {
  const auto consecutive = section_axes(8, Axes{2, 3, 3}, SectionOrder::consecutive);
  CHECK(consecutive == Axes{0, 0, 1, 1, 1, 2, 2, 2});

  const auto in_turn = section_axes(64, Axes{24, 20, 20}, SectionOrder::interleaved);
  for (std::size_t i = 0; i < 60; ++i) CHECK(in_turn[i] == i % 3);
  for (std::size_t i = 60; i < 64; ++i) CHECK(in_turn[i] == 0);

  CHECK_THROWS_MATCHES(
      section_axes(8, Axes{2, 3, 2}, SectionOrder::consecutive), std::invalid_argument,
      Message("section_axes: the sections must add up to the number of pairs, 8, got 7"));
}

TEST_CASE("pixel frequencies run from pi to pi times half the largest") {
  const auto f = pixel_frequencies(16, 10.0);
  REQUIRE(f.size() == 8);
  CHECK_THAT(f[0], WithinAbs(3.14159, 1e-5));
  CHECK_THAT(f[1], WithinAbs(4.93679, 1e-5));
  CHECK_THAT(f[2], WithinAbs(6.73198, 1e-5));
  CHECK_THAT(f[7], WithinAbs(5 * std::numbers::pi, 1e-12));
  CHECK(pixel_frequencies(2, 10.0) == std::vector{std::numbers::pi});
}

TEST_CASE(
    "grids count their cells row by row or square by square, tokens at the origin around them") {
  CHECK(positions_of({.height = 2, .width = 3}) ==
        std::vector<double>{0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2});
  CHECK(positions_of({.height = 2, .width = 4, .block = 2}) ==
        std::vector<double>{0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(positions_of({.frames = 2, .height = 1, .width = 2}) ==
        std::vector<double>{0, 0, 0, 0, 0, 1, 0, 1});
  CHECK(positions_of({.height = 1,
                      .width = 2,
                      .coordinate = GridCoordinate::number,
                      .is_column_first = true,
                      .before = 1,
                      .after = 1}) == std::vector<double>{0, 1, 2, 0, 0, 1, 1, 0});
  CHECK(positions_of({.height = 1, .width = 4, .coordinate = GridCoordinate::center}) ==
        std::vector<double>{0, 0, 0, 0, -0.75, -0.25, 0.25, 0.75});
  CHECK(positions_of({.height = 1, .width = 3, .coordinate = GridCoordinate::edge}) ==
        std::vector<double>{-1, -1, -1, -1, 0, 1});
  CHECK_THROWS_MATCHES(
      grid_tokens({.height = 3, .width = 4, .block = 2}), std::invalid_argument,
      Message("grid_positions: height and width must be multiples of the block, 2, got 3 x 4"));
}
