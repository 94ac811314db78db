// Whole calls: what batches, heads, groups of heads, alignment, padding and rotations mean, each
// head against the same head as a problem of its own.
#include <catch_amalgamated.hpp>

#include "rotary/rotate.hpp"
#include "support/attention_call_case.hpp"

using namespace ropewalk;

namespace {

struct Outputs {
  std::vector<float> output, scores, capped, biased, weights, entropy, log_sum_exp;
};

Outputs in_steps(const AttentionCallCase& problem) {
  const AttentionShape& shape = problem.shape;
  const std::size_t rows = shape.batches * shape.heads * shape.queries;
  const std::vector<float> cells(rows * shape.keys, not_a_number), one(rows, not_a_number);
  Outputs out{std::vector<float>(rows * shape.value_dim, not_a_number),
              cells,
              cells,
              cells,
              cells,
              one,
              one};
  AttentionScratch scratch;
  problem.attend({out.output.data(), out.scores.data(), out.capped.data(), out.biased.data(),
                  out.weights.data(), out.entropy.data(), out.log_sum_exp.data()},
                 scratch);
  return out;
}

std::vector<float> tiled(const AttentionCallCase& problem, AttentionScratch& scratch) {
  const AttentionShape& shape = problem.shape;
  std::vector<float> out(shape.batches * shape.heads * shape.queries * shape.value_dim,
                         not_a_number);
  problem.attend({.output = out.data()}, scratch);
  return out;
}

Matrix head_of(const std::vector<float>& all, std::size_t rows, std::size_t cols,
               std::size_t index) {
  const auto first = all.begin() + std::ptrdiff_t(index * rows * cols);
  return {rows, cols, std::vector<float>(first, first + std::ptrdiff_t(rows * cols))};
}

// Tiled and in steps, every head.
void check(const AttentionCallCase& problem) {
  const AttentionShape& shape = problem.shape;
  AttentionScratch scratch;
  const std::vector<float> output = tiled(problem, scratch);
  const Outputs steps = in_steps(problem);
  for (std::size_t b = 0; b < shape.batches; ++b) {
    for (std::size_t h = 0; h < shape.heads; ++h) {
      const AttentionCase one = problem.head(b, h);
      const auto exact = one.expected();
      const std::size_t index = b * shape.heads + h;
      Comparison comparison;
      compare_outputs(comparison, one, head_of(output, shape.queries, shape.value_dim, index),
                      exact);
      compare_outputs(comparison, one, head_of(steps.output, shape.queries, shape.value_dim, index),
                      exact);
      compare_log_sum_exp(comparison, one,
                          head_of(steps.log_sum_exp, 1, shape.queries, index).values, exact);
      const Matrix scores = head_of(steps.scores, shape.queries, shape.keys, index);
      const Matrix biased = head_of(steps.biased, shape.queries, shape.keys, index);
      const Matrix weights = head_of(steps.weights, shape.queries, shape.keys, index);
      for (std::size_t m = 0; m < shape.queries; ++m) {
        const double relative = one.weight_error(m, exact);
        for (std::size_t n = 0; n < shape.keys; ++n) {
          const double weight = exact.weights[m][n];
          if (one.sees(m, n))
            comparison.add(scores.at(m, n), exact.scores[m][n], one.score_error(m, n));
          comparison.add(biased.at(m, n), exact.biased[m][n],
                         one.biased_error(m, n, exact.capped[m][n]));
          comparison.add(weights.at(m, n), weight, relative * weight + least_weight);
        }
      }
      INFO("batch " << b << " head " << h << " of " << shape.heads << " over " << shape.key_heads
                    << ", " << shape.queries << " queries, " << shape.keys << " keys");
      CHECK_THAT(comparison, WithinBounds());
    }
  }
}

}  // namespace

TEST_CASE("query heads read the key head of their group, whatever their number") {
  const std::size_t queries = GENERATE(1, 2, 3, 30), key_heads = GENERATE(1, 2, 3);
  for (const std::size_t sharing : {1, 2, 3, 8}) {
    AttentionCallCase problem({2, key_heads * sharing, key_heads, queries, 270, 6, 5}, 7);
    problem.ends_at_last_key = true;
    problem.band.lookahead = 0;
    problem.sinks = random_floats(problem.shape.heads, 3);
    check(problem);
  }
}

