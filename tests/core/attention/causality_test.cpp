// Causal attention of the schemes that no model is trained with: a later token changes no bit of an
// earlier row, at lengths that end anywhere within tiles and blocks. The others: trainer_test.cpp.
#include <catch_amalgamated.hpp>
#include <functional>

#include "attention/attention.hpp"
#include "attention/scratch.hpp"
#include "content/relative.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;

namespace {

constexpr std::size_t heads = 2, dim = 4;

// The operands of a call: a row per head and token in each list.
struct Tokens {
  std::size_t length;
  std::vector<float> q, k, v;

  explicit Tokens(std::size_t length)
      : length(length),
        q(random_floats(heads * length * dim, 1)),
        k(random_floats(heads * length * dim, 2)),
        v(random_floats(heads * length * dim, 3)) {}

  // The same with other tokens from `first` on.
  Tokens changed_from(std::size_t first) const {
    Tokens tokens = *this;
    for (std::vector<float>* list : {&tokens.q, &tokens.k, &tokens.v}) {
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
};

std::vector<float> output_of(const AttentionCall& call) {
  std::vector<float> output(heads * call.shape.queries * dim);
  AttentionScratch scratch;
  attend(call, {.output = output.data()}, scratch);
  return output;
}

std::vector<float> with_map(const Tokens& tokens, const PositionMap& map) {
  MappedRotations mapped;
  set_rotations(mapped, map, tokens.call());
  const std::vector<double> frequencies = rotary_frequencies(dim, 100.0);
  const AttentionRotary rotary{.rotations = mapped.rotations, .frequencies = frequencies};
  AttentionCall call = tokens.call();
  call.rotary = &rotary;
  return output_of(call);
}

struct Scheme {
  const char* name;
  std::function<std::vector<float>(const Tokens&)> run;
};

const Scheme schemes[] = {
    {"rerope",
     [](const Tokens& tokens) { return with_map(tokens, {PositionMapKind::rerope, 5, 0}); }},
    {"dual chunk",
     [](const Tokens& tokens) { return with_map(tokens, {PositionMapKind::dual_chunk, 16, 4}); }},
    {"relative keys",
     [](const Tokens& tokens) {
       const Matrix table = random_matrix(9, dim, 6);
       const RelativeKeys keys(tokens.view(tokens.q), table.view(), 1, 0.5f);
       const ScoreModifier* modifiers[] = {&keys};
       AttentionCall call = tokens.call();
       call.modifiers = modifiers;
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

TEST_CASE("a later token changes no bit of an earlier row, by position maps and relative keys") {
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
