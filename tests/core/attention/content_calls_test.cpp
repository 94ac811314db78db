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
  std::vector<float> q, k, v, w, betas, gates, channel_gates, slopes, lists;
  std::vector<double> sums, channel_sums, positions;

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
    slopes = random_floats(shape.heads, seed + 7);
    lists = random_floats(shape.heads * 2 * shape.keys, seed + 8);
    sums.resize(tokens);
    prefix_sums(sums, gates, shape.batches * shape.heads, PrefixTerm::log_sigmoid);
    channel_sums = wall_sums(channel_gates, shape.keys, shape.dim, PrefixTerm::log_sigmoid);
    positions = counted_positions(shape.keys);
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

using Use = std::function<void(const AttentionCall&)>;

void with_modifier(const ScoreModifier& modifier, AttentionCall call, const Use& use) {
  const ScoreModifier* modifiers[] = {&modifier};
  call.modifiers = modifiers;
  use(call);
}

void with_edges(EdgeRange range, const Text& text, const AttentionCall& call, const Use& use) {
  const ConstMatrixView rows(text.channel_gates.data(), text.gates.size(), text.shape.dim);
  with_modifier(EdgeSumBias(rows, rows, text.slopes, 0.5f, range), call, use);
}

// Schemes that read what belongs to the key at which a query stands.
struct Scheme {
  const char *name, *reader;
  bool is_causal;
  std::function<void(const Text&, AttentionCall, const Use&)> attach;
};

const Scheme schemes[] = {
    {"path", "PaTH", true,
     [](const Text& text, AttentionCall call, const Use& use) {
       const auto w = HeadsView::contiguous(text.w.data(), text.shape.key_heads, text.shape.keys,
                                            text.shape.dim);
       PathScores scores(call, {w, text.betas});
       call.product = &scores;
       use(call);
     }},
    {"wall", "Wall", true,
     [](const Text& text, AttentionCall call, const Use& use) {
       WallScores scores(call, text.channel_sums);
       call.product = &scores;
       use(call);
     }},
    {"edges after the key", "edge sums", true,
     [](const Text& text, AttentionCall call, const Use& use) {
       with_edges(EdgeRange::after_key, text, call, use);
     }},
    {"edges before the query", "edge sums", true,
     [](const Text& text, AttentionCall call, const Use& use) {
       with_edges(EdgeRange::before_query, text, call, use);
     }},
    {"prefix sums", "prefix sums", false,
     [](const Text& text, AttentionCall call, const Use& use) {
       with_modifier(PrefixSumBias(text.sums), call, use);
     }},
    {"bias by distance of positions", "positions", true,
     [](const Text& text, AttentionCall call, const Use& use) {
       with_modifier(DistanceBias(text.lists, text.shape.heads, 1 - std::int64_t(text.shape.keys),
                                  nullptr, {text.positions}),
                     call, use);
     }},
};

std::vector<float> output_of(const AttentionCall& call) {
  std::vector<float> output(
      call.shape.batches * call.shape.heads * call.shape.queries * call.shape.value_dim,
      not_a_number);
  AttentionScratch scratch;
  attend(call, {.output = output.data()}, scratch);
  return output;
}

}  // namespace

TEST_CASE("a query past the last key is refused by schemes that read its key, before any work") {
  const Scheme& scheme = schemes[GENERATE(range(std::size_t{0}, std::size(schemes)))];
  const std::size_t queries = GENERATE(1, 5), offset = GENERATE(0, 2, 3);
  const std::size_t lookback = GENERATE(all_keys, std::size_t{0});
  if (offset + queries <= 3) return;
  const Text text({2, 4, 2, queries, 3, 6, 5});
  AttentionCall call = text.causal_call();
  call.band.offset = std::ptrdiff_t(offset);
  call.band.lookback = lookback;
  INFO(scheme.name);
  std::vector<float> output(text.q.size(), 7.0f), gradient(text.q.size());
  AttentionScratch scratch;
  const std::string rule = std::string("attention: a query with ") + scheme.reader +
                           " must stand at one of 3 keys, got " +
                           std::to_string(offset + queries - 1);
  scheme.attach(text, call, [&](const AttentionCall& attached) {
    CHECK_THROWS_WITH(attend(attached, {.output = output.data()}, scratch), rule);
    CHECK_THROWS_WITH(attend_backward(attached, {output.data(), output.data(), output.data()},
                                      {gradient.data(), gradient.data(), gradient.data()}, scratch),
                      rule);
  });
  CHECK(std::ranges::all_of(output, [](float value) { return value == 7.0f; }));
}

