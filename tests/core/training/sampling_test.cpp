#include "training/sampling.hpp"

#include <array>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <vector>

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::vector<float> logits{0.5f, 2.0f, -1.0f, 2.0f, 1.0f};

std::array<double, 5> shares(const Sampling& sampling, std::size_t draws = 40000) {
  Random random(3);
  std::array<double, 5> counts{};
  for (std::size_t i = 0; i < draws; ++i)
    counts[sample(logits, sampling, random)] += 1.0 / double(draws);
  return counts;
}

}  // namespace

TEST_CASE("at temperature 0 the first of the largest logits is taken, and no random number") {
  Random random(3);
  CHECK(sample(logits, {}, random) == 1);
  CHECK(random.state() == Random(3).state());
}

TEST_CASE("tokens are drawn as often as the softmax says") {
  for (const double temperature : {0.5, 1.0, 3.0}) {
    double sum = 0.0;
    for (const float logit : logits) sum += std::exp(double(logit) / temperature);
    const auto found = shares({temperature, 1.0});
    for (std::size_t i = 0; i < logits.size(); ++i)
      CHECK(std::abs(found[i] - std::exp(double(logits[i]) / temperature) / sum) < 0.01);
  }
}

TEST_CASE("with top_p only the most probable tokens are drawn, in their proportions") {
  // Probabilities: 1 and 3 have 0.367 each, 4 has 0.135.
  const auto two = shares({1.0, 0.7});
  CHECK(two[0] + two[2] + two[4] == 0.0);
  CHECK(std::abs(two[1] - 0.5) < 0.01);
  const auto three = shares({1.0, 0.8});
  CHECK(three[0] + three[2] == 0.0);
  CHECK(std::abs(three[4] - 0.155) < 0.01);
  CHECK(shares({1.0, 1e-9})[1] == Catch::Approx(1.0));
}

TEST_CASE("sampling rejects what it cannot draw from") {
  Random random(1);
  CHECK_THROWS_WITH(sample({}, {}, random), ContainsSubstring("logits must have at least 1"));
  CHECK_THROWS_WITH(sample(logits, {-1.0, 1.0}, random),
                    ContainsSubstring("temperature must be at least 0 and finite, got -1"));
  for (const double top_p : {0.0, 1.5})
    CHECK_THROWS_WITH(sample(logits, {1.0, top_p}, random),
                      ContainsSubstring("top_p must be above 0 and at most 1, got"));
  const std::vector<float> wrong{0.0f, std::numeric_limits<float>::quiet_NaN()};
  CHECK_THROWS_WITH(sample(wrong, {}, random), ContainsSubstring("logits must be finite"));
}
