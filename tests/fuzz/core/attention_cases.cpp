#include "fuzz/core/cases.hpp"
#include "rotary/rotate.hpp"
#include "support/attention_call_case.hpp"

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
  if (draws.chance(1, 4))
    band.offset = std::ptrdiff_t(draws.below(2 * keys + 2)) - std::ptrdiff_t(keys);
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
  const std::size_t queries = std::min<std::size_t>(drawn_length(draws), 200),
                    keys = drawn_length(draws);
  AttentionCase problem(queries, keys, draws.size(70), draws.size(70), 1 + draws.bits());
  problem.band = drawn_band(draws, queries, keys);
  problem.scale *= float(draws.uniform(-4, 4));
  if (draws.chance(1, 8)) problem.scale *= 1000;
  if (draws.chance(1, 3)) problem.bias = drawn_bias(draws, draws.chance(1, 2) ? 1 : queries, keys);
  if (draws.chance(1, 3)) problem.distance_bias = draws.floats(queries + keys - 1);
  if (draws.chance(1, 3)) problem.softcap = float(draws.uniform(0.1, 50));
  if (draws.chance(1, 3)) problem.sink = float(draws.uniform(-20, 20));
  if (draws.chance(1, 3)) problem.row_scale = draws.floats(queries);

  compare_paths(comparison, problem);
}

// A value that is not finite in a query reaches its own row, in a key the rows that see it, and in
// a value its own column of these. No bit of the others changes.
void isolation(Draws& draws, Comparison& comparison) {
  const std::size_t queries = draws.size(40), keys = drawn_length(draws);
  AttentionCase problem(queries, keys, draws.size(20), draws.size(20), 1 + draws.bits());
  problem.band = drawn_band(draws, queries, keys);
  if (draws.chance(1, 3)) problem.softcap = float(draws.uniform(0.1, 50));
  if (draws.chance(1, 3)) problem.bias = drawn_bias(draws, draws.chance(1, 2) ? 1 : queries, keys);
  const auto weights = problem.expected().weights;
  const Matrix whole = problem.output(), whole_in_steps = problem.steps().output;
  const std::size_t which = draws.below(3);
  Matrix* const operands[] = {&problem.q, &problem.k, &problem.v};
  Matrix& target = *operands[which];
  const std::size_t row = draws.below(target.rows), column = draws.below(target.cols);
  constexpr float not_finite[] = {not_a_number, infinity, -infinity};
  const float bad = not_finite[draws.below(3)];
  target.at(row, column) = bad;
  const Matrix out = problem.output(), in_steps = problem.steps().output;
  for (std::size_t m = 0; m < queries; ++m) {
    const bool sees = which == 0 ? m == row : problem.sees(m, row);
    for (std::size_t d = 0; d < out.cols; ++d) {
      const bool is_reached = sees && (which < 2 || d == column);
      // What an infinity becomes, and a NaN that has hardly any weight, is not said here.
      if (is_reached && (which == 0 || !std::isnan(bad) || weights[m][row] < 1e-30)) continue;
      comparison.add(out.at(m, d), is_reached ? not_a_number : whole.at(m, d), 0);
      comparison.add(in_steps.at(m, d), is_reached ? not_a_number : whole_in_steps.at(m, d), 0);
    }
  }
}

// Rotations that share the keys between them are one rotation, wherever each begins.
void rotations(Draws& draws, Comparison& comparison) {
  const std::size_t queries = draws.size(60), keys = drawn_length(draws);
  AttentionCase problem(queries, keys, draws.size(20), draws.size(20), 1 + draws.bits());
  problem.band = drawn_band(draws, queries, keys);
  const std::vector<double> of_queries(queries), of_keys(keys);
  std::vector<std::uint32_t> near(queries), far(queries);
  for (std::size_t m = 0; m < queries; ++m) {
    far[m] = std::uint32_t(draws.below(keys + 1));
    near[m] = far[m] + std::uint32_t(draws.below(keys + 1 - far[m]));
  }
  const Rotation thirds[] = {{{of_queries}, {of_keys}, {near}},
                             {{of_queries}, {of_keys}, {far}},
                             {{of_queries}, {of_keys}}};
  AttentionRotary rotary;
  rotary.rotations = thirds;
  compare_paths(comparison, problem, &rotary);
}

