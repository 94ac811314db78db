// Calls of schemes that read positions from the text, with every option of attention.
#include <functional>

#include "attention/backward.hpp"
#include "attention/quantized_heads.hpp"
#include "content/cope.hpp"
#include "content/edge_sums.hpp"
#include "content/grape.hpp"
#include "content/path.hpp"
#include "content/prefix_sums.hpp"
#include "content/stick_breaking.hpp"
#include "content/wall.hpp"
#include "support/attention_case.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

// Operands of a call, and what schemes read beside them.
struct Text {
  AttentionShape shape;
  std::vector<float> q, k, v, w, betas, gates, channel_gates;
  std::vector<double> sums, channel_sums;

  explicit Text(const AttentionShape& shape, std::uint64_t seed = 1) : shape(shape) {
    const std::size_t tokens = shape.batches * shape.heads * shape.keys,
                      key_rows = shape.batches * shape.key_heads * shape.keys;
    q = random_floats(shape.batches * shape.heads * shape.queries * shape.dim, seed);
    k = random_floats(key_rows * shape.dim, seed + 1);
    v = random_floats(key_rows * shape.value_dim, seed + 2);
    w = random_floats(key_rows * shape.dim, seed + 3);
    for (float& value : w) value *= 0.3f;
    betas = random_floats(key_rows, seed + 4);
    gates = random_floats(tokens, seed + 5);
    channel_gates = random_floats(tokens * shape.dim, seed + 6);
    sums.resize(tokens);
    prefix_sums(sums, gates, shape.batches * shape.heads, PrefixTerm::log_sigmoid);
    channel_sums = wall_sums(channel_gates, shape.keys, shape.dim, PrefixTerm::log_sigmoid);
  }

  AttentionCall causal_call() const {
    AttentionCall call;
    call.shape = shape;
    call.q = HeadsView::contiguous(q.data(), shape.heads, shape.queries, shape.dim);
    call.k = HeadsView::contiguous(k.data(), shape.key_heads, shape.keys, shape.dim);
    call.v = HeadsView::contiguous(v.data(), shape.key_heads, shape.keys, shape.value_dim);
    call.scale = 0.4f;
    call.band.lookahead = 0;
    return call;
  }
};

void with_modifier(const ScoreModifier& modifier, AttentionCall call,
                   const std::function<void(const AttentionCall&)>& use) {
  const ScoreModifier* modifiers[] = {&modifier};
  call.modifiers = modifiers;
  use(call);
}

std::vector<float> output_of(const AttentionCall& call) {
  std::vector<float> output(
      call.shape.batches * call.shape.heads * call.shape.queries * call.shape.value_dim,
      not_a_number);
  AttentionScratch scratch;
  attend(call, {.output = output.data()}, scratch);
  return output;
}

}  // namespace

TEST_CASE("a query before the first key that sees one is refused where its own key is read") {
  const Text text({1, 4, 2, 3, 5, 6, 5});
  AttentionCall call = text.causal_call();
  call.band.offset = -1;
  call.band.lookahead = GENERATE(std::size_t{1}, all_keys);
  PathScores path(call, {HeadsView::contiguous(text.w.data(), 2, 5, 6), text.betas});
  WallScores wall(call, text.channel_sums);
  for (const auto product : std::initializer_list<decltype(call.product)>{&path, &wall}) {
    AttentionCall attached = call;
    attached.product = product;
    CHECK_THROWS_WITH(output_of(attached),
                      ContainsSubstring("attention: lookahead must be 0 with"));
  }
  with_modifier(PrefixSumBias(text.sums), call, [](const AttentionCall& attached) {
    CHECK_THROWS_WITH(output_of(attached), ContainsSubstring("at one of 5 keys, got -1"));
  });
  const auto answers = [](const AttentionCall& attached) { CHECK_NOTHROW(output_of(attached)); };
  const ConstMatrixView rows(text.channel_gates.data(), text.gates.size(), 6);
  for (const EdgeRange range : {EdgeRange::after_key, EdgeRange::before_query})
    with_modifier(EdgeSumBias(rows, rows, random_floats(4, 8), 0.5f, range), call, answers);
  const auto lists = random_floats(4 * 10, 9);
  const auto positions = counted_positions(5);
  with_modifier(DistanceBias(lists, 4, -4, nullptr, {positions}), call, answers);
}

