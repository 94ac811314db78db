#include "bias/distance.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "reference/bias.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

void check_slopes(std::size_t heads, SlopeConvention convention,
                  const std::vector<double>& expected) {
  const auto slopes = alibi_slopes(heads, convention);
  REQUIRE(slopes.size() == expected.size());
  for (std::size_t h = 0; h < heads; ++h) CHECK_THAT(slopes[h], WithinRel(expected[h], 1e-15));
}

// The bias by offset = key - query: column c is that of offset c - (queries - 1).
Matrix by_offset(std::size_t queries, std::size_t keys, std::span<const double> slopes,
                 BiasDirection direction) {
  Matrix table(slopes.size(), queries + keys - 1);
  alibi(table.view(), 1 - static_cast<std::int64_t>(queries), slopes, direction);
  return table;
}

}  // namespace

TEST_CASE("C19 the published slopes equal the authors' recursion for every head count") {
  for (std::size_t heads = 1; heads <= 130; ++heads) {
    check_slopes(heads, SlopeConvention::published, reference::alibi_slopes(heads));
  }
}

TEST_CASE("C19 slopes for 8, 12, 6, 3 and 1 heads have the listed values") {
  const double r = std::sqrt(0.5);
  const auto published = SlopeConvention::published;
  check_slopes(8, published,
               {1 / 2., 1 / 4., 1 / 8., 1 / 16., 1 / 32., 1 / 64., 1 / 128., 1 / 256.});
  check_slopes(12, published,
               {.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625,  //
                r, r / 2, r / 4, r / 8});
  check_slopes(6, published, {.25, .0625, .015625, .00390625, .5, .125});
  check_slopes(3, published, {.0625, .00390625, .25});
  check_slopes(1, published, {.00390625});
}

TEST_CASE(
    "C19 naive slopes are 2^(-8h/H) for every H and equal the published ones for powers of two "
    "only") {
  for (std::size_t heads = 1; heads <= 64; ++heads) {
    std::vector<double> expected(heads);
    for (std::size_t h = 0; h < heads; ++h)
      expected[h] = std::pow(2.0, -8.0 * double(h + 1) / double(heads));
    check_slopes(heads, SlopeConvention::naive, expected);
    const auto naive = alibi_slopes(heads, SlopeConvention::naive);
    const bool power_of_two = (heads & (heads - 1)) == 0;
    CHECK((naive == alibi_slopes(heads)) == power_of_two);
  }
}

TEST_CASE("C19 sorted slopes are the published ones, steepest first") {
  for (std::size_t heads = 1; heads <= 64; ++heads) {
    auto expected = alibi_slopes(heads);
    std::sort(expected.rbegin(), expected.rend());
    CHECK(alibi_slopes(heads, SlopeConvention::sorted) == expected);
  }
}

TEST_CASE("a slice of slopes equals that part of all, and other heads are not computed") {
  const auto convention =
      GENERATE(SlopeConvention::published, SlopeConvention::sorted, SlopeConvention::naive);
  for (std::size_t heads = 1; heads <= 33; ++heads) {
    const auto all = alibi_slopes(heads, convention);
    for (std::size_t first = 0; first <= heads; ++first) {
      for (std::size_t count = 0; first + count <= heads; ++count) {
        const auto part = std::span(all).subspan(first, count);
        REQUIRE(std::ranges::equal(alibi_slopes(heads, convention, 8.0, {first, count}), part));
      }
    }
  }
  // One slope of very many: computing all would take 16 GB.
  const std::size_t most = std::size_t{1} << 31;
  CHECK(alibi_slopes(most, convention, 8.0, {most - 1, 1})[0] == 1.0 / 256);
  CHECK(alibi_slopes(most - 1, convention, 8.0, {most - 2, 1}).size() == 1);
}

