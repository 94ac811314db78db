#include "training/trainer.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>

#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

TrainerOptions small(PositionKind kind, std::uint64_t seed = 1) {
  TrainerOptions options;
  options.model = {.width = 16, .layers = 2, .heads = 2, .position = {.kind = kind}};
  options.model.position.rows = 24;
  options.sequences = 3;
  options.length = 12;
  options.schedule = {.steps = 100, .warm_up = 10, .learning_rate = 1e-2};
  options.seed = seed;
  return options;
}

bool same_parameters(Trainer& a, Trainer& b) {
  return std::ranges::equal(a.parameters().values(), b.parameters().values(), same_bits);
}

}  // namespace

TEST_CASE("the learning rate rises linearly, then falls along half a cosine") {
  const Schedule schedule{.steps = 110, .warm_up = 10, .learning_rate = 2.0, .final_share = 0.1};
  CHECK(schedule.rate(1) == 0.2);
  CHECK(schedule.rate(10) == 2.0);
  for (const std::uint64_t t : {11, 35, 60, 85, 109}) {
    const double done = double(t - 10) / 100.0;
    const double expected = 2.0 * (0.1 + 0.9 * 0.5 * (1.0 + std::cos(std::numbers::pi * done)));
    CHECK_THAT(schedule.rate(t), WithinAbs(expected, 1e-14));
  }
  CHECK_THAT(schedule.rate(110), WithinAbs(0.2, 1e-15));
  CHECK_THAT(schedule.rate(1000), WithinAbs(0.2, 1e-15));
}

TEST_CASE("one seed gives one sequence of bits, for every scheme") {
  const auto kind = static_cast<PositionKind>(GENERATE(range(0, 11)));
  Trainer one(small(kind)), other(small(kind)), third(small(kind, 2));
  for (int i = 0; i < 5; ++i) {
    const double loss = one.step().loss;
    CHECK(std::isfinite(loss));
    CHECK(loss == other.step().loss);
    third.step();
  }
  CHECK(same_parameters(one, other));
  CHECK_FALSE(same_parameters(one, third));
}

TEST_CASE("a restored trainer continues with the same bits") {
  TrainerOptions options = small(PositionKind::rope);
  options.random_positions = 64;
  Trainer one(options);
  for (int i = 0; i < 4; ++i) one.step();
  options.seed = 9;
  Trainer other(options);
  other.parameters().values() = one.parameters().values();
  other.parameters().first_moments() = one.parameters().first_moments();
  other.parameters().second_moments() = one.parameters().second_moments();
  other.restore(one.steps_taken(), one.random_state());
  for (int i = 0; i < 4; ++i) CHECK(one.step().loss == other.step().loss);
  CHECK(same_parameters(one, other));
}

TEST_CASE("changing a future token never changes an earlier row of the logits") {
  const auto kind = static_cast<PositionKind>(GENERATE(range(0, 11)));
  Trainer trainer(small(kind));
  trainer.step();
  std::vector<std::uint32_t> tokens(12);
  for (std::uint32_t i = 0; i < 12; ++i) tokens[i] = (5 * i + 2) % 42;
  const auto logits_of = [&] {
    const MatrixView logits = trainer.decoder().forward({1, 12, tokens});
    return std::vector<float>(logits.data, logits.data + logits.rows * logits.cols);
  };
  const std::vector<float> before = logits_of();
  tokens[8] = 41;
  const std::vector<float> after = logits_of();
  const std::size_t width = before.size() / 12;
  for (std::size_t i = 0; i < 8 * width; ++i) CHECK(same_bits(before[i], after[i]));
  bool differs = false;
  for (std::size_t i = 8 * width; i < before.size(); ++i)
    differs = differs || before[i] != after[i];
  CHECK(differs);
}

TEST_CASE("an evaluation counts every scored target once, however many sequences it takes") {
  Trainer trainer(small(PositionKind::alibi));
  EvaluationOptions options;
  options.size = 40;
  options.sequences = 150;  // more than one batch
  const Evaluation e = trainer.evaluate(options);
  CHECK(e.length == 40);
  double count = 0;
  for (std::size_t place = 0; place < 40; ++place) {
    count += e.count[place];
    CHECK(e.correct[place] <= e.count[place]);
    if (place < 20) CHECK(e.count[place] == 0);
  }
  CHECK(count > 150);
  CHECK(e.whole_sequences >= 0.0);
  CHECK(e.whole_sequences < 1.0);
  const Evaluation again = trainer.evaluate(options);
  CHECK(e.loss == again.loss);
}

TEST_CASE("weights of attention are causal and sum to 1") {
  Trainer trainer(small(PositionKind::rope));
  const std::vector<std::uint32_t> tokens = {1, 2, 3, 40, 5};
  trainer.decoder().forward({1, 5, tokens});
  std::vector<float> weights(2 * 5 * 5);
  trainer.decoder().attention_weights(1, weights);
  for (std::size_t row = 0; row < 10; ++row) {
    double sum = 0;
    for (std::size_t key = 0; key < 5; ++key) {
      if (key > row % 5) CHECK(weights[row * 5 + key] == 0.0f);
      sum += weights[row * 5 + key];
    }
    CHECK_THAT(sum, WithinAbs(1.0, 1e-6));
  }
  CHECK_THROWS_WITH(trainer.decoder().attention_weights(2, weights),
                    "decoder: layer must be below 2, got 2");
}

TEST_CASE("a loss that is not finite leaves the parameters as they were") {
  Trainer trainer(small(PositionKind::none));
  trainer.parameters().values()[0] = std::numeric_limits<float>::quiet_NaN();
  std::ranges::fill(trainer.parameters().row(0), std::numeric_limits<float>::quiet_NaN());
  const std::vector<float> before = trainer.parameters().values();
  std::vector<std::uint32_t> tokens(12, 0), targets(12, 1);
  const std::vector<float> weights(12, 1.0f);
  const StepResult result = trainer.step({{1, 12, tokens}, targets, weights}, 1e-2);
  CHECK(std::isnan(result.loss));
  CHECK(trainer.steps_taken() == 0);
  CHECK(std::ranges::equal(before, trainer.parameters().values(), same_bits));
}

TEST_CASE("sizes that do not fit each other are errors") {
  TrainerOptions options = small(PositionKind::none);
  options.model.heads = 3;
  CHECK_THROWS_WITH(Trainer(options), "decoder: width must be a multiple of heads, got 16 and 3");
  options = small(PositionKind::none);
  options.model.vocabulary = 5;
  CHECK_THROWS_WITH(Trainer(options), "trainer: vocabulary must be at least 42, got 5");
  options = small(PositionKind::none);
  options.random_positions = 5;
  CHECK_THROWS_WITH(Trainer(options), "trainer: random_positions must be at least 12, got 5");
  Trainer trainer(small(PositionKind::learned));
  EvaluationOptions evaluation;
  evaluation.size = 48;
  CHECK_THROWS_WITH(trainer.evaluate(evaluation), ContainsSubstring("24"));
  evaluation.draws_positions = true;
  CHECK_THROWS_WITH(trainer.evaluate(evaluation),
                    "evaluate: random_positions of the trainer must be at least the length, 48, "
                    "got 0");
}
