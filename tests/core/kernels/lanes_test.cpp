#include "kernels/lanes.hpp"

#include <catch_amalgamated.hpp>
#include <vector>

#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;

TEST_CASE("for_lanes visits every index once: whole groups first, then what remains") {
  const std::size_t count = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  std::vector<std::size_t> visited;
  for_lanes(
      count,
      [&](std::size_t i) {
        CHECK(i % Lanes::size == 0);
        for (std::size_t lane = 0; lane < Lanes::size; ++lane) visited.push_back(i + lane);
      },
      [&](std::size_t i) {
        CHECK(i >= count - count % Lanes::size);
        visited.push_back(i);
      });
  REQUIRE(visited.size() == count);
  for (std::size_t i = 0; i < count; ++i) CHECK(visited[i] == i);
}

TEST_CASE("multiply_add is a b + c within two roundings, from any address") {
  const auto values = random_floats(300 * Lanes::size, 3);
  float result[Lanes::size + 1];
  Comparison comparison;
  for (std::size_t at = 0; at + 3 * Lanes::size <= values.size(); ++at) {
    const float *a = &values[at], *b = a + Lanes::size, *c = b + Lanes::size;
    store(result + at % 2, multiply_add(load(a), load(b), load(c)));
    for (std::size_t lane = 0; lane < Lanes::size; ++lane) {
      const double product = double(a[lane]) * b[lane], sum = product + c[lane];
      const double bound = rounding * (std::abs(product) + std::abs(sum)) * (1 + epsilon);
      comparison.add(result[at % 2 + lane], sum, bound);
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}
