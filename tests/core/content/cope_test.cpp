#include "content/cope.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "support/allocations.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("CoPE counts gates up to the query: logits 0, 1, -1, 2") {
  const std::vector<float> logits = {0, 1, -1, 2};
  std::vector<float> positions(4);
  cope_positions({positions.data(), 1, 4}, {logits.data(), 1, 4}, std::vector{3.0},
                 counted_positions(4), 100);
  const double expected[] = {2.380797078, 1.880797078, 1.149738499, 0.880797078};
  for (std::size_t n = 0; n < 4; ++n) CHECK_THAT(positions[n], WithinAbs(expected[n], 2e-7));

  cope_positions({positions.data(), 1, 4}, {logits.data(), 1, 4}, std::vector{2.0},
                 counted_positions(4), 2);
  CHECK(positions[0] == 1.0f);  // clamped to rows - 1
  CHECK(positions[3] == 0.0f);  // after the query
}

TEST_CASE("a NaN logit spoils its own row and no other") {
  const std::size_t length = 4;
  auto logits = random_floats(length * length, 2);
  logits[2 * length + 1] = std::numeric_limits<float>::quiet_NaN();
  const auto q = random_floats(length * 2, 1), table = random_floats(6, 3);
  const auto at = counted_positions(length);
  std::vector<float> bias(length * length);
  cope_bias({bias.data(), length, length}, {q.data(), length, 2}, {logits.data(), length, length},
            {table.data(), 3, 2}, at, at);
  for (std::size_t m = 0; m < length; ++m) {
    for (std::size_t n = 0; n < length; ++n) {
      CHECK(std::isnan(bias[m * length + n]) == (m == 2 && n <= 1));
    }
  }
}

TEST_CASE("CoPE reads and holds only rows that its keys can reach") {
  const std::size_t queries = 3, keys = 2, dim = 2, rows = 5000;
  const auto q = random_floats(queries * dim, 1), table = random_floats(rows * dim, 3);
  const std::vector<float> logits(queries * keys, 40.0f);  // gates of exactly 1: as far as it goes
  const auto bias_by = [&](std::size_t rows) {
    std::vector<float> bias(queries * keys);
    const std::size_t before = allocated().bytes;
    cope_bias({bias.data(), queries, keys}, {q.data(), queries, dim},
              {logits.data(), queries, keys}, {table.data(), rows, dim},
              std::vector<double>(queries, 1.0), counted_positions(keys));
    return std::pair(bias, allocated().bytes - before);
  };
  const auto [bias, bytes] = bias_by(rows);
  for (std::size_t m = 0; m < queries; ++m) {
    for (std::size_t n = 0; n < keys; ++n) {
      const float* const row = &table[(keys - n) * dim];
      const double read = double(q[m * dim]) * row[0] + double(q[m * dim + 1]) * row[1];
      CHECK_THAT(bias[m * keys + n], WithinAbs(read, 1e-6));
    }
  }
  CHECK(bias_by(keys + 1) == std::pair(bias, bytes));
}
