// Causal attention of every scheme: a later token changes no bit of an earlier row, at lengths that
// end anywhere within tiles and blocks.
#include <catch_amalgamated.hpp>
#include <functional>

#include "attention/attention.hpp"
#include "content/cope.hpp"
#include "content/edge_sums.hpp"
#include "content/grape.hpp"
#include "content/path.hpp"
#include "content/polar.hpp"
#include "content/prefix_sums.hpp"
#include "content/relative.hpp"
#include "content/selective.hpp"
#include "content/stick_breaking.hpp"
#include "content/wall.hpp"
#include "rotary/accumulated.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;

namespace {

constexpr std::size_t heads = 2, dim = 4;

// The operands of a call: a row per head and token in each list. Schemes read theirs from `text`.
struct Tokens {
  std::size_t length;
  std::vector<float> q, k, v, text;

  explicit Tokens(std::size_t length)
      : length(length),
        q(random_floats(heads * length * dim, 1)),
        k(random_floats(heads * length * dim, 2)),
        v(random_floats(heads * length * dim, 3)),
        text(random_floats(heads * length * dim, 4)) {}

  // The same with other tokens from `first` on.
  Tokens changed_from(std::size_t first) const {
    Tokens tokens = *this;
    for (std::vector<float>* list : {&tokens.q, &tokens.k, &tokens.v, &tokens.text}) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        if (i / dim % length >= first) (*list)[i] = 1 - 3 * (*list)[i];
      }
    }
    return tokens;
  }

  HeadsView view(const std::vector<float>& list) const {
    return HeadsView::contiguous(list.data(), heads, length, dim);
  }
  AttentionCall call() const {
    AttentionCall call;
    call.shape = {1, heads, heads, length, length, dim, dim};
    call.q = view(q);
    call.k = view(k);
    call.v = view(v);
    call.scale = 0.5f;
    call.band.lookahead = 0;
    return call;
  }
  // The first `count` numbers of each row of `text`.
  std::vector<float> first_of_text(std::size_t count) const {
    std::vector<float> list;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (i % dim < count) list.push_back(text[i]);
    return list;
  }
  std::vector<float> gates() const { return first_of_text(1); }
};

std::vector<float> output_of(const AttentionCall& call, float* scores = nullptr) {
  std::vector<float> output(heads * call.shape.queries * dim);
  AttentionScratch scratch;
  attend(call, {.output = output.data(), .scores = scores}, scratch);
  return output;
}

std::vector<float> with_modifier(const Tokens& tokens, const ScoreModifier& modifier) {
  const ScoreModifier* modifiers[] = {&modifier};
  AttentionCall call = tokens.call();
  call.modifiers = modifiers;
  return output_of(call);
}

std::vector<float> with_rotations(const Tokens& tokens, std::span<const Rotation> rotations,
                                  std::size_t angle_pairs) {
  const std::vector<double> frequencies = rotary_frequencies(dim, 100.0);
  AttentionRotary rotary{.rotations = rotations, .frequencies = frequencies};
  rotary.angle_pairs = angle_pairs;
  AttentionCall call = tokens.call();
  call.rotary = &rotary;
  return output_of(call);
}

std::vector<float> with_map(const Tokens& tokens, const PositionMap& map) {
  MappedRotations mapped;
  set_rotations(mapped, map, tokens.call());
  return with_rotations(tokens, mapped.rotations, 0);
}

std::vector<float> with_edges(const Tokens& tokens, EdgeRange range) {
  const std::vector<float> slopes{0.5f, 1.0f};
  const ConstMatrixView rows(tokens.text.data(), heads * tokens.length, dim);
  return with_modifier(tokens, EdgeSumBias(rows, rows, slopes, 0.5f, range));
}

std::vector<float> with_sticks(const Tokens& tokens, bool attends_current) {
  const OwnKeyMask mask;
  const ScoreModifier* modifiers[] = {&mask};
  AttentionCall call = tokens.call();
  call.weighting = stick_breaking_step;
  if (!attends_current) call.modifiers = modifiers;
  return output_of(call);
}

struct Scheme {
  const char* name;
  std::function<std::vector<float>(const Tokens&)> run;
};

