#include "encodings/alibi.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "reference/encodings.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

void check_slopes(std::size_t heads, SlopeConvention convention, const std::vector<double>& expected) {
  const auto slopes = alibi_slopes(heads, convention);
  REQUIRE(slopes.size() == expected.size());
  for (std::size_t h = 0; h < heads; ++h) CHECK_THAT(slopes[h], WithinRel(expected[h], 1e-15));
}

Matrix by_offset(std::size_t queries, std::size_t keys, std::span<const double> slopes,
                 AlibiDirection direction) {
  Matrix table(slopes.size(), queries + keys - 1);
  alibi(table.view(), queries, slopes, direction);
  return table;
}

}  // namespace

TEST_CASE("C19 the published slopes are the authors' recursion for every head count") {
  for (std::size_t heads = 1; heads <= 130; ++heads) {
    check_slopes(heads, SlopeConvention::published, reference::alibi_slopes(heads));
  }
}

TEST_CASE("C19 slopes for 8, 12, 6, 3 and 1 heads are the table's") {
  const double r = std::sqrt(0.5);
  const auto published = SlopeConvention::published;
  check_slopes(8, published, {1 / 2., 1 / 4., 1 / 8., 1 / 16., 1 / 32., 1 / 64., 1 / 128., 1 / 256.});
  check_slopes(12, published, {.5, .25, .125, .0625, .03125, .015625, .0078125, .00390625,  //
                               r, r / 2, r / 4, r / 8});
  check_slopes(6, published, {.25, .0625, .015625, .00390625, .5, .125});
  check_slopes(3, published, {.0625, .00390625, .25});
  check_slopes(1, published, {.00390625});
}

TEST_CASE("C19 naive slopes are 2^(-8h/H) for every H, which is the published rule for powers of two only") {
  for (std::size_t heads = 1; heads <= 64; ++heads) {
    std::vector<double> expected(heads);
    for (std::size_t h = 0; h < heads; ++h) expected[h] = std::pow(2.0, -8.0 * double(h + 1) / double(heads));
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

TEST_CASE("C19 the bias is -slope |m - n|, or nothing for keys after the query when causal") {
  const std::size_t queries = GENERATE(1, 2, 9), keys = GENERATE(1, 3, 14);
  const auto slopes = alibi_slopes(12);
  for (const auto direction : {AlibiDirection::symmetric, AlibiDirection::causal}) {
    const Matrix table = by_offset(queries, keys, slopes, direction);
    for (std::size_t h = 0; h < slopes.size(); ++h) {
      for (std::size_t m = 0; m < queries; ++m) {
        for (std::size_t n = 0; n < keys; ++n) {
          const double distance = double(m) - double(n);
          const bool unseen = direction == AlibiDirection::causal && n > m;
          const double expected = unseen ? 0.0 : -slopes[h] * std::abs(distance);
          const float bias = table.at(h, n + queries - 1 - m);
          CHECK(bias == static_cast<float>(expected));
          CHECK_FALSE((bias == 0.0f && std::signbit(bias)));
        }
      }
    }
  }
}

TEST_CASE("C19 each head falls with distance, and its slope sets where it has fallen to 1/e") {
  const std::size_t length = 300;
  const auto slopes = alibi_slopes(8);
  const Matrix table = by_offset(length, length, slopes, AlibiDirection::symmetric);
  for (std::size_t h = 0; h < slopes.size(); ++h) {
    const auto bias = [&](std::size_t distance) { return table.at(h, length - 1 - distance); };
    for (std::size_t distance = 1; distance < length; ++distance) {
      CHECK(bias(distance) < bias(distance - 1));
      CHECK(bias(distance) == table.at(h, length - 1 + distance));
    }
    const auto window = static_cast<std::size_t>(1 / slopes[h]);  // 2, 4, ..., 256
    CHECK(bias(window) == -1.0f);
  }
}

TEST_CASE("C19 equal scores four keys back get the weights that two slopes give them") {
  const auto weights = [](double slope) {
    return reference::softmax({-3 * slope, -2 * slope, -1 * slope, 0});
  };
  const double steep[] = {.101536, .167405, .276004, .455054}, flat[] = {.248537, .24951, .250486, .251467};
  for (std::size_t n = 0; n < 4; ++n) {
    CHECK_THAT(weights(alibi_slopes(8)[0])[n], WithinAbs(steep[n], 5e-7));
    CHECK_THAT(weights(alibi_slopes(8)[7])[n], WithinAbs(flat[n], 5e-7));
  }
}

TEST_CASE("alibi names what it refuses") {
  CHECK_THROWS_MATCHES(alibi_slopes(0), std::invalid_argument,
                       Message("alibi_slopes: heads must be positive, got 0"));
  Matrix table(3, 5);
  const auto slopes = alibi_slopes(2);
  CHECK_THROWS_MATCHES(
      alibi(table.view(), 3, slopes), std::invalid_argument,
      Message("alibi: the table must have one row per slope, got 3 rows for 2 slopes"));
}
