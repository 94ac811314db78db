#include "rotary/rotate.hpp"

#include <catch_amalgamated.hpp>
#include <limits>
#include <vector>

#include "reference/kernels.hpp"
#include "reference/rotary.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr RotaryLayout layouts[] = {RotaryLayout::interleaved, RotaryLayout::half_split};

std::vector<float> rotated(std::vector<float> row, double position, RotaryLayout layout) {
  const auto table = rotary_table(std::vector{position}, rotary_frequencies(row.size()));
  rotate({row.data(), 1, row.size()}, table, layout);
  return row;
}

// A rotated value is off by rounding cos and sin to float and two roundings more, and by what the
// angle loses in double: position * frequency, each within a few units of 2^-53.
double rotation_error(double position) { return 3 * rounding + std::abs(position) * 0x1p-50; }

// Column c is the rotated unit vector c: the matrix R of a position.
std::vector<std::vector<float>> rotation_matrix(std::size_t dim, double position,
                                                RotaryLayout layout) {
  std::vector<std::vector<float>> columns;
  for (std::size_t c = 0; c < dim; ++c) {
    std::vector<float> unit(dim, 0.0f);
    unit[c] = 1.0f;
    columns.push_back(rotated(unit, position, layout));
  }
  return columns;
}

}  // namespace

TEST_CASE("rotary frequencies are base^(-2i/dim), with the published anchors") {
  const auto frequencies = rotary_frequencies(128);
  REQUIRE(frequencies.size() == 64);
  CHECK(frequencies[0] == 1.0);
  CHECK_THAT(frequencies[1], WithinRel(.865964323, 1e-9));
  CHECK_THAT(frequencies[32], WithinRel(.01, 1e-15));
  CHECK_THAT(frequencies[63], WithinRel(1.15478198e-4, 1e-8));
  CHECK(rotary_frequencies(2) == std::vector{1.0});
  const auto longer = rotary_frequencies(64, 5e5);
  for (std::size_t i = 0; i < 32; ++i)
    CHECK_THAT(longer[i], WithinRel(1 / std::pow(5e5, double(i) / 32), 1e-14));
}

TEST_CASE("rotation gives the published numbers in both pairings") {
  const double interleaved[] = {-2.23474169, 0.077003754, 2.919405353, 4.059196027};
  const double half_split[] = {-3.144039117, 1.919605347, -0.339143083, 4.03919736};
  const auto a = rotated({1, 2, 3, 4}, 2, RotaryLayout::interleaved);
  const auto b = rotated({1, 2, 3, 4}, 2, RotaryLayout::half_split);
  for (std::size_t d = 0; d < 4; ++d) {
    CHECK_THAT(a[d], WithinAbs(interleaved[d], 7 * rotation_error(2)));
    CHECK_THAT(b[d], WithinAbs(half_split[d], 7 * rotation_error(2)));
  }
}

TEST_CASE(
    "C22 the element-wise form is the block-diagonal matrix, and one permutation joins the "
    "pairings") {
  const std::size_t dim = 10, half = dim / 2;
  const double position = GENERATE(1.0, 12.5, 1000.0);
  const auto row = random_floats(dim, 3);
  const auto matrix = rotation_matrix(dim, position, RotaryLayout::interleaved);
  const auto turned = rotated(row, position, RotaryLayout::interleaved);
  for (std::size_t r = 0; r < dim; ++r) {
    double product = 0, magnitude = 0;
    for (std::size_t c = 0; c < dim; ++c) {
      if (r / 2 != c / 2) CHECK(matrix[c][r] == 0.0f);  // blocks of two
      product += double(matrix[c][r]) * row[c];
      magnitude += std::abs(double(matrix[c][r]) * row[c]);
    }
    CHECK_THAT(turned[r], WithinAbs(product, 2 * rounding * magnitude + 1e-40));
  }

  // Column 2i of the interleaved row is column i of the half-split one, 2i + 1 is i + dim/2.
  std::vector<float> permuted(dim);
  for (std::size_t d = 0; d < dim; ++d) permuted[d % 2 * half + d / 2] = row[d];
  const auto other = rotated(permuted, position, RotaryLayout::half_split);
  for (std::size_t d = 0; d < dim; ++d) {
    CHECK_THAT(other[d % 2 * half + d / 2], WithinAbs(turned[d], 8 * rounding * 3));
  }
}

TEST_CASE("C20 the product of a rotated query and key depends on m - n only") {
  const std::size_t dim = 64;
  const double distance = GENERATE(-40.0, -1.0, 0.0, 3.0, 0.25, 511.0);
  const auto q = random_floats(dim, 1), k = random_floats(dim, 2);
  for (const RotaryLayout layout : layouts) {
    const auto product = [&](double m, double n) {
      return reference::dot(rotated(q, m, layout), rotated(k, n, layout)).value;
    };
    double magnitude = 0;  // of all terms that rounding can disturb
    for (const float a : q) magnitude += double(a) * a / 2;
    for (const float b : k) magnitude += double(b) * b / 2;
    const double at_origin = product(distance, 0);
    for (const double n : {1.0, 17.0, 100.5, 4095.0, 65536.0, 1e6}) {
      CHECK_THAT(product(n + distance, n), WithinAbs(at_origin, 8 * magnitude * rotation_error(n)));
    }
  }
}