const Scheme schemes[] = {
    {"none", [](const Tokens& tokens) { return output_of(tokens.call()); }},
    {"rope", [](const Tokens& tokens) { return with_map(tokens, {}); }},
    {"rerope",
     [](const Tokens& tokens) { return with_map(tokens, {PositionMapKind::rerope, 5, 0}); }},
    {"dual chunk",
     [](const Tokens& tokens) { return with_map(tokens, {PositionMapKind::dual_chunk, 16, 4}); }},
    {"given angles",
     [](const Tokens& tokens) {
       const std::vector<float> increments = tokens.first_of_text(2);
       const std::vector<double> temperatures{1.0, 0.1};
       std::vector<double> angles(increments.size()), state(heads * 2);
       accumulate_angles(angles, state, {heads, tokens.length, 2, 2, increments, temperatures});
       const Rotation rotation{angles, angles};
       return with_rotations(tokens, {&rotation, 1}, 2);
     }},
    {"positions per head",
     [](const Tokens& tokens) {
       const std::vector<float> gates = tokens.gates();
       const std::vector<double> positions(gates.begin(), gates.end());
       const Rotation rotation{positions, positions};
       return with_rotations(tokens, {&rotation, 1}, 0);
     }},
    {"distance bias",
     [](const Tokens& tokens) {
       const std::size_t count = 2 * tokens.length - 1;
       const std::vector<float> lists = random_floats(heads * count, 5);
       return with_modifier(tokens, DistanceBias(lists, heads, 1 - std::int64_t(tokens.length)));
     }},
    {"relative keys",
     [](const Tokens& tokens) {
       const Matrix table = random_matrix(9, dim, 6);
       return with_modifier(tokens, RelativeKeys(tokens.view(tokens.q), table.view(), 1, 0.5f));
     }},
    {"contextual bias",
     [](const Tokens& tokens) {
       const Matrix table = random_matrix(6, dim, 7);
       return with_modifier(tokens, ContextualBias(tokens.view(tokens.q), table.view()));
     }},
    {"row factors",
     [](const Tokens& tokens) {
       return with_modifier(tokens,
                            RowScale(random_floats(tokens.length, 8), {{1, 1, tokens.length, 1}}));
     }},
    {"prefix sums",
     [](const Tokens& tokens) {
       std::vector<double> sums(heads * tokens.length);
       prefix_sums(sums, tokens.gates(), heads, PrefixTerm::log_sigmoid);
       return with_modifier(tokens, PrefixSumBias(sums));
     }},
    {"gated slopes",
     [](const Tokens& tokens) {
       const std::vector<float> gates = tokens.gates();
       return with_modifier(tokens, GatedSlopeBias(gates, gates));
     }},
    {"edges after the key",
     [](const Tokens& tokens) { return with_edges(tokens, EdgeRange::after_key); }},
    {"edges before the query",
     [](const Tokens& tokens) { return with_edges(tokens, EdgeRange::before_query); }},
    {"selective",
     [](const Tokens& tokens) {
       const std::size_t cells = tokens.length * tokens.length;
       std::vector<float> scores(heads * cells);
       output_of(tokens.call(), scores.data());
       std::vector<float> bias(cells);
       selective_bias({bias.data(), tokens.length, tokens.length},
                      {scores.data(), tokens.length, tokens.length}, false);
       return with_modifier(tokens, Bias(bias, {{1, 1, tokens.length, tokens.length}}));
     }},
    {"polar",
     [](const Tokens& tokens) {
       const auto positions = counted_positions(tokens.length);
       const auto polar = [&](const std::vector<float>& x) {
         std::vector<float> rows(2 * x.size());
         polar_rows(rows, x, {heads, tokens.length, dim, dim, positions, {}});
         return rows;
       };
       const std::vector<float> q = polar(tokens.q), k = polar(tokens.k);
       AttentionCall call = tokens.call();
       call.shape.dim = 2 * dim;
       call.q = HeadsView::contiguous(q.data(), heads, tokens.length, 2 * dim);
       call.k = HeadsView::contiguous(k.data(), heads, tokens.length, 2 * dim);
       return output_of(call);
     }},
    {"stick-breaking", [](const Tokens& tokens) { return with_sticks(tokens, true); }},
    {"stick-breaking of others", [](const Tokens& tokens) { return with_sticks(tokens, false); }},
    {"Wall",
     [](const Tokens& tokens) {
       const auto sums = wall_sums(tokens.text, tokens.length, dim, PrefixTerm::log_sigmoid);
       AttentionCall call = tokens.call();
       WallScores scores(call, sums);
       call.product = &scores;
       return output_of(call);
     }},
    {"PaTH",
     [](const Tokens& tokens) {
       std::vector<float> w = tokens.text, betas = tokens.gates();
       for (float& value : w) value *= 0.3f;
       AttentionCall call = tokens.call();
       PathScores scores(call, {tokens.view(w), betas});
       call.product = &scores;
       return output_of(call);
     }},
};

// Numbers of the rows before `first` that other tokens from there on change.
std::size_t changed_numbers(const Scheme& scheme, const Tokens& tokens, std::size_t first) {
  const std::vector<float> before = scheme.run(tokens),
                           after = scheme.run(tokens.changed_from(first));
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    changed += i / dim % tokens.length < first && !same_bits(before[i], after[i]);
  return changed;
}

}  // namespace

TEST_CASE("a later token changes no bit of an earlier row, in every scheme and at every length") {
  const Scheme& scheme = schemes[GENERATE(range(std::size_t{0}, std::size(schemes)))];
  INFO(scheme.name);
  for (std::size_t length = 2; length <= 70; ++length) {
    const Tokens tokens(length);
    for (const std::size_t first : {length / 2, length - 1}) {
      INFO("length " << length << ", other tokens from " << first);
      CHECK(changed_numbers(scheme, tokens, first) == 0);
    }
  }
  const Tokens tokens(280);  // more than a block of keys
  for (const std::size_t first : {100, 255, 256, 270}) {
    INFO("other tokens from " << first);
    CHECK(changed_numbers(scheme, tokens, first) == 0);
  }
  CHECK(scheme.run(tokens) != scheme.run(tokens.changed_from(100)));
}
