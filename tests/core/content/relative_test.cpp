#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "content/relative.hpp"
#include "reference/bias.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;

namespace {

const std::size_t keys = 9, dim = 6;
const std::vector<double> query_positions = {4, 5, 6, 7, 8},
                          key_positions = counted_positions(keys);

}  // namespace

TEST_CASE("Shaw clips the distance n - m to the table: k = 2, m = 3 reads 0 0 1 2 3 4") {
  const auto index = shaw_index(std::vector{3.0}, counted_positions(6), 2);
  CHECK(index.rows == std::vector<std::int32_t>{0, 0, 1, 2, 3, 4});
}

TEST_CASE("DeBERTa's row is m - n + span, clipped to the table: span 4") {
  const std::vector<double> offsets = {-5, -4, -3, 0, 3, 4};
  const auto index = deberta_index(offsets, std::vector{0.0}, 4);
  CHECK(index.rows == std::vector<std::int32_t>{0, 0, 1, 4, 7, 7});
  const auto reversed =
      deberta_index(offsets, std::vector{0.0}, 4, {}, DebertaReading::key_minus_query);
  CHECK(reversed.rows == std::vector<std::int32_t>{7, 7, 7, 4, 1, 0});
}

TEST_CASE("DeBERTa-v2's log buckets have the known values and agree with the authors' formula") {
  const DebertaBuckets known(256, 512);
  const std::pair<int, int> values[] = {{128, 128}, {129, 129}, {200, 169},  {300, 207},
                                        {511, 255}, {512, 256}, {-200, -169}};
  for (const auto& [relative, bucket] : values) CHECK(known(relative) == bucket);

  const auto [buckets, max_distance] =
      GENERATE(table<int, int>({{256, 512}, {16, 64}, {64, 512}, {8, 20}, {4, 9}, {9, 30}}));
  const DebertaBuckets bucket(buckets, max_distance);
  for (long relative = -2000; relative <= 2000; ++relative) {
    REQUIRE(bucket(relative) == reference::deberta_bucket(relative, buckets, max_distance));
  }
}

TEST_CASE("DeBERTa-v2's buckets may be narrower than one distance, and have no upper limit") {
  const auto [buckets, max_distance] =
      GENERATE(table<int, int>({{8192, 4098}, {512, 258}, {64, 34}, {8, 6}, {4, 4}}));
  const DebertaBuckets bucket(buckets, max_distance);
  const int mid = buckets / 2;
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const auto distance = mid + 1 + std::int64_t(std::exp(20.0 * random.uniform(0, 1)));
    const double share =
        std::log1p(double(distance - mid) / mid) / std::log1p(double(max_distance - 1 - mid) / mid);
    const double step = share * (mid - 1);
    if (std::abs(step - std::round(step)) < 1e-5)
      continue;  // too close to an edge for this formula
    REQUIRE(bucket(distance) == mid + std::int64_t(std::ceil(step)));
    REQUIRE(bucket(-distance) == -bucket(distance));
  }
  // By the formula max_distance - 1 is the last distance of bucket 2 mid - 1.
  CHECK(bucket(max_distance - 1) == 2 * mid - 1);
  CHECK(bucket(max_distance) > bucket(max_distance - 1));
}

TEST_CASE("positions that are fractional, or more than 2^53 apart, are rejected") {
  const double bad =
      GENERATE(std::numeric_limits<double>::quiet_NaN(), 0.5, 1e300,
               std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity());
  const std::vector<double> good = {0, 1}, wrong = {1, bad};
  const auto message = MessageMatches(Catch::Matchers::StartsWith(
      "relative table: positions must be whole numbers within 2^53 of each other, got "));
  for (const auto& [queries, keys] : {std::pair(good, wrong), std::pair(wrong, good)}) {
    using std::invalid_argument;
    CHECK_THROWS_MATCHES(shaw_index(queries, keys, 2), invalid_argument, message);
    CHECK_THROWS_MATCHES(relative_key_index(queries, keys, 1 << 30), invalid_argument, message);
    CHECK_THROWS_MATCHES(causal_distance_index(queries, keys, 1 << 30), invalid_argument, message);
    CHECK_THROWS_MATCHES(deberta_index(queries, keys, 4), invalid_argument, message);
    CHECK_THROWS_MATCHES(deberta_index(queries, keys, 4, DebertaBuckets(8, 20)), invalid_argument,
                         message);
  }
}

TEST_CASE("the schemes with tables reject invalid arguments") {
  CHECK_THROWS_MATCHES(DebertaBuckets(2, 512), std::invalid_argument,
                       Message("deberta_buckets: buckets must be from 4 to 8192, got 2"));
  CHECK_THROWS_MATCHES(
      DebertaBuckets(16, 9), std::invalid_argument,
      Message("deberta_buckets: max_distance must be more than 9 and below 2^32, got 9"));
  CHECK_THROWS_MATCHES(relative_key_index(query_positions, key_positions, 8), std::invalid_argument,
                       Message("relative_key: a distance must be below max_positions, 8, got 8"));
  CHECK_THROWS_MATCHES(
      causal_distance_index(query_positions, key_positions, 8), std::invalid_argument,
      Message("relative_shift: the table has 8 distances, from 0 to 7, and none for 8"));
  CHECK_THROWS_MATCHES(shaw_index(key_positions, key_positions, -1), std::invalid_argument,
                       Message("shaw: clip must be from 0 to 2^30, got -1"));
  Matrix q = random_matrix(keys, dim, 1);
  Matrix short_table = random_matrix(3, dim, 2);
  Matrix scores(keys, keys);
  CHECK_THROWS_MATCHES(add_query_products(scores.view(), q.view(), short_table.view(),
                                          shaw_index(key_positions, key_positions, 2), 1.0f),
                       std::invalid_argument,
                       Message("relative table: it has 3 rows and none with index 3"));
}