TEST_CASE("C20 the product has the published values and, unlike the sinusoid's, a direction") {
  const std::vector<float> q = {1, .5, -1, 2}, k = {.3f, -.7f, 1.2f, .4f};
  const auto product = [&](double m, double n) {
    return reference::dot(rotated(q, m, RotaryLayout::interleaved),
                          rotated(k, n, RotaryLayout::interleaved))
        .value;
  };
  CHECK_THAT(product(5, 3), WithinAbs(-1.208011740, 5e-7));
  CHECK_THAT(product(105, 103), WithinAbs(-1.208011740, 5e-7));
  CHECK_THAT(product(3, 5), WithinAbs(0.449786419, 5e-7));
  CHECK_THAT(product(0, 0), WithinAbs(-0.45, 5e-7));
}

TEST_CASE("C21 rotation keeps norms") {
  const std::size_t dim = GENERATE(2, 6, 64, 128);
  const double position = GENERATE(1.0, 77.0, 1e6);
  const auto row = random_floats(dim, 5);
  const double before = reference::dot(row, row).value;
  for (const RotaryLayout layout : layouts) {
    const auto turned = rotated(row, position, layout);
    CHECK_THAT(reference::dot(turned, turned).value,
               WithinRel(before, 4 * rotation_error(position)));
  }
}

TEST_CASE("C21 the transpose of R_m times R_n is R_(n - m)") {
  const std::size_t dim = 8;
  const double m = GENERATE(0.0, 5.0, 1000.0), n = GENERATE(0.0, 3.0, 1234.5);
  for (const RotaryLayout layout : layouts) {
    const auto of_m = rotation_matrix(dim, m, layout), of_n = rotation_matrix(dim, n, layout);
    const auto of_difference = rotation_matrix(dim, n - m, layout);
    Comparison comparison;
    for (std::size_t r = 0; r < dim; ++r) {
      for (std::size_t c = 0; c < dim; ++c) {
        const double product = reference::dot(of_m[r], of_n[c]).value;
        comparison.add(product, of_difference[c][r], 4 * rotation_error(m + n));
      }
    }
    CHECK_THAT(comparison, WithinBounds());
  }
}

TEST_CASE("C23 at position 0 nothing is rotated, bit for bit") {
  const std::size_t dim = GENERATE(2, 6, 8, 34);
  const auto row = random_floats(dim, 9);
  for (const RotaryLayout layout : layouts) {
    const auto same = rotated(row, 0.0, layout);
    for (std::size_t d = 0; d < dim; ++d) CHECK(same_bits(same[d], row[d]));
  }
}

TEST_CASE("cos and sin keep their accuracy far out") {
  const auto table = rotary_table(std::vector{15962.0, 131071.0, 1e6}, std::vector{1.0});
  const double cosines[] = {-0.908015901, -0.817983499, 0.936752128};
  const double sines[] = {0.418935703, -0.575241684, -0.349993502};
  for (std::size_t r = 0; r < 3; ++r) {
    CHECK_THAT(table.cos_row(r)[0], WithinAbs(cosines[r], 1e-7));
    CHECK_THAT(table.sin_row(r)[0], WithinAbs(sines[r], 1e-7));
  }
}

TEST_CASE("rotary rejects invalid arguments") {
  const auto refused = [](std::size_t dim, double base, const char* text) {
    CHECK_THROWS_MATCHES(rotary_frequencies(dim, base), std::invalid_argument, Message(text));
  };
  refused(0, 1e4, "rotary_frequencies: dim must be even and positive, got 0");
  refused(7, 1e4, "rotary_frequencies: dim must be even and positive, got 7");
  refused(8, 0, "rotary_frequencies: base must be positive and finite, got 0");
  refused(8, -2.5, "rotary_frequencies: base must be positive and finite, got -2.5");
  refused(8, std::numeric_limits<double>::infinity(),
          "rotary_frequencies: base must be positive and finite, got inf");
  CHECK_THROWS_AS(rotary_frequencies(8, std::numeric_limits<double>::quiet_NaN()),
                  std::invalid_argument);

  Matrix x(3, 4);
  const auto table = [](std::size_t rows, std::size_t dim) {
    return rotary_table(counted_positions(rows), rotary_frequencies(dim));
  };
  CHECK_THROWS_MATCHES(rotate(x.view(), table(2, 4), RotaryLayout::interleaved),
                       std::invalid_argument,
                       Message("rotate: the table must have one row per row of x, got 2 for 3"));
  CHECK_THROWS_MATCHES(rotate(x.view(), table(3, 6), RotaryLayout::interleaved),
                       std::invalid_argument,
                       Message("rotate: the frequencies rotate 6 values, but a row has 4"));
}
