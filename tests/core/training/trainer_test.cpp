#include "training/trainer.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "kernels/dot.hpp"
#include "support/inputs.hpp"
#include "training/layers.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

TrainerOptions small(std::size_t kind, std::uint64_t seed = 1) {
  TrainerOptions options;
  options.model = {.width = 16, .layers = 2, .heads = 2, .position = {.kind = kind}};
  options.model.position.rows = 24;
  options.batch_size = 3;
  options.length = 12;
  options.schedule = {.steps = 100, .warmup_steps = 10, .learning_rate = 1e-2};
  options.seed = seed;
  return options;
}

TrainerOptions small(const char* kind) { return small(position_kind(kind)); }

bool same_parameters(Trainer& a, Trainer& b) {
  return std::ranges::equal(a.parameters().values(), b.parameters().values(), same_bits);
}

}  // namespace

TEST_CASE("the learning rate rises linearly, then falls along half a cosine") {
  const Schedule schedule{
      .steps = 110, .warmup_steps = 10, .learning_rate = 2.0, .final_share = 0.1};
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
  const auto kind = GENERATE(range(std::size_t{0}, position_kinds().size()));
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

namespace {

// Every scheme, in every form.
std::vector<PositionOptions> position_options() {
  std::vector<PositionOptions> all(position_kinds().size());
  for (std::size_t kind = 0; kind < all.size(); ++kind) all[kind].kind = kind;
  const auto add = [&](const char* kind) -> PositionOptions& {
    return all.emplace_back(PositionOptions{.kind = position_kind(kind)});
  };
  add("ssmax").is_half_split = false;
  PositionOptions& wall = add("wall");
  wall.has_scalar_gate = true;
  wall.gate_bias = 1.0;
  for (const PathGate gate : {PathGate::unscaled, PathGate::scaled}) add("path").path_gate = gate;
  for (const SlopeGates gates : {SlopeGates::key, SlopeGates::query})
    add("grape-a").slope_gates = gates;
  add("stick-breaking").attend_current = true;
  for (const char* kind : {"grape-ap", "row-gates"}) add(kind).gate_width = 2;
  add("selective").is_half_split = false;
  for (PositionOptions& options : all) options.rows = 280;
  return all;
}

}  // namespace

TEST_CASE("the gradients of every scheme agree with central differences of the loss") {
  const auto which = GENERATE(range(std::size_t{0}, position_options().size()));
  TrainerOptions options = small("none");
  options.model.position = position_options()[which];
  options.model.position.base = 100.0;
  Trainer trainer(options);
  for (int i = 0; i < 3; ++i) trainer.step();  // away from initial values without a gradient
  std::vector<std::uint32_t> tokens(24), targets(24);
  for (std::uint32_t i = 0; i < 24; ++i) {
    tokens[i] = (7 * i * i + 3) % 42;
    targets[i] = (tokens[i] + 1) % 42;
  }
  const std::vector<float> weights(24, 1.0f);
  trainer.step({{2, 12, tokens}, targets, weights}, 0.0);
  ParameterList& parameters = trainer.parameters();
  const std::vector<float> start = parameters.values(), gradients = parameters.gradients();
  std::size_t own = 0;
  for (const Parameter& parameter : parameters.all()) {
    const auto gradient = std::span(gradients).subspan(parameter.offset, parameter.size());
    const double norm = std::sqrt(double(dot(gradient, gradient)));
    const double step = 0.004;
    double slope = 0.0;
    for (const double sign : {1.0, -1.0}) {
      parameters.values() = start;
      for (std::size_t i = 0; i < gradient.size() && norm > 0; ++i)
        parameters.values()[parameter.offset + i] += float(sign * step * gradient[i] / norm);
      const MatrixView logits = trainer.decoder().forward({2, 12, tokens});
      slope += sign * cross_entropy_forward(logits, targets, weights) / (2 * step);
    }
    parameters.values() = start;
    CAPTURE(position_kinds()[options.model.position.kind].name, parameter.name, slope, norm);
    CHECK(std::abs(slope - norm) <= 0.01 * norm + 1e-4);
    const bool is_own = parameter.name.find("blocks.1.") == 0 && norm > 1e-5;
    own += is_own ? 1 : 0;
  }
  CHECK(own >= 8);
}

TEST_CASE("a restored trainer continues with the same bits") {
  TrainerOptions options = small("rope");
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

TEST_CASE("a later token changes no bit of an earlier row, in every scheme and at every length") {
  const auto which = GENERATE(range(std::size_t{0}, position_options().size()));
  TrainerOptions options = small("none");
  options.model.position = position_options()[which];
  Trainer trainer(options);
  trainer.step();
  std::vector<std::size_t> lengths(69);  // ends anywhere within tiles
  std::iota(lengths.begin(), lengths.end(), 2);
  lengths.push_back(280);  // more than a block of keys
  for (const std::size_t length : lengths) {
    const auto logits_of = [&](std::size_t first_changed) {
      std::vector<std::uint32_t> tokens(length);
      for (std::uint32_t i = 0; i < length; ++i)
        tokens[i] = (5 * i + (i < first_changed ? 2 : 9)) % 42;
      const MatrixView logits = trainer.decoder().forward({1, length, tokens});
      return std::vector<float>(logits.data, logits.data + logits.rows * logits.cols);
    };
    const std::vector<float> before = logits_of(length);
    for (const std::size_t first : {length / 2, length - 1}) {
      const std::vector<float> after = logits_of(first);
      const auto changed = [&, row = before.size() / length](std::size_t from, std::size_t end) {
        std::size_t count = 0;
        for (std::size_t i = from * row; i < end * row; ++i)
          count += !same_bits(before[i], after[i]);
        return count;
      };
      CAPTURE(position_kinds()[options.model.position.kind].name, length, first);
      CHECK(changed(0, first) == 0);
      CHECK(changed(first, length) > 0);
    }
  }
}

TEST_CASE("an evaluation counts every scored target once, however many sequences it takes") {
  Trainer trainer(small("alibi"));
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

TEST_CASE("an evaluation of no tokens or no sequences is an error") {
  for (const TaskKind kind : {TaskKind::drawers, TaskKind::parity, TaskKind::copy}) {
    TrainerOptions options = small("alibi");
    options.task.kind = kind;
    Trainer trainer(options);
    EvaluationOptions evaluation;
    CHECK_THROWS_WITH(trainer.evaluate(evaluation), ContainsSubstring("must be"));
    evaluation.size = std::size_t{1} << 40;
    CHECK_THROWS_WITH(trainer.evaluate(evaluation), ContainsSubstring("must be"));
    evaluation.size = 8;
    evaluation.sequences = 0;
    CHECK_THROWS_WITH(trainer.evaluate(evaluation),
                      "evaluate: sequences must be at least 1, got 0");
    const std::size_t most = (std::size_t{1} << 30) / trainer.task().length_of(evaluation.size);
    evaluation.sequences = most;
    CHECK(trainer.test_length(evaluation) == trainer.task().length_of(evaluation.size));
    evaluation.sequences = most + 1;
    CHECK_THROWS_WITH(trainer.evaluate(evaluation),
                      ContainsSubstring("sequences x length must be at most 1073741824 tokens"));
  }
}

// Of schemes whose scores are linear in q.
TEST_CASE(
    "a factor of all rows is that factor of the queries, in schemes with scores of their own") {
  const auto kind = GENERATE("rope", "selective", "stick-breaking", "path", "wall");
  Trainer trainer(small(kind));
  for (int i = 0; i < 3; ++i) trainer.step();
  std::vector<std::uint32_t> tokens(12);
  for (std::uint32_t i = 0; i < 12; ++i) tokens[i] = (5 * i + 2) % 42;
  const std::vector<float> factors(12, 3.0f);
  const MatrixView by_rows = trainer.decoder().forward({1, 12, tokens}, {.row_scale = factors});
  const std::vector<float> expected(by_rows.data, by_rows.data + by_rows.rows * by_rows.cols);
  ParameterList& parameters = trainer.parameters();
  for (const Parameter& parameter : parameters.all()) {
    if (!parameter.name.ends_with(".Wq")) continue;
    for (std::size_t i = 0; i < parameter.size(); ++i)
      parameters.values()[parameter.offset + i] *= 3.0f;
  }
  const MatrixView by_queries = trainer.decoder().forward({1, 12, tokens});
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK_THAT(by_queries.data[i], WithinAbs(expected[i], 1e-4));
}

TEST_CASE("a backward pass needs a forward pass as in training, and the shape of its logits") {
  Trainer trainer(small("rope"));
  Decoder& decoder = trainer.decoder();
  const std::vector<std::uint32_t> tokens = {1, 2, 3, 40, 5};
  const std::vector<float> factors(5, 3.0f);
  const RotaryUse mapped{.map = {PositionMapKind::rerope, 2}};
  for (const DecoderUse& use :
       std::initializer_list<DecoderUse>{{.rotary = {.attention_factor = 1.5}},
                                         {.lookback = 2},
                                         {.row_scale = factors},
                                         {.rotary = {.frequencies = std::vector(4, 0.5)}},
                                         {.rotary = mapped}}) {
    CHECK_THROWS_WITH(decoder.backward(decoder.forward({1, 5, tokens}, use)),
                      "decoder: use must be that of training for a backward pass");
  }
  const MatrixView logits = decoder.forward({1, 5, tokens});
  CHECK_THROWS_WITH(decoder.backward({logits.data, 4, logits.cols}),
                    "decoder: gradient of the logits must be 5 x 42, got 4 x 42");
  CHECK_NOTHROW(decoder.backward(logits));
}

TEST_CASE("weights of attention are causal and sum to 1") {
  Trainer trainer(small("rope"));
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
  Trainer trainer(small("none"));
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
  TrainerOptions options = small("none");
  options.model.heads = 3;
  CHECK_THROWS_WITH(Trainer(options), "decoder: width must be a multiple of heads, got 16 and 3");
  options = small("none");
  options.model.vocabulary = 5;
  CHECK_THROWS_WITH(Trainer(options), "trainer: vocabulary must be at least 42, got 5");
  options = small("row-gates");
  options.model.position.gate_width = 0;
  CHECK_THROWS_WITH(Trainer(options), "position: gate_width must be at least 1, got 0");
  options = small("grape-ap");
  options.model.position.gate_width = 3;
  CHECK_THROWS_WITH(Trainer(options), "position: gate_width must be even and positive, got 3");
  options = small("none");
  options.random_positions = 5;
  CHECK_THROWS_WITH(Trainer(options), "trainer: random_positions must be at least 12, got 5");
  Trainer trainer(small("learned"));
  EvaluationOptions evaluation;
  evaluation.size = 48;
  CHECK_THROWS_WITH(trainer.evaluate(evaluation), ContainsSubstring("24"));
  evaluation.draws_positions = true;
  CHECK_THROWS_WITH(trainer.evaluate(evaluation),
                    "evaluate: random_positions of the trainer must be at least the length, 48, "
                    "got 0");
}
