#include <catch_amalgamated.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "content/relative.hpp"
#include "reference/bias.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinAbs;

namespace {

double product(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
  double sum = 0;
  for (std::size_t d = 0; d < a.cols; ++d) sum += double(a.at(i, d)) * b.at(j, d);
  return sum;
}

const std::size_t queries = 5, keys = 9, dim = 6;
const std::vector<double> query_positions = {4, 5, 6, 7, 8},
                          key_positions = counted_positions(keys);

void check_all(Matrix& scores, const std::function<double(std::size_t, std::size_t)>& expected) {
  for (std::size_t m = 0; m < scores.rows; ++m) {
    for (std::size_t n = 0; n < scores.cols; ++n)
      CHECK_THAT(scores.at(m, n), WithinAbs(expected(m, n), 1e-5));
  }
}

}  // namespace

TEST_CASE("Shaw clips the distance n - m to the table: k = 2, m = 3 reads 0 0 1 2 3 4") {
  const auto index = shaw_index(std::vector{3.0}, counted_positions(6), 2);
  CHECK(index.rows == std::vector<std::int32_t>{0, 0, 1, 2, 3, 4});
}

TEST_CASE("Shaw's key table is multiplied by the query, its value table by the weights") {
  Matrix q = random_matrix(queries, dim, 1);
  Matrix table = random_matrix(5, dim, 2);
  Matrix weights = random_matrix(queries, keys, 3);
  Matrix values = random_matrix(5, 3, 4);
  const auto index = shaw_index(query_positions, key_positions, 2);
  const auto row = [](std::size_t m, std::size_t n) {
    return std::size_t(std::clamp(int(n) - int(m) - 4, -2, 2) + 2);
  };
  Matrix scores(queries, keys);
  add_query_products(scores.view(), q.view(), table.view(), index, 0.5f);
  check_all(scores, [&](auto m, auto n) { return 0.5 * product(q, m, table, row(m, n)); });

  Matrix out(queries, 3);
  add_weighted_rows(out.view(), weights.view(), values.view(), index);
  check_all(out, [&](auto m, auto c) {
    double sum = 0;
    for (std::size_t n = 0; n < keys; ++n)
      sum += double(weights.at(m, n)) * values.at(row(m, n), c);
    return sum;
  });
}

TEST_CASE("relative_key reads row m - n; relative_key_query also multiplies it by the key") {
  Matrix q = random_matrix(queries, dim, 1);
  Matrix k = random_matrix(keys, dim, 2);
  Matrix table = random_matrix(17, dim, 3);
  Matrix scores(queries, keys);
  const auto index = relative_key_index(query_positions, key_positions, 9);
  add_query_products(scores.view(), q.view(), table.view(), index, 1.0f);
  add_key_products(scores.view(), k.view(), table.view(), index, 1.0f);
  check_all(scores, [&](auto m, auto n) {
    const std::size_t row = m + 4 - n + 8;
    return product(q, m, table, row) + product(k, n, table, row);
  });
  CHECK_THROWS_MATCHES(relative_key_index(query_positions, key_positions, 8), std::invalid_argument,
                       Message("relative_key: a distance must be below max_positions, 8, got 8"));
}

TEST_CASE("shifting the products with a distance table equals indexing it for each pair") {
  Matrix q = random_matrix(keys, dim, 1);
  Matrix table = random_matrix(keys, dim, 2);
  Matrix products(keys, keys), shifted(keys, keys), scores(keys, keys);
  for (std::size_t m = 0; m < keys; ++m) {
    for (std::size_t r = 0; r < keys; ++r)
      products.view().row(m)[r] = float(product(q, m, table, r));
  }
  relative_shift(shifted.view(), products.view());
  const auto index = causal_distance_index(key_positions, key_positions, keys);
  add_query_products(scores.view(), q.view(), table.view(), index, 1.0f);
  for (std::size_t m = 0; m < keys; ++m) {
    for (std::size_t n = 0; n <= m; ++n)
      CHECK_THAT(shifted.at(m, n), WithinAbs(scores.at(m, n), 1e-5));
    for (std::size_t n = m + 1; n < keys; ++n) CHECK(scores.at(m, n) == 0);
  }
  CHECK_THROWS_MATCHES(
      causal_distance_index(query_positions, key_positions, 8), std::invalid_argument,
      Message("relative_shift: the table has 8 distances, from 0 to 7, and none for 8"));
}

TEST_CASE(
    "Transformer-XL's bias is its three terms beside q . k, with memory keys before the queries") {
  Matrix q = random_matrix(queries, dim, 1);
  Matrix k = random_matrix(keys, dim, 2);
  Matrix r = random_matrix(keys, dim, 3);
  Matrix u = random_matrix(1, dim, 4);
  Matrix v = random_matrix(1, dim, 5);
  Matrix bias(queries, keys);
  const auto index = causal_distance_index(query_positions, key_positions, keys);
  transformer_xl_bias(bias.view(), q.view(), k.view(), r.view(), u.values, v.values, index, 0.25f);
  for (std::size_t m = 0; m < queries; ++m) {
    for (std::size_t n = 0; n <= m + 4; ++n) {
      const std::size_t row = keys - 1 - (m + 4 - n);
      const double terms = product(q, m, r, row) + product(u, 0, k, n) + product(v, 0, r, row);
      CHECK_THAT(bias.at(m, n), WithinAbs(0.25 * terms, 1e-5));
    }
  }
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