TEST_CASE(
    "each head's own options reach that head, also where one query per head is a row of a tile") {
  const std::size_t queries = GENERATE(1, 4);
  AttentionCallCase problem({3, 6, 2, queries, 40, 4, 3}, 9);
  problem.slopes = random_floats(6, 1);
  problem.sinks = random_floats(6, 2);
  problem.softcap = 3.0f;
  problem.row_scale = random_floats(queries, 4);
  problem.bias_extents = {3, 6, queries, 40};
  problem.bias = random_floats(3 * 6 * queries * 40, 5);
  problem.key_lengths = {40, 17, 1};
  problem.ends_at_last_key = true;
  problem.band.lookback = 20;
  check(problem);
}

TEST_CASE("biases and masks of every shape that broadcasts") {
  for (std::size_t which = 0; which < 16; ++which) {
    AttentionCallCase problem({2, 4, 2, 5, 37, 4, 3}, which);
    const auto extent = [&](std::size_t axis, std::size_t full) {
      return which >> axis & 1 ? full : 1;
    };
    const std::array<std::size_t, 4> extents{extent(0, 2), extent(1, 4), extent(2, 5),
                                             extent(3, 37)};
    const std::size_t count = extents[0] * extents[1] * extents[2] * extents[3];
    problem.bias_extents = problem.mask_extents = extents;
    problem.bias = random_floats(count, which + 1);
    for (std::size_t i = 0; i < count; ++i)
      problem.mask.push_back(i * 7 % 5 == 0 ? 0 : std::uint8_t(i % 3 + 1));
    problem.true_attends = which % 3 != 0;
    check(problem);
    problem.bias.clear();
    check(problem);
  }
}

TEST_CASE(
    "padding moves nothing that is aligned with the first key, and all that is aligned with the "
    "last") {
  const bool ends_at_last_key = GENERATE(false, true);
  AttentionCallCase problem({4, 2, 1, 6, 30, 8, 3}, 3);
  problem.ends_at_last_key = ends_at_last_key;
  problem.key_lengths = {30, 12, 6, 2};
  problem.slopes = {0.5f, 0.125f};
  problem.frequencies = rotary_frequencies(8);
  problem.map = PositionMap{};
  check(problem);
  problem.band.lookahead = 0;
  check(problem);
}

TEST_CASE("schemes with several rotations give every pair the relative position of their map") {
  const std::size_t keys = GENERATE(50, 300), queries = GENERATE(1, 2, 7, 50);
  const PositionMap maps[] = {{},
                              {PositionMapKind::rerope, 9},
                              {PositionMapKind::leaky_rerope, 40, 8},
                              {PositionMapKind::self_extend, 12, 4},
                              {PositionMapKind::dual_chunk, 24, 6}};
  for (std::size_t which = 0; which < std::size(maps); ++which) {
    AttentionCallCase problem({2, 2, 1, queries, keys, 10, 5}, which);
    problem.frequencies = rotary_frequencies(8);
    problem.layout = which % 2 ? RotaryLayout::half_split : RotaryLayout::interleaved;
    problem.map = maps[which];
    problem.ends_at_last_key = true;
    problem.band.lookahead = 0;
    check(problem);
    problem.key_lengths = {double(keys), double(keys - 10)};
    problem.softcap = 5.0f;
    check(problem);
  }
}

TEST_CASE("the last rotation may take the place of q and k") {
  AttentionCallCase problem({2, 4, 2, 9, 20, 8, 3}, 3);
  problem.frequencies = rotary_frequencies(8);
  problem.map = PositionMap{PositionMapKind::dual_chunk, 8, 2};
  AttentionScratch scratch;
  const std::vector<float> apart = tiled(problem, scratch);
  AttentionCall call;
  call.shape = problem.shape;
  std::vector<float> q = problem.q, k = problem.k, out(apart.size());
  call.q = HeadsView::contiguous(q.data(), 4, 9, 8);
  call.k = HeadsView::contiguous(k.data(), 2, 20, 8);
  call.v = HeadsView::contiguous(problem.v.data(), 2, 20, 3);
  call.scale = problem.scale;
  MappedRotations mapped;
  set_rotations(mapped, *problem.map, call);
  AttentionRotary rotary{mapped.rotations, problem.frequencies};
  rotary.q = q.data();
  rotary.k = k.data();
  call.rotary = &rotary;
  attend(call, {.output = out.data()}, scratch);
  CHECK(out == apart);
  CHECK(q != problem.q);
}

