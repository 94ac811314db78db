// A bias from prefix sums in attention, beside the same sums written out, and its gradient.
#include "content/prefix_sums.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "support/attention_case.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinAbs;

namespace {

const Band causal{.offset = 0, .lookback = all_keys, .lookahead = 0, .key_length = all_keys};

// Scores of one head whose keys are zero: the bias alone, for every query and key that it sees.
Matrix bias_alone(const PrefixSumBias& bias, std::size_t queries, std::size_t keys,
                  const Band& band) {
  const Matrix zeros(std::max(queries, keys), 1);
  const ScoreModifier* modifiers[] = {&bias};
  AttentionCall call;
  call.shape = {1, 1, 1, queries, keys, 1, 1};
  call.q = call.k = call.v = HeadsView::contiguous(zeros.values.data(), 1, queries, 1);
  call.band = band;
  call.modifiers = modifiers;
  Matrix output(queries, 1), biased(queries, keys);
  AttentionScratch scratch;
  attend(call, {.output = output.values.data(), .biased = biased.values.data()}, scratch);
  return biased;
}

std::vector<double> sums_of(const std::vector<float>& numbers, PrefixTerm kind) {
  std::vector<double> sums(numbers.size());
  prefix_sums(sums, numbers, 1, kind);
  return sums;
}

}  // namespace

TEST_CASE("a key counts the terms after it, up to and with that of the query") {
  const auto sums = sums_of({-.1f, -.2f, -.3f, -.4f}, PrefixTerm::number);
  const Matrix bias = bias_alone(PrefixSumBias(sums), 4, 4, causal);
  const double last[] = {-.9, -.7, -.4, 0};
  for (std::size_t n = 0; n < 4; ++n) CHECK_THAT(bias.at(3, n), WithinAbs(last[n], 1e-7));
  CHECK(bias.at(0, 1) == -infinity);
}

TEST_CASE("gates of 0 halve the weight at each step, in FoX and in CABLE") {
  for (const PrefixTerm kind : {PrefixTerm::log_sigmoid, PrefixTerm::log_sigmoid_of_negative}) {
    const auto sums = sums_of(std::vector<float>(3), kind);
    CHECK_THAT(sums[2], WithinAbs(-3 * std::log(2.0), 1e-15));
  }
  CHECK(prefix_term(PrefixTerm::log_sigmoid, 2.0) ==
        prefix_term(PrefixTerm::log_sigmoid_of_negative, -2.0));
  CHECK_THAT(prefix_term(PrefixTerm::log_sigmoid, -1000.0), WithinAbs(-1000.0, 1e-12));
}

TEST_CASE("later keys count the terms up to their own, by default the same ones") {
  const auto sums = sums_of({-1.f, -2.f, -4.f}, PrefixTerm::number);
  const auto later = sums_of({-10.f, -20.f, -40.f}, PrefixTerm::number);
  CHECK(bias_alone(PrefixSumBias(sums), 3, 3, {}).at(0, 2) == -6.0f);
  CHECK(bias_alone(PrefixSumBias(sums, {}, later), 3, 3, {}).at(0, 2) == -60.0f);
  CHECK(bias_alone(PrefixSumBias(sums, {}, later), 3, 3, {}).at(2, 0) == -6.0f);
}

TEST_CASE("differences of long prefixes keep the digits of a short one") {
  constexpr std::size_t length = 3000;
  std::vector<float> terms = random_floats(length, 3);
  for (float& term : terms) term = -std::abs(term) - 1.0f;
  const auto sums = sums_of(terms, PrefixTerm::number);
  REQUIRE(sums.back() < -5000);
  const Band band{
      .offset = length - 1, .lookback = all_keys, .lookahead = 0, .key_length = all_keys};
  const Matrix bias = bias_alone(PrefixSumBias(sums), 1, length, band);
  double exact = 0;
  for (std::size_t n = length; n-- > 0;) {
    CHECK(std::abs(bias.at(0, n) - exact) <= 2e-7 * std::abs(exact));
    exact += terms[n];
  }
}

TEST_CASE("prefix sums report shapes that do not fit") {
  const std::vector<double> sums(3);
  const PrefixSumBias bias(sums);
  CHECK_THROWS_MATCHES(bias_alone(bias, 4, 4, causal), std::invalid_argument,
                       MessageMatches(ContainsSubstring("prefix sums must have 4 values, got 3")));
  CHECK_THROWS_MATCHES(bias_alone(bias, 4, 3, {}), std::invalid_argument,
                       MessageMatches(ContainsSubstring("must stand at one of 3 keys, got 3")));
  CHECK_THROWS_MATCHES(sums_of({infinity}, PrefixTerm::number), std::invalid_argument,
                       MessageMatches(ContainsSubstring("must be finite, got")));
}
