// Whole calls. Drawn ones are compared head by head in fuzz/core/attention_cases.cpp.
#include <catch_amalgamated.hpp>

#include "rotary/rotate.hpp"
#include "support/attention_call_case.hpp"

using namespace ropewalk;

namespace {

std::vector<float> tiled(const AttentionCallCase& problem, AttentionScratch& scratch) {
  const AttentionShape& shape = problem.shape;
  std::vector<float> out(shape.batches * shape.heads * shape.queries * shape.value_dim,
                         not_a_number);
  problem.attend({.output = out.data()}, scratch);
  return out;
}

}  // namespace

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

    Rotation rotation(const RowSteps& of_queries, const RowSteps& of_keys) const {
      return {{queries, of_queries}, {keys, of_keys}, {first_keys, of_queries}};
    }
  };
  const auto answer = [&](std::size_t batches, std::size_t first,
                          const std::array<Lists, 2>& lists) {
    call.shape = both.shape;
    call.shape.batches = batches;
    call.q = HeadsView::contiguous(both.q.data() + first * 2 * queries * 8, 2, queries, 8);
    call.k = HeadsView::contiguous(both.k.data() + first * keys * 8, 1, keys, 8);
    call.v = HeadsView::contiguous(both.v.data() + first * keys * 3, 1, keys, 3);
    const auto frequencies = rotary_frequencies(8);
    const RowSteps of_queries{batches > 1 ? queries : 0}, of_keys{batches > 1 ? keys : 0};
    Rotation rotations[] = {lists[0].rotation(of_queries, of_keys),
                            lists[1].rotation(of_queries, of_keys)};
    rotations[1].first_keys = {};
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
