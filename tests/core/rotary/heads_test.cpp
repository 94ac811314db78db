#include "rotary/rotate.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "reference/rotary.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using enum RotaryLayout;

namespace {

reference::Places places_of(RotaryLayout layout) {
  return layout == interleaved ? reference::interleaved_pair : reference::half_split_pair;
}

}  // namespace

TEST_CASE("C22 the two pairings are one rotation of reordered values, of any part of a head") {
  const std::size_t dim = GENERATE(2, 8, 10, 64), rotary_dim = GENERATE(0, 2, 6, 8);
  if (rotary_dim > dim) return;
  const auto head = random_floats(3 * dim, 8);
  std::vector<float> split(head.size()), back(head.size());
  convert_rotary_layout(split, head, dim, 1, rotary_dim, {interleaved, half_split});
  convert_rotary_layout(back, split, dim, 1, rotary_dim, {half_split, interleaved});
  CHECK(back == head);
  const auto table =
      rotary_table(std::vector{9.0, 1.0, 400.0}, std::vector<double>(rotary_dim / 2, 0.3));
  std::vector<float> by_pairs = head, expected(head.size());
  rotate({by_pairs.data(), 3, dim}, table, interleaved);
  rotate({split.data(), 3, dim}, table, half_split);
  convert_rotary_layout(expected, by_pairs, dim, 1, rotary_dim, {interleaved, half_split});
  Comparison comparison;
  for (std::size_t i = 0; i < split.size(); ++i) {
    comparison.add(split[i], expected[i], 40 * rounding);
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("C22 reordered weight rows make reordered heads") {
  const std::size_t heads = 3, dim = 6, inputs = 5;
  const auto weights = random_floats(heads * dim * inputs, 9), x = random_floats(inputs, 10);
  std::vector<float> converted(weights.size());
  convert_rotary_layout(converted, weights, dim, inputs, 4, {interleaved, half_split});
  const auto product = [&](const std::vector<float>& w) {
    std::vector<float> y(heads * dim);
    for (std::size_t row = 0; row < y.size(); ++row) {
      for (std::size_t i = 0; i < inputs; ++i) y[row] += w[row * inputs + i] * x[i];
    }
    return y;
  };
  std::vector<float> expected(heads * dim);
  convert_rotary_layout(expected, product(weights), dim, 1, 4, {interleaved, half_split});
  CHECK(product(converted) == expected);
}

TEST_CASE(
    "heads of any shape are rotated as each head alone, for all positions, layouts and tables") {
  const std::size_t batches = GENERATE(1, 3), heads = GENERATE(1, 5), length = GENERATE(1, 7, 300);
  const bool is_head_major = GENERATE(true, false), per_batch = GENERATE(true, false);
  const bool is_even = GENERATE(true, false), from_table = GENERATE(true, false);
  const RotaryLayouts layouts{GENERATE(interleaved, half_split), GENERATE(interleaved, half_split)};
  const std::size_t dim = 20, pairs = 8;
  const std::size_t rows = per_batch ? batches * length : length;
  const auto x = random_floats(batches * heads * length * dim, 12);
  const auto frequencies = rotary_frequencies(2 * pairs, 100.0);
  std::vector<double> positions(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    positions[r] = is_even ? 5.0 + 3.0 * double(r) : double((r * 37) % 101);
  }
  const RotaryAngles angles{rows, positions, frequencies, {}, 1.25, {}};

  std::vector<float> result = x;
  const Heads view{result.data(), batches, heads, length, dim, is_head_major};
  if (from_table) {
    const auto table = rotary_table(counted_positions(3000), frequencies, 1.25);
    rotate_heads(view, table.view(), std::vector<std::size_t>(positions.begin(), positions.end()),
                 layouts);
  } else {
    rotate_heads(view, angles, layouts);
  }

  double worst = 0;
  for (std::size_t at = 0; at < x.size(); at += dim) {
    const std::size_t outer = at / dim;
    const std::size_t b = outer / (heads * length);
    const std::size_t r = is_head_major ? outer % length : outer / heads % length;
    std::vector<double> turns;
    for (const double f : frequencies) {
      turns.push_back(positions[per_batch ? b * length + r : r] * f);
    }
    const std::vector<double> row(x.begin() + at, x.begin() + at + dim);
    const auto expected =
        reference::turned(row, turns, places_of(layouts.from), places_of(layouts.to));
    for (std::size_t d = 0; d < dim; ++d) {
      const double factor = d < 2 * pairs ? 1.25 : 1.0;
      worst = std::max(worst, std::abs(result[at + d] - factor * expected[d]));
    }
  }
  CHECK(worst < 1e-6);
}

TEST_CASE("pairs of several axes are rotated by the coordinates of their own axes") {
  const std::size_t length = 5, dim = 10;
  const std::vector<double> coordinates = {0, 1, 2, 3, 4, 7, -1, 0.5, 100, 3};  // two axes
  const std::vector<double> frequencies = {1.0, 0.5, 0.1, 0.01};
  const std::vector<std::size_t> axis_of_pair = {0, 1, 1, 0};
  const RotaryAngles angles{length, coordinates, frequencies, axis_of_pair, 1.5, {}};
  const auto x = random_floats(2 * length * dim, 3);
  std::vector<float> result = x;
  rotate_heads({result.data(), 1, 2, length, dim}, angles, {half_split, half_split});
  Comparison comparison;
  for (std::size_t outer = 0; outer < 2 * length; ++outer) {
    std::vector<double> turns;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      turns.push_back(coordinates[axis_of_pair[i] * length + outer % length] * frequencies[i]);
    }
    const std::vector<double> row(x.begin() + outer * dim, x.begin() + (outer + 1) * dim);
    const auto expected =
        reference::turned(row, turns, reference::half_split_pair, reference::half_split_pair);
    for (std::size_t d = 0; d < dim; ++d) {
      const double factor = d < 8 ? 1.5 : 1.0;
      comparison.add(result[outer * dim + d], factor * expected[d], 40 * rounding);
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}

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
      rotate_heads(heads, table.view(), std::vector<std::size_t>{0, 4, 1}, layouts),
      std::invalid_argument,
      Message("rotate: a position must be a row of the table, below 4, got 4"));
  CHECK_THROWS_MATCHES(rotary_table(std::vector{1e16}, two), std::invalid_argument,
                       Message("rotary: positions must lie within 2^53, got 1e+16"));
}