TEST_CASE("modifiers out of the order of their steps are refused") {
  const std::vector<float> factors{1, 1, 1}, gates(12, 0.1f);
  const std::uint8_t all[] = {1};
  const RowScale scale({factors});
  const Softcap cap(2);
  const GatedSlopeBias bias({}, gates);
  const OwnKeyMask own;
  const BooleanMask mask(all, {{1, 1, 1, 1}}, true);
  const Text text({1, 4, 2, 3, 3, 6, 5});
  AttentionCall call = text.causal_call();
  const std::vector<std::vector<const ScoreModifier*>> wrong{
      {&cap, &scale}, {&bias, &cap}, {&bias, &scale}, {&own, &scale},
      {&own, &cap},   {&own, &bias}, {&mask, &bias},  {&scale, &cap, &mask, &bias}};
  for (const auto& modifiers : wrong) {
    call.modifiers = modifiers;
    CHECK_THROWS_WITH(output_of(call),
                      ContainsSubstring("attention: modifiers must be in the order"));
  }
  for (const auto& modifiers : std::vector<std::vector<const ScoreModifier*>>{
           {&scale, &cap, &bias, &mask, &own}, {&scale, &own}, {&own, &mask}}) {
    call.modifiers = modifiers;
    CHECK_NOTHROW(output_of(call));
  }
}

TEST_CASE("a modifier that is inserted stands in the order of steps, before those of its own") {
  const std::vector<float> factors{1}, gates(4, 0.1f), values(1);
  const std::uint8_t all[] = {1};
  const RowScale scale({factors});
  const Softcap cap(2);
  const GatedSlopeBias slopes({}, gates);
  const Bias bias(values, {{1, 1, 1, 1}});
  const OwnKeyMask own;
  const BooleanMask mask(all, {{1, 1, 1, 1}}, true);
  std::vector<const ScoreModifier*> modifiers;
  for (const ScoreModifier* modifier :
       std::initializer_list<const ScoreModifier*>{&bias, &mask, &cap, &own, &slopes, &scale})
    insert_modifier(modifiers, *modifier);
  CHECK(modifiers == std::vector<const ScoreModifier*>{&scale, &cap, &slopes, &bias, &own, &mask});
}

namespace {

// Outputs of stick-breaking in blocks, and with all keys in one.
std::vector<std::vector<float>> sticks_of(AttentionCall call) {
  call.weighting = stick_breaking_step;
  std::vector<float> weights(call.shape.batches * call.shape.heads * call.shape.queries *
                             call.shape.keys),
      output = output_of(call), in_one(output.size());
  AttentionScratch scratch;
  attend(call, {.output = in_one.data(), .weights = weights.data()}, scratch);
  return {output, in_one};
}

}  // namespace

TEST_CASE("a value that stick-breaking leaves no weight reaches no row, in any number of blocks") {
  const std::size_t queries = GENERATE(1, 3, 40), keys = 600;
  const float bad = GENERATE(not_a_number, infinity, 3e38f);
  Text text({1, 4, 2, queries, keys, 6, 5});
  // Of the stick each key leaves a hundredth: nothing after ten of them.
  std::ranges::fill(text.q, 1.0f);
  std::ranges::fill(text.k, 4.6f / 6 / 0.4f);
  AttentionCall call = text.causal_call();
  call.band.offset = std::ptrdiff_t(keys - queries);
  const auto clean = sticks_of(call);
  for (std::size_t n = 0; n + queries + 12 < keys; ++n) {
    for (std::size_t h = 0; h < 2; ++h)
      std::ranges::fill(std::span(text.v).subspan((h * keys + n) * 5, 5), bad);
  }
  CHECK(sticks_of(call) == clean);
  CHECK(std::ranges::all_of(clean[0], [](float value) { return std::isfinite(value); }));
}

