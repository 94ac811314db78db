#include <catch_amalgamated.hpp>
#include <cmath>

#include "reference/training.hpp"
#include "support/central_differences.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"
#include "training/layers.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;

namespace {

// Logits with targets and weights; every fifth weight is 0.
struct Predictions {
  Matrix logits;
  std::vector<std::uint32_t> targets;
  std::vector<float> weights;

  Predictions(std::size_t rows, std::size_t vocabulary, float scale)
      : logits(random_matrix(rows, vocabulary, 1)) {
    Random random(8);
    for (float& logit : logits.values) logit *= scale;
    for (std::size_t r = 0; r < rows; ++r) {
      targets.push_back(static_cast<std::uint32_t>(random.bits() % vocabulary));
      weights.push_back(r % 5 == 1 ? 0.0f : static_cast<float>(random.uniform(0.1, 2.0)));
    }
  }
};

}  // namespace

TEST_CASE("cross-entropy agrees with its reference, its gradient with central differences") {
  const std::size_t rows = GENERATE(1, 3, 17), vocabulary = GENERATE(2, 11, 64, 65, 257);
  const Predictions given(rows, vocabulary, GENERATE(1.0f, 20.0f));
  const Table logits = table_of(given.logits);
  const double loss = cross_entropy_forward(given.logits.view(), given.targets, given.weights);
  const double expected = reference::cross_entropy(logits, given.targets, given.weights);
  double spread = 0;
  for (const double logit : logits.values) spread = std::max(spread, 2 * std::abs(logit));
  const std::size_t pieces = (vocabulary + 63) / 64;
  // The logarithm of a sum has the sum's relative error as its absolute one.
  const double bound = softmax_error(0.0, spread, vocabulary, pieces);
  CHECK_THAT(loss, WithinAbs(expected, bound));

  Matrix d_logits(rows, vocabulary, no_number);
  cross_entropy_backward(d_logits.view(), given.logits.view(), given.targets, given.weights);
  const Table differences = gradient(logits, [&](const Table& at) {
    return reference::cross_entropy(at, given.targets, given.weights);
  });
  double weight_sum = 0;
  for (const float weight : given.weights) weight_sum += weight;
  Comparison comparison;
  bool is_zero = true;
  for (std::size_t r = 0; r < rows; ++r) {
    const double share = given.weights[r] / weight_sum;
    for (std::size_t c = 0; c < vocabulary; ++c) {
      is_zero = is_zero && d_logits.at(r, c) == 0.0f;
      comparison.add(d_logits.at(r, c), differences.at(r, c),
                     (bound + 4 * rounding) * share + 1e-9);
    }
  }
  CHECK_THAT(comparison, WithinBounds());
  // Far apart, the largest of few logits takes the whole weight.
  if (spread < 60) CHECK(!is_zero);
  if (spread < 20) CHECK(relative_error(d_logits.values, differences) < 2e-6);

  Matrix in_place = given.logits;
  cross_entropy_backward(in_place.view(), in_place.view(), given.targets, given.weights);
  CHECK(in_place.values == d_logits.values);
}

TEST_CASE("each row of cross-entropy's gradient sums to 0") {
  const Predictions given(17, 65, 3.0f);
  Matrix d_logits(17, 65);
  cross_entropy_backward(d_logits.view(), given.logits.view(), given.targets, given.weights);
  for (std::size_t r = 0; r < 17; ++r) {
    double sum = 0;
    for (const float value : d_logits.view().row(r)) sum += value;
    CHECK_THAT(sum, WithinAbs(0.0, 1e-7));
  }
}

TEST_CASE("a row of weight 0 does not count, whatever its logits are; all weights 0 give 0") {
  Predictions given(3, 11, 1.0f);
  REQUIRE(given.weights[1] == 0.0f);
  const double loss = cross_entropy_forward(given.logits.view(), given.targets, given.weights);
  std::ranges::fill(given.logits.view().row(1), no_number);
  CHECK(cross_entropy_forward(given.logits.view(), given.targets, given.weights) == loss);
  Matrix d_logits(3, 11, no_number);
  cross_entropy_backward(d_logits.view(), given.logits.view(), given.targets, given.weights);
  for (const float value : d_logits.view().row(1)) CHECK(same_bits(value, 0.0f));
  CHECK(d_logits.at(0, 0) != 0.0f);

  const std::vector<float> none(3, 0.0f);
  CHECK(cross_entropy_forward(given.logits.view(), given.targets, none) == 0.0);
  std::ranges::fill(d_logits.values, no_number);
  cross_entropy_backward(d_logits.view(), given.logits.view(), given.targets, none);
  for (const float value : d_logits.values) CHECK(same_bits(value, 0.0f));
  CHECK(cross_entropy_forward({}, {}, {}) == 0.0);
}

TEST_CASE("equal logits cost ln V, and weights are relative") {
  const Matrix logits(2, 8, 3.0f);
  const std::vector<std::uint32_t> targets = {0, 7};
  CHECK_THAT(cross_entropy_forward(logits.view(), targets, std::vector{1.0f, 1.0f}),
             WithinAbs(std::log(8.0), 1e-6));
  CHECK_THAT(cross_entropy_forward(logits.view(), targets, std::vector{5.0f, 15.0f}),
             WithinAbs(std::log(8.0), 1e-6));
}

TEST_CASE("cross-entropy rejects a target without a column and a weight below 0, by name") {
  Predictions given(3, 11, 1.0f);
  Matrix d_logits(3, 11, 5.0f), wide(3, 12);
  const auto check = [&](const char* text) {
    const auto& [logits, targets, weights] = given;
    CHECK_THROWS_MATCHES(cross_entropy_forward(logits.view(), targets, weights),
                         std::invalid_argument, Message(text));
    CHECK_THROWS_MATCHES(cross_entropy_backward(d_logits.view(), logits.view(), targets, weights),
                         std::invalid_argument, Message(text));
    CHECK(d_logits.values == Matrix(3, 11, 5.0f).values);
  };
  SECTION("target") {
    given.targets[2] = 11;
    check("cross_entropy: logits has 11 columns and none for target 11");
  }
  SECTION("weight") {
    given.weights[2] = -0.5f;
    check("cross_entropy: a weight must be at least 0 and finite, got -0.5");
  }
  SECTION("number of targets") {
    given.targets.pop_back();
    check("cross_entropy: targets must have 3 values, as logits has rows, got 2");
  }
  SECTION("number of weights") {
    given.weights.pop_back();
    check("cross_entropy: weights must have 3 values, as logits has rows, got 2");
  }
  SECTION("shape") {
    CHECK_THROWS_MATCHES(
        cross_entropy_backward(wide.view(), given.logits.view(), given.targets, given.weights),
        std::invalid_argument,
        Message("cross_entropy_backward: d_logits must be 3 x 11, got 3 x 12"));
  }
}
