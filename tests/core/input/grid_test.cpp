// Absolute positions in two or more dimensions.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "input/learned.hpp"
#include "input/sinusoidal.hpp"
#include "reference/input.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;

TEST_CASE("a grid cell holds the sinusoid of its column followed by that of its row") {
  const std::size_t dim = GENERATE(4, 8, 64), rows = 3, columns = 5;
  Matrix table(rows * columns, dim), row_first_table = table,
                                     with_class_token(rows * columns + 1, dim, 7.0f);
  sinusoidal_grid(table.view(), rows, columns);
  sinusoidal_grid(row_first_table.view(), rows, columns, {.order = GridOrder::row_first});
  sinusoidal_grid(with_class_token.view(), rows, columns, {.class_token = true});
  Comparison comparison;
  for (std::size_t cell = 0; cell < rows * columns; ++cell) {
    for (std::size_t c = 0; c < dim; ++c) {
      comparison.add(table.at(cell, c), reference::grid(cell / columns, cell % columns, c, dim),
                     1e-7);
      CHECK(row_first_table.at(cell, c) == table.at(cell, (c + dim / 2) % dim));
      CHECK(with_class_token.at(cell + 1, c) == table.at(cell, c));
    }
  }
  CHECK_THAT(comparison, WithinBounds());
  for (std::size_t c = 0; c < dim; ++c) CHECK(with_class_token.at(0, c) == 0.0f);
}

TEST_CASE("the pixels of a masked image are counted along their column and row") {
  const std::size_t rows = 3, columns = 4, dim = 8;
  const std::vector<float> mask = {1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0};
  const double y[] = {1, 1, 1, 0, 2, 2, 2, 0, 2, 3, 2, 0},
               x[] = {1, 2, 3, 3, 1, 2, 3, 3, 0, 1, 1, 1};
  const double last_y[] = {2, 3, 2, 0}, last_x[] = {3, 3, 1};
  Matrix table(dim, rows * columns), scaled = table;
  sinusoidal_mask(table.view(), mask, rows, columns, {.base = 500});
  sinusoidal_mask(scaled.view(), mask, rows, columns, {.normalize = true, .scale = 3.0});
  Comparison comparison;
  for (std::size_t cell = 0; cell < rows * columns; ++cell) {
    for (std::size_t c = 0; c < dim; ++c) {
      comparison.add(table.at(c, cell), reference::pixel(y[cell], x[cell], c, dim, 500), 1e-7);
      const double part_y = y[cell] / (last_y[cell % columns] + 1e-6) * 3.0;
      const double part_x = x[cell] / (last_x[cell / columns] + 1e-6) * 3.0;
      comparison.add(scaled.at(c, cell), reference::pixel(part_y, part_x, c, dim, 10000), 1e-7);
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("Fourier features are coordinates, sines and cosines at bands spread evenly") {
  const std::vector<double> points = {-1, 0.25, 0, 0.5, 1, -0.75}, resolution = {20, 8};
  const double bands[2][3] = {{1, 5.5, 10}, {1, 2.5, 4}};
  const FourierOptions options{.bands = 3};
  CHECK(fourier_width(2, options) == 14);
  Matrix table(3, 14);
  fourier_features(table.view(), points, resolution, options);
  Comparison comparison;
  for (std::size_t point = 0; point < 3; ++point) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double x = points[2 * point + axis];
      CHECK(table.at(point, axis) == static_cast<float>(x));
      for (std::size_t b = 0; b < 3; ++b) {
        const double angle = std::numbers::pi * bands[axis][b] * x;
        comparison.add(table.at(point, 2 + 3 * axis + b), std::sin(angle), 1e-7);
        comparison.add(table.at(point, 8 + 3 * axis + b), std::cos(angle), 1e-7);
      }
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE(
    "coordinates and cosines of Fourier features can be omitted, and one band has frequency 1") {
  const std::vector<double> points = {0.3}, resolution = {20};
  const FourierOptions options{.bands = 1, .with_coordinates = false, .sines_only = true};
  REQUIRE(fourier_width(1, options) == 1);
  Matrix table(1, 1);
  fourier_features(table.view(), points, resolution, options);
  CHECK(std::abs(table.at(0, 0) - std::sin(0.3 * std::numbers::pi)) < 1e-7);
}

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