TEST_CASE("a value that is seen reaches stick-breaking's rows, in any number of blocks") {
  const std::size_t queries = GENERATE(1, 3, 40), keys = 600, at = GENERATE(0, 256, 559, 570);
  const float bad = GENERATE(infinity, 1e35f);
  Text text({1, 4, 2, queries, keys, 6, 5});
  std::ranges::fill(text.q, 0.1f);  // weights of every key
  AttentionCall call = text.causal_call();
  call.scale = 1.0f;
  std::ranges::fill(text.k, -7.0f);
  call.band.offset = std::ptrdiff_t(keys - queries);
  for (std::size_t h = 0; h < 2; ++h)
    std::ranges::fill(std::span(text.v).subspan((h * keys + at) * 5, 5), bad);
  const double share = 1 / (1 + std::exp(4.2));
  for (const auto& output : sticks_of(call)) {
    for (std::size_t i = 0; i < output.size(); ++i) {
      const std::size_t own = keys - queries + i / 5 % queries;
      if (at > own) {
        CHECK(std::abs(output[i]) < 10);
        continue;
      }
      const double weight = share * std::pow(1 - share, double(own - at));
      if (std::abs(output[i] / (bad * weight) - 1) > 1e-4 && output[i] != bad) {
        CAPTURE(i, own);
        CHECK(output[i] == bad * float(weight));
      }
    }
  }
}

TEST_CASE("values that no sum can hold are added once, however many heads share them") {
  const std::size_t queries = GENERATE(1, 2, 7), heads = GENERATE(1, 2, 3), dim = GENERATE(4, 64);
  Text text({1, heads, 1, queries, 300, dim, 3});
  for (std::size_t i = 0; i < text.q.size(); ++i) text.q[i] = float(i / (queries * dim));
  std::ranges::fill(text.k, 0.0f);
  for (std::size_t d = 0; d < dim; ++d) text.k[17 * dim + d] = -30.0f / float(dim);
  std::ranges::fill(text.v, 0.0f);
  for (std::size_t c = 0; c < 3; ++c) text.v[17 * 3 + c] = 1e36f;
  AttentionCall call = text.causal_call();
  call.scale = 1.0f;
  call.band.lookahead = all_keys;
  const std::vector<float> output = output_of(call);
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double power = std::exp(-30.0 * double(i / (queries * 3)));
    CAPTURE(i);
    CHECK_THAT(output[i] / (1e36 * power / (299 + power)), WithinAbs(1.0, 1e-4));
  }
}

TEST_CASE("a NaN score of CoPE stays NaN and is no index") {
  const Matrix table = random_matrix(5, 6, 9);
  Text text({1, 1, 1, 4, 4, 6, 5});
  text.k[2 * 6] = not_a_number;
  const ContextualBias bias(HeadsView::contiguous(text.q.data(), 1, 4, 6), table.view());
  with_modifier(bias, text.causal_call(), [&](const AttentionCall& call) {
    const std::vector<float> output = output_of(call);
    for (std::size_t i = 0; i < 20; ++i) CHECK(std::isnan(output[i]) == (i >= 10));
  });
}

TEST_CASE("CoPE counts no key that is hidden, by a mask as by a window") {
  const Matrix table = random_matrix(5, 6, 9);
  Text text({1, 1, 1, 1, 9, 6, 5});
  const ContextualBias bias(HeadsView::contiguous(text.q.data(), 1, 1, 6), table.view());
  AttentionCall call = text.causal_call();
  call.band.offset = 8;
  std::vector<std::uint8_t> mask{1, 1, 1, 1, 1, 1, 0, 0, 0};
  const BooleanMask masked(mask, {{1, 1, 1, 9}}, true);
  std::vector<const ScoreModifier*> modifiers;
  insert_modifier(modifiers, bias);
  insert_modifier(modifiers, masked);
  call.modifiers = modifiers;
  text.k[7 * 6] = not_a_number;  // hidden
  const std::vector<float> by_mask = output_of(call);
  const double length[] = {6};
  call.key_lengths = length;
  call.modifiers = std::span(modifiers).last(1);
  const std::vector<float> by_length = output_of(call);
  for (std::size_t c = 0; c < 5; ++c) CHECK_THAT(by_mask[c], WithinAbs(by_length[c], 1e-6));
}

TEST_CASE("positions of a bias by distance must be whole numbers that differences can hold") {
  const double bad = GENERATE(double(not_a_number), double(infinity), 1e300, -1e19, 0.5);
  const Text text({1, 1, 1, 3, 3, 6, 5});
  const std::vector<double> positions{0, 1, bad};
  const std::vector<float> lists(100);
  const DistanceBias bias(lists, 1, -50, nullptr, {positions});
  with_modifier(bias, text.causal_call(), [&](const AttentionCall& call) {
    CHECK_THROWS_WITH(output_of(call),
                      ContainsSubstring("attention: positions must be whole numbers"));
  });
}

