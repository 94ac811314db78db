// Absolute positions in two or more dimensions.
#include <catch_amalgamated.hpp>
#include <vector>

#include "input/learned.hpp"
#include "input/sinusoidal.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;

TEST_CASE("grids and Fourier features reject invalid arguments") {
  Matrix table(6, 6), fitting(5, 8), channels(8, 6);
  const std::vector<float> mask(5, 1.0f);
  CHECK_THROWS_MATCHES(sinusoidal_grid(table.view(), 2, 3), std::invalid_argument,
                       Message("sinusoidal_grid: dim must be a positive multiple of 4, got 6"));
  CHECK_THROWS_MATCHES(sinusoidal_grid(fitting.view(), 2, 3), std::invalid_argument,
                       Message("sinusoidal_grid: table must be 6 x 8, got 5 x 8"));
  CHECK_THROWS_MATCHES(sinusoidal_mask(table.view(), mask, 1, 5), std::invalid_argument,
                       Message("sinusoidal_mask: dim must be a positive multiple of 4, got 6"));
  CHECK_THROWS_MATCHES(sinusoidal_mask(channels.view(), mask, 2, 3), std::invalid_argument,
                       Message("sinusoidal_mask: mask and table must have 6 cells, got 5 and 6"));
  const std::vector<double> points = {1, 2, 3}, none;
  CHECK_THROWS_MATCHES(
      fourier_features(table.view(), points, none, {.bands = 2}), std::invalid_argument,
      Message("fourier_features: there must be at least one axis and one band, got 0 and 2"));
  CHECK_THROWS_MATCHES(
      fourier_features(table.view(), points, points, {.bands = 2}), std::invalid_argument,
      Message("fourier_features: the table must be points x 15, got 6 x 6 for 3 coordinates"));
}