PositionMap drawn_map(Draws& draws) {
  const auto kind = PositionMapKind(draws.below(5));
  const double window = double(draws.size(40)), second = double(draws.size(10));
  return {kind, kind == PositionMapKind::dual_chunk ? window + second : window, second};
}

void calls(Draws& draws, Comparison& comparison) { drawn_call(draws, 8).compare(comparison); }

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
                          {"rotations", rotations},
                          {"calls", calls},
                          {"silence", silence}};

}  // namespace

AttentionCallCase drawn_call(Draws& draws, std::size_t most_sharing) {
  const std::size_t key_heads = draws.size(3), sharing = draws.size(most_sharing),
                    queries = draws.size(draws.chance(1, 2) ? 3 : 50);
  const std::size_t keys = std::min<std::size_t>(drawn_length(draws), 300), batches = draws.size(3);
  AttentionCallCase problem(
      {batches, key_heads * sharing, key_heads, queries, keys, draws.size(20), draws.size(12)},
      1 + draws.bits());
  const AttentionShape& shape = problem.shape;
  problem.band = drawn_band(draws, queries, keys);
  problem.band.key_length = all_keys;
  problem.ends_at_last_key = draws.chance(1, 2);
  if (draws.chance(1, 2)) {
    for (std::size_t b = 0; b < batches; ++b)
      problem.key_lengths.push_back(double(draws.below(keys + 1)));
  }
  if (draws.chance(1, 3)) {
    const std::size_t counts[] = {1, shape.heads, shape.heads * batches};
    problem.row_scale = draws.floats(queries * counts[draws.below(3)]);
  }
  if (draws.chance(1, 3) && problem.stands_at_keys()) {
    problem.terms = draws.floats(batches * shape.heads * keys);
    if (draws.chance(1, 2)) problem.later = draws.floats(problem.terms.size());
  }
  if (draws.chance(1, 3)) problem.sinks = draws.floats(shape.heads);
  if (draws.chance(1, 3)) problem.softcap = float(draws.uniform(0.1, 50));
  if (draws.chance(1, 3)) problem.slopes = draws.floats(shape.heads);
  const auto extents = [&] {
    const auto extent = [&](std::size_t full) { return draws.chance(1, 2) ? full : 1; };
    return std::array{extent(batches), extent(shape.heads), extent(queries), extent(keys)};
  };
  const auto count = [](const auto& extents) {
    return extents[0] * extents[1] * extents[2] * extents[3];
  };
  if (draws.chance(1, 3)) {
    problem.bias_extents = extents();
    problem.bias = draws.floats(count(problem.bias_extents));
  }
  if (draws.chance(1, 3)) {
    problem.mask_extents = extents();
    Random random(1 + draws.bits());
    for (std::size_t i = count(problem.mask_extents); i > 0; --i)
      problem.mask.push_back(random.bits() % 3);
    problem.true_attends = draws.chance(1, 2);
  }
  if (draws.chance(1, 2)) {
    problem.map = drawn_map(draws);
    if (problem.map->rotations() > 1) problem.band.lookahead = 0;  // causal schemes
    if (shape.dim > 1) problem.frequencies = rotary_frequencies(2 * draws.size(shape.dim / 2));
    if (draws.chance(1, 2)) problem.layout = RotaryLayout::half_split;
  }
  return problem;
}

std::span<const Case> attention_cases() { return cases; }

const Case& drawn_case(Draws& draws) {
  const std::span<const Case> groups[] = {
      attention_cases(), gradient_cases(), position_cases(),  bias_cases(),        content_cases(),
      input_cases(),     rotary_cases(),   text_bias_cases(), text_product_cases()};
  // A third of the draws are attention, which has the most to get wrong.
  const auto group = groups[draws.chance(1, 3) ? 0 : 1 + draws.below(std::size(groups) - 1)];
  return group[draws.below(group.size())];
}

}  // namespace ropewalk::fuzz
