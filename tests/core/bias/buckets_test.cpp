#include "bias/buckets.hpp"

#include <catch_amalgamated.hpp>
#include <map>

#include "reference/bias.hpp"
#include "support/distance_tables.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;

TEST_CASE(
    "C18 half of the causal buckets are exact, the others begin where T5 has them, the last at "
    "113") {
  const T5Buckets bucket(T5Direction::causal);
  const std::map<std::int64_t, int> begins = {
      {16, 16}, {19, 17}, {21, 18}, {24, 19}, {27, 20}, {31, 21}, {35, 22}, {40, 23},
      {46, 24}, {52, 25}, {59, 26}, {67, 27}, {77, 28}, {87, 29}, {99, 30}, {113, 31}};
  for (std::int64_t distance = 0; distance < 16; ++distance) CHECK(bucket(-distance) == distance);
  for (const auto& [distance, first] : begins) {
    CHECK(bucket(-distance) == first);
    CHECK(bucket(1 - distance) == first - 1);
  }
  for (const std::int64_t far : {113, 128, 1000000}) CHECK(bucket(-far) == 31);
  for (const std::int64_t after : {1, 128, 1000000}) CHECK(bucket(after) == 0);
}

TEST_CASE(
    "C18 bidirectional buckets split the sides, key after query in the upper half, the last at "
    "91") {
  const T5Buckets bucket(T5Direction::bidirectional);
  const std::map<std::int64_t, int> begins = {{8, 8},   {12, 9},  {16, 10}, {23, 11},
                                              {32, 12}, {46, 13}, {64, 14}, {91, 15}};
  for (const auto& [distance, first] : begins) {
    CHECK(bucket(-distance) == first);
    CHECK(bucket(1 - distance) == first - 1);
    CHECK(bucket(distance) == first + 16);
  }
  CHECK(bucket(1) == 17);
  for (const std::int64_t far : {113, 128, 1000000}) CHECK(bucket(far) == 31);
}

TEST_CASE("buckets are the authors' formula for other sizes, odd ones too") {
  const auto [buckets, max_distance] = GENERATE(table<int, int>({{32, 128},
                                                                 {32, 256},
                                                                 {64, 256},
                                                                 {8, 20},
                                                                 {4, 5},
                                                                 {128, 512},
                                                                 {33, 100},
                                                                 {5, 9},
                                                                 {320, 2000}}));
  for (const bool bidirectional : {false, true}) {
    const T5Buckets bucket(bidirectional ? T5Direction::bidirectional : T5Direction::causal,
                           buckets, max_distance);
    for (long relative = -3000; relative <= 3000; ++relative) {
      REQUIRE(bucket(relative) ==
              reference::t5_bucket(relative, bidirectional, buckets, max_distance));
    }
  }
}

namespace {

unsigned __int128 power(unsigned __int128 base, int exponent) {
  unsigned __int128 product = 1;
  for (int i = 0; i < exponent; ++i) product *= base;
  return product;
}

}  // namespace

TEST_CASE("log thresholds are the first whole numbers to reach their power, in exact arithmetic") {
  for (const int end : {20, 81, 100, 128, 255}) {
    for (const int start : {4, 9, 16}) {
      const int steps = start;  // end^16 fits 128 bits
      for (int step = 1; step < steps; ++step) {
        const auto goal = power(unsigned(end), step) * power(unsigned(start), steps - step);
        std::int64_t first = 1;
        while (power(unsigned(first), steps) < goal) ++first;
        CHECK(log_threshold(start, end, step, steps, Edge::at_least) == first);
        const bool exactly = power(unsigned(first), steps) == goal;
        CHECK(log_threshold(start, end, step, steps, Edge::more_than) == first + exactly);
      }
    }
  }
}

TEST_CASE("C18 the bias is one learned scalar per bucket and head, chosen by n - m alone") {
  const std::size_t heads = 3, buckets = 32;
  const auto learned = random_floats(buckets * heads, 5);
  const T5Buckets bucket(T5Direction::bidirectional);
  DistanceTable table(heads, -200, 401);
  t5_bias(table.view(), table.first, {learned.data(), buckets, heads}, bucket);
  for (std::int64_t offset = -200; offset <= 200; ++offset) {
    for (std::size_t h = 0; h < heads; ++h) {
      const auto row = std::size_t(reference::t5_bucket(offset, true, 32, 128));
      CHECK(table.at(h, offset) == learned[row * heads + h]);
    }
  }
}

TEST_CASE("T5 rejects sizes without a logarithm, and tables that do not fit") {
  CHECK_THROWS_MATCHES(T5Buckets(T5Direction::bidirectional, 3), std::invalid_argument,
                       Message("t5_buckets: buckets (rows of the table) must be from 4 to "
                               "8192, got 3"));
  CHECK_THROWS_MATCHES(T5Buckets(T5Direction::causal, 32, 16), std::invalid_argument,
                       Message("t5_buckets: max_distance must be more than 16 (the distances with "
                               "a bucket each) and below 2^32, got 16"));
  DistanceTable table(2, -5, 6);
  const std::vector<float> learned(8);
  CHECK_THROWS_MATCHES(
      t5_bias(table.view(), -5, {learned.data(), 4, 2}, T5Buckets(T5Direction::causal)),
      std::invalid_argument, Message("t5_bias: the table has 4 rows and none for bucket 5"));
}
