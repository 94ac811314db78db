#include "fuzz/core/cases.hpp"
#include "support/attention_case.hpp"

namespace ropewalk::fuzz {
namespace {

// Some hidden keys, and now and then a row without any.
Matrix drawn_bias(Draws& draws, std::size_t rows, std::size_t cols) {
  Matrix bias = draws.matrix(rows, cols);
  const double hidden = draws.uniform(0, 1);
  const float factor = draws.chance(1, 4) ? 1000.0f : 1.0f;
  Random random(draws.bits());
  for (float& value : bias.values) value = random.uniform() < hidden ? -infinity : value * factor;
  return bias;
}

Band drawn_band(Draws& draws, std::size_t queries, std::size_t keys) {
  Band band;
  if (draws.chance(1, 2)) band.offset = std::ptrdiff_t(keys) - std::ptrdiff_t(queries);
  if (draws.chance(1, 4)) band.offset = std::ptrdiff_t(draws.below(2 * keys + 2)) - std::ptrdiff_t(keys);
  if (draws.chance(1, 2)) band.lookahead = draws.chance(1, 2) ? 0 : draws.below(keys + 2);
  if (draws.chance(1, 3)) band.lookback = draws.below(keys + 2);
  if (draws.chance(1, 4)) band.key_length = draws.below(keys + 2);
  return band;
}

std::size_t drawn_length(Draws& draws) {
  constexpr std::size_t most[] = {4, 30, 90, 600};
  return draws.size(most[draws.below(4)]);
}

// Every option, and the paths with and without steps.
void attention(Draws& draws, Comparison& comparison) {
  const std::size_t queries = std::min<std::size_t>(drawn_length(draws), 200), keys = drawn_length(draws);
  AttentionCase problem(queries, keys, draws.size(70), draws.size(70), 1 + draws.bits());
  problem.band = drawn_band(draws, queries, keys);
  problem.scale *= float(draws.uniform(-4, 4));
  if (draws.chance(1, 8)) problem.scale *= 1000;
  if (draws.chance(1, 3)) problem.bias = drawn_bias(draws, draws.chance(1, 2) ? 1 : queries, keys);
  if (draws.chance(1, 3)) problem.distance_bias = draws.floats(queries + keys - 1);
  if (draws.chance(1, 3)) problem.softcap = float(draws.uniform(0.1, 50));
  if (draws.chance(1, 3)) problem.sink = float(draws.uniform(-20, 20));
  if (draws.chance(1, 3)) problem.row_scale = draws.floats(queries);

  const auto exact = problem.expected();
  std::vector<float> log_sum_exp;
  compare_outputs(comparison, problem, problem.output(&log_sum_exp), exact);
  compare_log_sum_exp(comparison, problem, log_sum_exp, exact);
  const auto steps = problem.steps();
  compare_outputs(comparison, problem, steps.output, exact);
  compare_log_sum_exp(comparison, problem, steps.log_sum_exp, exact);
}

// A NaN in a key or a value reaches the rows that see it and changes no bit of the others.
void isolation(Draws& draws, Comparison& comparison) {
  const std::size_t queries = draws.size(40), keys = drawn_length(draws);
  AttentionCase problem(queries, keys, draws.size(20), draws.size(20), 1 + draws.bits());
  problem.band = drawn_band(draws, queries, keys);
  if (draws.chance(1, 3)) problem.softcap = float(draws.uniform(0.1, 50));
  const Matrix whole = problem.output(), whole_in_steps = problem.steps().output;
  const std::size_t poisoned = draws.below(keys);
  Matrix& target = draws.chance(1, 2) ? problem.k : problem.v;
  for (float& value : target.view().row(poisoned)) value = not_a_number;
  const Matrix out = problem.output(), in_steps = problem.steps().output;
  for (std::size_t m = 0; m < queries; ++m) {
    const bool sees = problem.sees(m, poisoned);
    for (std::size_t d = 0; d < out.cols; ++d) {
      comparison.add(out.at(m, d), sees ? not_a_number : whole.at(m, d), 0);
      comparison.add(in_steps.at(m, d), sees ? not_a_number : whole_in_steps.at(m, d), 0);
    }
  }
}

// Sources that share the keys between them are one source, wherever each begins.
void sources(Draws& draws, Comparison& comparison) {
  const std::size_t queries = draws.size(60), keys = drawn_length(draws);
  AttentionCase problem(queries, keys, draws.size(20), draws.size(20), 1 + draws.bits());
  problem.band = drawn_band(draws, queries, keys);
  std::vector<std::uint32_t> near(queries), far(queries);
  for (std::size_t m = 0; m < queries; ++m) {
    far[m] = std::uint32_t(draws.below(keys + 1));
    near[m] = far[m] + std::uint32_t(draws.below(keys + 1 - far[m]));
  }
  const ScoreSource all[] = {{problem.q.view(), problem.k.view(), near},
                             {problem.q.view(), problem.k.view(), far},
                             {problem.q.view(), problem.k.view()}};
  AttentionScratch scratch;
  Matrix tiled(queries, problem.v.cols, not_a_number), in_steps = tiled;
  attend(tiled.view(), all, problem.v.view(), problem.options(), scratch);
  attend_in_steps(in_steps.view(), {}, all, problem.v.view(), problem.options());
  const auto exact = problem.expected();
  compare_outputs(comparison, problem, tiled, exact);
  compare_outputs(comparison, problem, in_steps, exact);
}

// Far above any other score, so that the weights of the others are exactly 0.
float drawn_height(Draws& draws) {
  constexpr float heights[] = {300.0f, 2000.0f, 1e5f, 1e30f};
  return heights[draws.below(4)];
}

// One key, or the sink, outweighs all others: NaN and infinities in their values change nothing,
// whichever blocks they and the key are in.
void silence(Draws& draws, Comparison& comparison) {
  const std::size_t queries = draws.size(40), keys = drawn_length(draws);
  AttentionCase problem(queries, keys, draws.size(20), draws.size(20), 1 + draws.bits());
  if (draws.chance(1, 2)) problem.band = drawn_band(draws, queries, keys);
  if (draws.chance(1, 3)) problem.distance_bias = draws.floats(queries + keys - 1);
  const std::size_t tower = draws.below(keys);
  const bool is_sink = draws.chance(1, 3);
  problem.bias = Matrix(1, keys, 0.0f);
  (is_sink ? problem.sink : problem.bias.values[tower]) = drawn_height(draws);

  AttentionCase poisoned = problem;
  constexpr float poisons[] = {not_a_number, infinity, -infinity, 3e38f};
  for (std::size_t n = 0; n < keys; ++n) {
    if ((n == tower && !is_sink) || draws.chance(1, 3)) continue;
    for (float& value : poisoned.v.view().row(n)) value = poisons[draws.below(4)];
  }
  const Matrix tiled = poisoned.output(), in_steps = poisoned.steps().output;
  for (std::size_t m = 0; m < queries; ++m) {
    if (!is_sink && !problem.sees(m, tower)) continue;  // the others share the weight
    for (std::size_t d = 0; d < tiled.cols; ++d) {
      const double exact = is_sink ? 0.0 : problem.v.at(tower, d);
      const double bound = 8 * rounding * std::abs(exact);  // of a weight of 1
      comparison.add(tiled.at(m, d), exact, bound);
      comparison.add(in_steps.at(m, d), exact, bound);
    }
  }
}

constexpr Case cases[] = {{"attention", attention},
                          {"isolation", isolation},
                          {"sources", sources},
                          {"silence", silence}};

}  // namespace

std::span<const Case> attention_cases() { return cases; }

const Case& drawn_case(Draws& draws) {
  const std::span<const Case> groups[] = {attention_cases(), position_cases(), bias_cases(),
                                          content_cases(),   input_cases(),    kernel_cases(),
                                          rotary_cases()};
  // A third of the draws are attention, which has the most to get wrong.
  const auto group = groups[draws.chance(1, 3) ? 0 : 1 + draws.below(6)];
  return group[draws.below(group.size())];
}

}  // namespace ropewalk::fuzz