TEST_CASE("a query before the first key is a row of zeros and changes no other row") {
  const Scheme& scheme = schemes[GENERATE(range(std::size_t{0}, std::size(schemes)))];
  INFO(scheme.name);
  const AttentionShape shape{2, 4, 2, 30, 9, 6, 5};
  const double lengths[] = {9, 4};
  const bool has_lengths = GENERATE(false, true);
  const Text text(shape);
  AttentionCall call = text.causal_call();
  call.ends_at_last_key = true;
  if (has_lengths) call.key_lengths = lengths;
  std::vector<float> all;
  scheme.attach(text, call, [&](const AttentionCall& attached) { all = output_of(attached); });
  for (std::size_t b = 0; b < 2; ++b) {
    const std::size_t keys = has_lengths ? std::size_t(lengths[b]) : 9;
    for (std::size_t m = 0; m < 30; ++m) {
      AttentionCall one = call;
      one.shape.queries = 1;
      one.q.data += m * 6;
      one.ends_at_last_key = false;
      one.band.offset = std::ptrdiff_t(keys + m) - 30;
      std::vector<float> alone(2 * 4 * 5);
      if (one.band.offset >= 0) {
        scheme.attach(text, one,
                      [&](const AttentionCall& attached) { alone = output_of(attached); });
      }
      for (std::size_t h = 0; h < 4; ++h) {
        for (std::size_t c = 0; c < 5; ++c) {
          const float expected = alone[(b * 4 + h) * 5 + c],
                      actual = all[((b * 4 + h) * 30 + m) * 5 + c];
          if (std::abs(actual - expected) > (one.band.offset < 0 ? 0.0f : 2e-6f)) {
            CAPTURE(b, h, m);
            CHECK(actual == expected);
          }
        }
      }
    }
  }
}

TEST_CASE("a query before the first key that sees one is refused where its own key is read") {
  const Scheme& scheme = schemes[GENERATE(range(std::size_t{0}, std::size(schemes)))];
  const Text text({1, 4, 2, 3, 5, 6, 5});
  AttentionCall call = text.causal_call();
  call.band.offset = -1;
  call.band.lookahead = GENERATE(std::size_t{1}, all_keys);
  scheme.attach(text, call, [&](const AttentionCall& attached) {
    if (attached.product) {
      CHECK_THROWS_WITH(output_of(attached),
                        ContainsSubstring("attention: lookahead must be 0 with"));
    } else if (scheme.is_causal) {
      CHECK_NOTHROW(output_of(attached));
    } else {
      CHECK_THROWS_WITH(output_of(attached), ContainsSubstring("at one of 5 keys, got -1"));
    }
  });
}