TEST_CASE("C19 the bias is -slope |m - n|, or 0 for keys after the query when causal") {
  const std::size_t queries = GENERATE(1, 2, 9), keys = GENERATE(1, 3, 14);
  const auto slopes = alibi_slopes(12);
  for (const auto direction : {BiasDirection::symmetric, BiasDirection::causal}) {
    const Matrix table = by_offset(queries, keys, slopes, direction);
    for (std::size_t h = 0; h < slopes.size(); ++h) {
      for (std::size_t m = 0; m < queries; ++m) {
        for (std::size_t n = 0; n < keys; ++n) {
          const double distance = double(m) - double(n);
          const bool is_hidden = direction == BiasDirection::causal && n > m;
          const double expected = is_hidden ? 0.0 : -slopes[h] * std::abs(distance);
          const float bias = table.at(h, n + queries - 1 - m);
          CHECK(bias == static_cast<float>(expected));
          CHECK_FALSE((bias == 0.0f && std::signbit(bias)));  // no -0
        }
      }
    }
  }
}

TEST_CASE("C19 the bias of each head falls with distance, to -1 at distance 1 / slope") {
  const std::size_t length = 300;
  const auto slopes = alibi_slopes(8);
  const Matrix table = by_offset(length, length, slopes, BiasDirection::symmetric);
  for (std::size_t h = 0; h < slopes.size(); ++h) {
    const auto bias = [&](std::size_t distance) { return table.at(h, length - 1 - distance); };
    for (std::size_t distance = 1; distance < length; ++distance) {
      CHECK(bias(distance) < bias(distance - 1));
      CHECK(bias(distance) == table.at(h, length - 1 + distance));
    }
    const auto at_one = static_cast<std::size_t>(1 / slopes[h]);  // 2, 4, ..., 256
    CHECK(bias(at_one) == -1.0f);
  }
}

TEST_CASE(
    "C19 four keys with equal scores get the softmax of the bias, for a steep and a flat slope") {
  const auto weights = [](double slope) {
    return reference::softmax({-3 * slope, -2 * slope, -1 * slope, 0});
  };
  // Six decimals, so each is off by at most half of the last one.
  const double steep[] = {.101536, .167405, .276004, .455054},
               flat[] = {.248537, .24951, .250486, .251467};
  for (std::size_t n = 0; n < 4; ++n) {
    CHECK_THAT(weights(alibi_slopes(8)[0])[n], WithinAbs(steep[n], 5e-7));
    CHECK_THAT(weights(alibi_slopes(8)[7])[n], WithinAbs(flat[n], 5e-7));
  }
}

TEST_CASE("the last slope is 2^-max_bias if the number of heads is a power of two") {
  for (const double max_bias : {4.0, 8.0, 16.0}) {
    CHECK(alibi_slopes(16, SlopeConvention::published, max_bias).back() == std::exp2(-max_bias));
  }
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

TEST_CASE("a distance table expands to every pair, at any positions") {
  const Matrix table = by_offset(21, 21, alibi_slopes(2), BiasDirection::symmetric);
  const std::vector<double> queries = {7, 3}, keys = {0, 9, 20};
  std::vector<float> full(2 * 2 * 3);
  expand_by_offset({full.data(), 4, 3}, table.view(), -20, queries, keys);
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t m = 0; m < 2; ++m) {
      for (std::size_t n = 0; n < 3; ++n) {
        CHECK(full[(h * 2 + m) * 3 + n] == table.at(h, std::size_t(20 + keys[n] - queries[m])));
      }
    }
  }
  CHECK_THROWS_MATCHES(expand_by_offset({full.data(), 4, 3}, table.view(), -20, queries,
                                        std::vector<double>{0, 1, 99}),
                       std::invalid_argument,
                       Message("expand_by_offset: the table has no column for key - query = 92"));
}

TEST_CASE("alibi rejects invalid arguments") {
  CHECK_THROWS_MATCHES(
      alibi_slopes(4, SlopeConvention::sorted, 8.0, {3, 2}), std::invalid_argument,
      Message("alibi_slopes: total_heads must be at least head_offset + heads, 5, got 4"));
  CHECK_THROWS_MATCHES(alibi_slopes(0), std::invalid_argument,
                       Message("alibi_slopes: heads must be positive, got 0"));
  CHECK_THROWS_MATCHES(alibi_slopes(2, SlopeConvention::published, -1.0), std::invalid_argument,
                       Message("alibi_slopes: max_bias must be positive and finite, got -1"));
  Matrix table(3, 5);
  const auto slopes = alibi_slopes(2);
  CHECK_THROWS_MATCHES(alibi(table.view(), -2, slopes), std::invalid_argument,
                       Message("alibi: table must be 2 x 5, got 3 x 5"));
}
