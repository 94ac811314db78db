// Position ids: randomized, Abacus, coupled.
#include "input/position_ids.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <map>

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

TEST_CASE("randomized positions are distinct, ascending, of their range and of their seed") {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const auto positions = randomized_positions(20, 30, seed);
    REQUIRE(positions.size() == 20);
    CHECK(std::ranges::adjacent_find(positions, std::greater_equal()) == positions.end());
    CHECK(positions.front() >= 0);
    CHECK(positions.back() < 30);
    CHECK(positions == randomized_positions(20, 30, seed));
  }
  CHECK(randomized_positions(3, 3, 9) == std::vector<double>{0, 1, 2});
  CHECK_THROWS_MATCHES(randomized_positions(4, 3, 1), std::invalid_argument,
                       MessageMatches(ContainsSubstring("range must be at least 4, got 3")));
}

TEST_CASE("every set of positions is drawn about as often as any other") {
  std::map<std::vector<double>, int> counts;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) ++counts[randomized_positions(2, 4, seed)];
  CHECK(counts.size() == 6);
  for (const auto& [set, count] : counts) {
    CHECK(count > 850);
    CHECK(count < 1150);
  }
}

TEST_CASE("ALiBi's randomized bias is nearer to earlier keys by half a step") {
  std::vector<float> bias(9);
  randomized_alibi(bias, std::vector{2.0}, std::vector{1.0, 4.0}, std::vector{1.0, 3.0});
  CHECK(bias == std::vector<float>{0, -2, -8, -1, 0, -2, -5, -1, 0});
}

TEST_CASE("Abacus counts inside runs of digits, and begins anew with each row") {
  const std::vector<double> digits{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<double> tokens{3, 2, 1, 10, 6, 5, 4, 11, 5, 7, 9, 1};
  std::vector<double> positions(12);
  abacus_positions(positions, tokens, digits, 12, 0);
  CHECK(positions == std::vector<double>{1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4});
  abacus_positions(positions, tokens, digits, 6, 40);
  CHECK(positions == std::vector<double>{41, 42, 43, 0, 41, 42, 41, 0, 41, 42, 43, 44});
}

TEST_CASE("coupled positions give digits of one significance one id") {
  // 653+P49=2070, the sum written from its least significant digit on
  const CoupledSum of{3, 3, 4, 6, false, true, false};
  CHECK(coupled_positions(of) == std::vector<double>{0, 9, 8, 7, 6, 9, 8, 7, 6, 7, 8, 9, 10});
  CHECK(coupled_positions({1, 1, 1, 1}) == std::vector<double>{0, 2, 1, 2, 3, 2});
  CHECK(coupled_positions({1, 2, 2, 1, true, false, true}) ==
        std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
}