TEST_CASE("products of the text have no scores of keys after the query") {
  const Scheme& scheme = schemes[GENERATE(0, 1)];
  const std::size_t queries = GENERATE(1, 2, 33), keys = 40;
  const std::ptrdiff_t offset = GENERATE(0, 3, -20);
  const float cap = GENERATE(0.0f, 2.0f);
  const AttentionShape shape{2, 4, 2, queries, keys, 6, 5};
  const Text text(shape);
  std::vector<float> factors = random_floats(queries, 3);
  factors[queries / 2] = 0.0f;
  const RowScale row_scale(factors, {{1, 1, queries, 1}});
  const Softcap softcap(cap);
  std::vector<const ScoreModifier*> modifiers{&row_scale};
  if (cap > 0) modifiers.push_back(&softcap);
  AttentionCall call = text.causal_call();
  call.band.offset = offset;
  call.modifiers = modifiers;
  INFO(scheme.name);
  scheme.attach(text, call, [&](const AttentionCall& attached) {
    const std::size_t rows = 2 * 4 * queries;
    std::vector<float> output(rows * 5), scores(rows * keys, 3.0f), capped = scores,
                                                                    biased = scores;
    AttentionScratch scratch;
    scratch.scores.assign(100000, not_a_number);
    attend(attached,
           {.output = output.data(),
            .scores = scores.data(),
            .capped = capped.data(),
            .biased = biased.data()},
           scratch);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::ptrdiff_t own = offset + std::ptrdiff_t(i / keys % queries);
      const bool is_after = std::ptrdiff_t(i % keys) > own;
      for (const auto* kept : {&scores, &capped, &biased})
        wrong += is_after ? (*kept)[i] != -infinity : !std::isfinite((*kept)[i]);
      wrong += !is_after && capped[i] != biased[i];
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("modifiers out of the order of their steps are refused") {
  const std::vector<float> factors{1, 1, 1}, gates(12, 0.1f);
  const std::uint8_t all[] = {1};
  const RowScale scale(factors, {{1, 1, 3, 1}});
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
  const RowScale scale(factors, {{1, 1, 1, 1}});
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

TEST_CASE("stick-breaking without the own key never sees it, whatever factor or cap scores have") {
  const float factor = GENERATE(1.0f, 0.0f, -1.0f), cap = GENERATE(0.0f, 2.0f);
  const Text text({1, 4, 2, 20, 20, 6, 5});
  const std::vector<float> factors(20, factor);
  const RowScale scale(factors, {{1, 1, 20, 1}});
  const Softcap softcap(cap);
  const OwnKeyMask own;
  std::vector<const ScoreModifier*> modifiers{&scale};
  if (cap > 0) modifiers.push_back(&softcap);
  insert_modifier(modifiers, own);
  AttentionCall call = text.causal_call();
  call.modifiers = modifiers;
  call.weighting = stick_breaking_step;
  std::vector<float> output(4 * 20 * 5), weights(4 * 20 * 20), remainder(4 * 20);
  AttentionScratch scratch;
  attend(call, {.output = output.data(), .weights = weights.data(), .remainder = remainder.data()},
         scratch);
  for (std::size_t row = 0; row < 80; ++row) {
    double sum = remainder[row];
    for (std::size_t n = 0; n < 20; ++n) {
      if (n >= row % 20) CHECK(weights[row * 20 + n] == 0.0f);
      sum += weights[row * 20 + n];
    }
    CHECK_THAT(sum, WithinAbs(1.0, 1e-6));
  }
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

TEST_CASE("a value behind a mask, a window or the length reaches no row of stick-breaking") {
  const std::size_t queries = GENERATE(1, 3, 40), keys = 600;
  const float bad = GENERATE(not_a_number, infinity, -infinity, 3e38f);
  const int hidden_by = GENERATE(0, 1, 2, 3);
  Text text({1, 4, 2, queries, keys, 6, 5});
  std::vector<std::uint8_t> mask(keys, 1);
  const double length[] = {255};
  AttentionCall call = text.causal_call();
  call.band.offset = hidden_by == 0 ? 250 : std::ptrdiff_t(keys - queries);
  const BooleanMask masked(mask, {{1, 1, 1, keys}}, true);
  const ScoreModifier* modifiers[] = {&masked};
  if (hidden_by == 1) call.band.lookback = 60;
  if (hidden_by == 2) call.key_lengths = length;
  const std::vector<std::size_t> at{255, 256, 500, 530};
  if (hidden_by == 3) {
    call.modifiers = modifiers;
    for (const std::size_t n : at) mask[n] = 0;
  }
  const auto clean = sticks_of(call);
  for (const std::size_t n : at) {
    for (std::size_t h = 0; h < 2; ++h)
      std::ranges::fill(std::span(text.v).subspan((h * keys + n) * 5, 5), bad);
  }
  const auto spoilt = sticks_of(call);
  std::size_t wrong = 0, rows_without = 0;
  for (std::size_t path = 0; path < 2; ++path) {
    for (std::size_t row = 0; row < 4 * queries; ++row) {
      const std::size_t own = row % queries + std::size_t(call.band.offset);
      const auto sees = [&](std::size_t n) {
        return n <= own && mask[n] && (hidden_by != 1 || n + 60 >= own) &&
               (hidden_by != 2 || n < 255);
      };
      if (std::ranges::any_of(at, sees)) continue;
      ++rows_without;
      for (std::size_t c = 0; c < 5; ++c)
        wrong += !same_bits(clean[path][row * 5 + c], spoilt[path][row * 5 + c]);
    }
  }
  CHECK(rows_without > 0);
  CHECK(wrong == 0);
}

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

TEST_CASE("sums of edges count those of hidden keys between the key and the query") {
  const auto range = GENERATE(EdgeRange::after_key, EdgeRange::before_query);
  const int hidden_by = GENERATE(0, 1, 2);
  const std::size_t queries = GENERATE(1, 37), keys = 60;
  const Text text({2, 4, 2, queries, keys, 6, 5});
  const double lengths[] = {41, 29};
  std::vector<std::uint8_t> mask(keys);
  for (std::size_t n = 0; n < keys; ++n) mask[n] = n % 3 == 1;
  const BooleanMask masked(mask, {{1, 1, 1, keys}}, true);
  AttentionCall call = text.causal_call();
  call.band.offset = std::ptrdiff_t(keys - queries);
  if (hidden_by == 0) call.key_lengths = lengths;
  if (hidden_by == 1) call.band.lookback = 9;
  with_edges(range, text, call, [&](AttentionCall attached) {
    std::vector<const ScoreModifier*> modifiers(attached.modifiers.begin(),
                                                attached.modifiers.end());
    if (hidden_by == 2) insert_modifier(modifiers, masked);
    attached.modifiers = modifiers;
    std::vector<float> output(2 * 4 * queries * 5), biased(2 * 4 * queries * keys);
    AttentionScratch scratch;
    attend(attached, {.output = output.data(), .biased = biased.data()}, scratch);
    Comparison comparison;
    for (std::size_t i = 0; i < biased.size(); ++i) {
      const std::size_t n = i % keys, m = i / keys % queries, head = i / keys / queries;
      const std::size_t own = keys - queries + m, key_head = head / 2;
      const bool sees = n <= own && (hidden_by != 0 || double(n) < lengths[head / 4]) &&
                        (hidden_by != 1 || n + 9 >= own) && (hidden_by != 2 || mask[n]);
      const auto row = [&](std::size_t at) {
        return std::span(text.channel_gates).subspan((head * keys + at) * 6, 6);
      };
      double score = 0;
      for (std::size_t d = 0; d < 6; ++d) {
        score += double(call.scale) * text.q[(head * queries + m) * 6 + d] *
                 text.k[(key_head * keys + n) * 6 + d];
      }
      const bool is_after = range == EdgeRange::after_key;
      for (std::size_t l = is_after ? n + 1 : n; l < (is_after ? own + 1 : own); ++l) {
        double product = 0;
        for (std::size_t d = 0; d < 6; ++d) product += double(row(own)[d]) * row(l)[d];
        score -= text.slopes[head % 4] * std::log1p(std::exp(-0.5 * product));
      }
      comparison.add(biased[i], sees ? score : -double(infinity), 1e-5 * (1 + std::abs(score)));
    }
    CHECK_THAT(comparison, WithinBounds());
  });
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
  const Rotation rotation{positions, positions};
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
  CHECK_THROWS_WITH(attend(call, {.output = output.data(), .remainder = rows.data()}, scratch),
                    ContainsSubstring("attention: remainder must be null without a weighting"));
  call.weighting = stick_breaking_step;
  CHECK_THROWS_WITH(attend(call, {.output = output.data(), .log_sum_exp = rows.data()}, scratch),
                    ContainsSubstring("attention: log_sum_exp must be null with a weighting"));
  call.weighting = nullptr;
  const auto refuses_backward = [&](const char* rule) {
    CHECK_THROWS_WITH(attend_backward(call, {output.data(), rows.data(), output.data()},
                                      {gradient.data(), gradient.data(), gradient.data()}, scratch),
                      ContainsSubstring(rule));
  };
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