TEST_CASE("positions and first keys may differ from batch to batch") {
  const std::size_t queries = 7, keys = 30;
  AttentionCallCase both({2, 2, 1, queries, keys, 8, 3}, 5);
  AttentionCall call;
  struct Lists {
    std::vector<double> queries, keys;
    std::vector<std::uint32_t> first_keys;

    Rotation rotation(std::size_t step) const { return {queries, keys, {first_keys, step}}; }
  };
  const auto answer = [&](std::size_t batches, std::size_t first,
                          const std::array<Lists, 2>& lists) {
    call.shape = both.shape;
    call.shape.batches = batches;
    call.q = HeadsView::contiguous(both.q.data() + first * 2 * queries * 8, 2, queries, 8);
    call.k = HeadsView::contiguous(both.k.data() + first * keys * 8, 1, keys, 8);
    call.v = HeadsView::contiguous(both.v.data() + first * keys * 3, 1, keys, 3);
    const auto frequencies = rotary_frequencies(8);
    const Rotation rotations[] = {lists[0].rotation(batches > 1 ? queries : 0),
                                  {lists[1].queries, lists[1].keys, {}}};
    const AttentionRotary rotary{rotations, frequencies};
    call.rotary = &rotary;
    std::vector<float> out(batches * 2 * queries * 3);
    AttentionScratch scratch;
    attend(call, {.output = out.data()}, scratch);
    return out;
  };
  std::array<Lists, 2> joined, parts[2];
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t b = 0; b < 2; ++b) {
      for (Lists* lists : {&joined[r], &parts[b][r]}) {
        for (std::size_t i = 0; i < queries; ++i) {
          lists->queries.push_back(double(i * (b + 1) + r));
          lists->first_keys.push_back(std::uint32_t(i * (2 + b)));
        }
        for (std::size_t n = 0; n < keys; ++n) lists->keys.push_back(double(n) / double(b + 1));
      }
    }
  }
  std::vector<float> one_by_one = answer(1, 0, parts[0]);
  const std::vector<float> second = answer(1, 1, parts[1]);
  one_by_one.insert(one_by_one.end(), second.begin(), second.end());
  CHECK(answer(2, 0, joined) == one_by_one);
}

TEST_CASE("rows that see no key are zeros, or NaN when requested") {
  AttentionCallCase problem({1, 2, 1, 5, 3, 4, 2}, 5);
  problem.ends_at_last_key = true;
  problem.band.lookahead = 0;
  AttentionCall call;
  call.shape = problem.shape;
  call.q = HeadsView::contiguous(problem.q.data(), 2, 5, 4);
  call.k = HeadsView::contiguous(problem.k.data(), 1, 3, 4);
  call.v = HeadsView::contiguous(problem.v.data(), 1, 3, 2);
  call.ends_at_last_key = true;
  call.band.lookahead = 0;
  AttentionScratch scratch;
  for (const bool nan : {false, true}) {
    call.fully_masked_row = nan ? FullyMaskedRow::nan : FullyMaskedRow::zeros;
    std::vector<float> out(2 * 5 * 2), weights(2 * 5 * 3), entropy(10, not_a_number);
    attend(call, {.output = out.data(), .weights = weights.data(), .entropy = entropy.data()},
           scratch);
    for (std::size_t row = 0; row < 10; ++row) {
      const bool sees = row % 5 >= 2;
      CHECK(std::isnan(out[2 * row]) == (nan && !sees));
      CHECK(std::isnan(weights[3 * row]) == (nan && !sees));
      CHECK((sees || nan || (out[2 * row] == 0.0f && weights[3 * row] == 0.0f)));
      CHECK(std::isfinite(entropy[row]));
    }
  }
}
