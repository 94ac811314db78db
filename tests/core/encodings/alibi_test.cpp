#include "encodings/alibi.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "reference/encodings.hpp"
#include "support/distance_tables.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE("C19 the published slopes are the authors' recursion for every head count") {
  for (std::size_t heads = 1; heads <= 140; ++heads) {
    const auto expected = reference::alibi_slopes(heads);
    const auto slopes = alibi_slopes(heads);
    REQUIRE(slopes.size() == expected.size());
    for (std::size_t h = 0; h < heads; ++h) CHECK_THAT(slopes[h], WithinRel(expected[h], 1e-15));
  }
}

TEST_CASE("C19 slopes are 1/2 ... 1/256 for 8 heads, and the known ones where conventions differ") {
  CHECK(alibi_slopes(8) == std::vector<double>{.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625});
  CHECK(alibi_slopes(6) == std::vector<double>{.25, .0625, .015625, .00390625, .5, .125});
  CHECK(alibi_slopes(3) == std::vector<double>{.0625, .00390625, .25});
  CHECK(alibi_slopes(1) == std::vector<double>{.00390625});
  CHECK(alibi_slopes(3, SlopeConvention::sorted) == std::vector<double>{.25, .0625, .00390625});

  const auto twelve = alibi_slopes(12);
  const double after_eight[] = {.70710678, .35355339, .1767767, .08838835};
  for (std::size_t h = 0; h < 4; ++h) CHECK_THAT(twelve[8 + h], WithinAbs(after_eight[h], 5e-9));

  const auto naive = alibi_slopes(12, SlopeConvention::naive);
  const double first[] = {.62996052, .39685026, .25, .15749013};
  for (std::size_t h = 0; h < 4; ++h) CHECK_THAT(naive[h], WithinAbs(first[h], 5e-9));
  CHECK(naive.back() == .00390625);
}

TEST_CASE("max_bias is the exponent of the last slope of a power of two") {
  for (const double max_bias : {4.0, 8.0, 16.0}) {
    CHECK(alibi_slopes(16, SlopeConvention::published, max_bias).back() == std::exp2(-max_bias));
  }
}

TEST_CASE("C19 the bias is -slope |i - j|, never rises with distance, and each head has its own reach") {
  const auto slopes = alibi_slopes(8);
  DistanceTable table(8, -300, 601);
  alibi(table.view(), table.first, slopes);
  for (std::size_t h = 0; h < 8; ++h) {
    for (std::int64_t offset = -300; offset <= 300; ++offset) {
      CHECK(table.at(h, offset) == -static_cast<float>(slopes[h]) * std::abs(float(offset)));
    }
    const auto reach = std::int64_t{2} << h;  // exp(bias) is 1/e there: 2, 4, ... 256 tokens
    CHECK(table.at(h, -reach) == -1.0f);
  }
}

TEST_CASE("causal leaves keys after the query at 0") {
  DistanceTable table(2, -3, 7);
  alibi(table.view(), table.first, alibi_slopes(2), BiasDirection::causal);
  for (std::int64_t offset = 0; offset <= 3; ++offset) CHECK(table.at(0, offset) == 0.0f);
  CHECK(table.at(0, -3) == -3 * 0.0625f);
}

TEST_CASE("the translated form differs from the bias by a constant of the row") {
  const std::size_t heads = 5, keys = 12;
  const auto slopes = alibi_slopes(heads);
  std::vector<float> translated(heads * keys);
  alibi_translated({translated.data(), heads, keys}, slopes, counted_positions(keys));
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t n = 0; n < keys; ++n) {
      const double bias = -slopes[h] * (double(keys - 1) - double(n));  // of the last query
      CHECK_THAT(translated[h * keys + n] - bias, WithinAbs(slopes[h] * double(keys - 1), 1e-6));
    }
  }
}

TEST_CASE("padded keys take no position") {
  const std::vector<double> mask = {0, 0, 1, 1, 0, 1};
  CHECK(alibi_masked_positions(mask) == std::vector<double>{0, 0, 0, 1, 0, 2});
}

TEST_CASE("a distance table expands to every pair, wherever the positions lie") {
  DistanceTable table(2, -20, 41);
  alibi(table.view(), table.first, alibi_slopes(2));
  const std::vector<double> queries = {7, 3}, keys = {0, 9, 20};
  std::vector<float> full(2 * 2 * 3);
  expand_by_offset({full.data(), 4, 3}, table.view(), table.first, queries, keys);
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t m = 0; m < 2; ++m) {
      for (std::size_t n = 0; n < 3; ++n) {
        CHECK(full[(h * 2 + m) * 3 + n] == table.at(h, std::int64_t(keys[n] - queries[m])));
      }
    }
  }
  CHECK_THROWS_MATCHES(
      expand_by_offset({full.data(), 4, 3}, table.view(), table.first, queries, std::vector<double>{0, 1, 99}),
      std::invalid_argument, Message("expand_by_offset: the table has no column for key - query = 92"));
}

TEST_CASE("alibi refuses what it cannot mean") {
  CHECK_THROWS_MATCHES(alibi_slopes(0), std::invalid_argument,
                       Message("alibi_slopes: heads must be positive, got 0"));
  CHECK_THROWS_MATCHES(alibi_slopes(2, SlopeConvention::published, -1.0), std::invalid_argument,
                       Message("alibi_slopes: max_bias must be positive and finite, got -1"));
  DistanceTable table(3, 0, 1);
  CHECK_THROWS_MATCHES(alibi(table.view(), 0, alibi_slopes(2)), std::invalid_argument,
                       Message("alibi: the table must have one row per slope, got 3 rows for 2 slopes"));
}