TEST_CASE("a call that breaks its contract is refused before any work") {
  const Text text({1, 2, 1, 3, 3, 6, 5});
  const std::vector<double> positions = counted_positions(3), frequencies{1.0};
  const Rotation rotation{{positions}, {positions}};
  std::vector<float> rotated(text.q.size());
  AttentionRotary rotary{.rotations = {&rotation, 1}, .frequencies = frequencies};
  WallScores wall(text.causal_call(), text.channel_sums);
  const QuantizedValues stored({});
  const std::vector<float> sinks(2);
  const double half[] = {1.5}, none[] = {not_a_number};
  AttentionScratch scratch;
  std::vector<float> output(2 * 3 * 5), rows(6), gradient(text.q.size());
  const auto refuses = [&](auto change, const char* rule) {
    AttentionCall call = text.causal_call();
    change(call);
    CHECK_THROWS_WITH(attend(call, {.output = output.data()}, scratch), ContainsSubstring(rule));
  };
  refuses([&](AttentionCall& call) { call.band.key_length = 2; },
          "attention: band.key_length must not be set: use key_lengths, got 2");
  refuses([&](AttentionCall& call) { call.key_lengths = half; },
          "attention: key_lengths must be whole numbers from 0 to 3, got 1.5");
  refuses([&](AttentionCall& call) { call.key_lengths = none; },
          "attention: key_lengths must be whole numbers from 0 to 3, got nan");
  refuses([&](AttentionCall& call) { call.stored_rows = 2; },
          "attention: stored_rows must be 0 or at least 3, got 2");
  const std::vector<double> many(4, 1.0), angles(12);
  const Rotation turned{{angles}, {angles}};
  const AttentionRotary wide{.rotations = {&rotation, 1}, .frequencies = many},
      wide_angles{.rotations = {&turned, 1}, .angle_pairs = 4};
  for (const AttentionRotary* rotations : {&wide, &wide_angles})
    refuses([&](AttentionCall& call) { call.rotary = rotations; },
            "attention: pairs of the rotary must be at most 3, got 4");
  refuses(
      [&](AttentionCall& call) {
        call.rotary = &rotary;
        call.product = &wall;
      },
      "attention: rotary must be null with a product scheme");
  refuses(
      [&](AttentionCall& call) {
        call.weighting = stick_breaking_step;
        call.sinks = sinks;
      },
      "attention: sinks must be empty with a weighting, got 2");
  refuses(
      [&](AttentionCall& call) {
        call.weighting = stick_breaking_step;
        call.fully_masked_row = FullyMaskedRow::nan;
      },
      "attention: fully_masked_row must be zeros with a weighting");

  AttentionCall call = text.causal_call();
  CHECK_THROWS_WITH(attend(call, {.scores = output.data()}, scratch),
                    ContainsSubstring("attention: output must not be null"));
  CHECK_THROWS_WITH(attend(call, {.output = output.data(), .remainder = rows.data()}, scratch),
                    ContainsSubstring("attention: remainder must be null without a weighting"));
  call.weighting = stick_breaking_step;
  CHECK_THROWS_WITH(attend(call, {.output = output.data(), .log_sum_exp = rows.data()}, scratch),
                    ContainsSubstring("attention: log_sum_exp must be null with a weighting"));
  const auto refuses_backward = [&](const char* rule) {
    CHECK_THROWS_WITH(attend_backward(call, {output.data(), rows.data(), output.data()},
                                      {gradient.data(), gradient.data(), gradient.data()}, scratch),
                      ContainsSubstring(rule));
  };
  refuses_backward("attention: a weighting without a gradient cannot be differentiated");
  call.weighting = nullptr;
  call.stored_v = &stored;
  refuses_backward("attention: stored_v must be null for gradients");
  call.stored_v = nullptr;
  rotary.q = rotated.data();
  call.rotary = &rotary;
  refuses_backward("attention: q and k of the rotary must be null for gradients");
  rotary.q = nullptr;
  rotary.k = rotated.data();
  refuses_backward("attention: q and k of the rotary must be null for gradients");
  call.rotary = nullptr;
  QuantizedKeys keys({}, call);
  call.product = &keys;
  refuses_backward("attention: a product without a gradient cannot be differentiated");
}
