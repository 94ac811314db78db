#include "training/window_trainer.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <numeric>

#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::size_t vocabulary = 19;

// A Llama with random parameters.
struct SmallLlama {
  SmallLlama() : decoder(options(), parameters) {
    Random random(3);
    decoder.initialize(random);
  }

  static DecoderOptions options() {
    DecoderOptions options;
    options.vocabulary = vocabulary;
    options.width = 16;
    options.heads = 4;
    options.key_heads = 2;
    options.hidden = 24;
    options.activation = Activation::silu;
    options.is_gated = options.is_tied = true;
    options.position.kind = position_kind("rope");
    return options;
  }

  ParameterList parameters;
  Decoder decoder;
};

WindowTrainerOptions usual(std::uint64_t seed = 0) {
  WindowTrainerOptions options;
  options.schedule = {.steps = 20, .warmup_steps = 2, .learning_rate = 1e-2, .weight_decay = 0.0};
  options.windows = 5;
  options.batch_size = 2;
  options.seed = seed;
  return options;
}

std::vector<std::uint32_t> some_windows(std::size_t count, std::size_t size) {
  std::vector<std::uint32_t> tokens(count * size);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<std::uint32_t>((5 * i * i + 3 * i) % vocabulary);
  return tokens;
}

}  // namespace

TEST_CASE("each window is drawn once before any comes again, in an order from the seed") {
  SmallLlama llama;
  const auto order = [&](std::uint64_t seed) {
    WindowTrainer trainer(llama.decoder, llama.parameters, usual(seed));
    std::vector<std::size_t> drawn;
    for (int step = 0; step < 10; ++step) {
      const auto windows = trainer.draw();
      REQUIRE(windows.size() == 2);
      drawn.insert(drawn.end(), windows.begin(), windows.end());
    }
    return drawn;
  };
  const auto drawn = order(1);
  for (std::size_t pass = 0; pass < 4; ++pass) {
    std::vector<std::size_t> sorted(drawn.begin() + 5 * pass, drawn.begin() + 5 * (pass + 1));
    std::ranges::sort(sorted);
    CHECK(sorted == std::vector<std::size_t>{0, 1, 2, 3, 4});
  }
  CHECK(order(1) == drawn);
  CHECK(order(2) != drawn);
}

TEST_CASE("a step on windows is a step on their tokens, each with the next one as its target") {
  SmallLlama llama, other;
  WindowTrainer trainer(llama.decoder, llama.parameters, usual());
  const auto windows = some_windows(2, 9);
  std::vector<std::uint32_t> tokens, targets;
  for (std::size_t first : {0, 9}) {
    tokens.insert(tokens.end(), windows.begin() + first, windows.begin() + first + 8);
    targets.insert(targets.end(), windows.begin() + first + 1, windows.begin() + first + 9);
  }
  const std::vector<float> weights(16, 1.0f);
  std::uint64_t steps = 0;
  for (int i = 1; i <= 3; ++i) {
    const StepResult expected =
        take_step(other.decoder, other.parameters, {{2, 8, tokens}, targets, weights},
                  usual().schedule.step_options(i), steps);
    const StepResult result = trainer.step(windows, 2);
    CHECK(result.loss == expected.loss);
    CHECK(result.gradient_norm == expected.gradient_norm);
    CHECK(result.learning_rate == usual().schedule.rate(i));
  }
  CHECK(std::ranges::equal(llama.parameters.values(), other.parameters.values(), same_bits));
  CHECK(trainer.step(windows, 2, 0.25).learning_rate == 0.25);
  CHECK(trainer.steps_taken() == 4);
}

TEST_CASE("a trainer takes its gradients and moments with it, and leaves what was learned") {
  SmallLlama llama;
  const std::vector<float> start = llama.parameters.values();
  const auto windows = some_windows(1, 12);
  const auto first_loss = [&] {
    WindowTrainer trainer(llama.decoder, llama.parameters, usual());
    const double loss = trainer.step(windows, 1).loss;
    for (int i = 0; i < 5; ++i) trainer.step(windows, 1);
    return loss;
  };
  const double before = first_loss(), after = first_loss();
  CHECK(after < 0.8 * before);
  CHECK(std::ranges::all_of(llama.parameters.first_moments(), [](float m) { return m == 0.0f; }));
  // As from the start: nothing is left of the moments either.
  llama.parameters.values() = start;
  CHECK(first_loss() == before);
  CHECK(first_loss() == after);
}

TEST_CASE("a trainer rejects windows that it cannot train on, and forms without a gradient") {
  SmallLlama llama;
  WindowTrainerOptions none = usual();
  none.windows = 0;
  WindowTrainer trainer(llama.decoder, llama.parameters, none);
  CHECK_THROWS_WITH(trainer.draw(), ContainsSubstring("windows must be at least 1"));
  for (const auto& [tokens, count] : {std::pair{7, 2}, {3, 3}, {4, 0}})
    CHECK_THROWS_WITH(trainer.step(some_windows(1, tokens), count),
                      ContainsSubstring("windows must have at least two tokens each"));
  CHECK(trainer.steps_taken() == 0);
  DecoderOptions options = SmallLlama::options();
  options.has_sinks = true;
  ParameterList parameters;
  Decoder decoder(options, parameters);
  CHECK_THROWS_WITH(WindowTrainer(decoder, parameters, usual()),
                    ContainsSubstring("has_sinks must be false"));
}
