// Schemes inside the dot product and in place of the softmax, beside their formulas in double.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <functional>

#include "attention/attention.hpp"
#include "content/edge_sums.hpp"
#include "content/grape.hpp"
#include "content/path.hpp"
#include "content/polar.hpp"
#include "content/selective.hpp"
#include "content/stick_breaking.hpp"
#include "content/wall.hpp"
#include "kernels/softmax.hpp"
#include "reference/attention.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

namespace {

// Causal attention of several heads; queries are the last of the keys. Two key heads.
struct Problem {
  std::size_t heads = 4, key_heads = 2, queries, keys, dim = 6, value_dim = 5;
  std::vector<float> q, k, v;
  AttentionCall call;

  Problem(std::size_t queries, std::size_t keys, std::uint64_t seed)
      : queries(queries),
        keys(keys),
        q(random_floats(heads * queries * dim, seed)),
        k(random_floats(key_heads * keys * dim, seed + 1)),
        v(random_floats(key_heads * keys * value_dim, seed + 2)) {
    call.shape = {1, heads, key_heads, queries, keys, dim, value_dim};
    call.q = HeadsView::contiguous(q.data(), heads, queries, dim);
    call.k = HeadsView::contiguous(k.data(), key_heads, keys, dim);
    call.v = HeadsView::contiguous(v.data(), key_heads, keys, value_dim);
    call.scale = 0.4f;
    call.band = {.offset = std::ptrdiff_t(keys - queries),
                 .lookback = all_keys,
                 .lookahead = 0,
                 .key_length = all_keys};
  }

  std::size_t key_head(std::size_t head) const { return head / (heads / key_heads); }
  std::span<const float> query(std::size_t head, std::size_t m) const {
    return std::span(q).subspan((head * queries + m) * dim, dim);
  }
  ConstMatrixView keys_of(std::size_t head) const {
    return {k.data() + key_head(head) * keys * dim, keys, dim};
  }

  std::vector<float> output() const {
    std::vector<float> out(heads * queries * value_dim, NAN);
    AttentionScratch scratch;
    attend(call, {.output = out.data()}, scratch);
    return out;
  }

  // weights(head, m): those of the keys 0 ... up to the query's own, in double.
  using Weights = std::function<std::vector<double>(std::size_t head, std::size_t m)>;
  void check(const Weights& weights, double bound) const {
    const std::vector<float> out = output();
    double worst = 0;
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t m = 0; m < queries; ++m) {
        const std::vector<double> row = weights(h, m);
        for (std::size_t d = 0; d < value_dim; ++d) {
          double sum = 0;
          for (std::size_t n = 0; n < row.size(); ++n)
            sum += row[n] * v[(key_head(h) * keys + n) * value_dim + d];
          worst = std::max(worst, std::abs(sum - out[(h * queries + m) * value_dim + d]));
        }
      }
    }
    INFO("worst error " << worst);
    CHECK(worst <= bound);
  }

  // Softmax weights of the scores of keys up to the query's own.
  Weights softmax_of(std::function<double(std::size_t, std::size_t, std::size_t)> score) const {
    return [this, score](std::size_t h, std::size_t m) {
      std::vector<double> scores;
      for (std::size_t n = 0; n <= m + keys - queries; ++n) scores.push_back(score(h, m, n));
      return reference::softmax(scores);
    };
  }
};

// Lengths with one block of keys and several, whole and broken tiles, and decoding.
std::pair<std::size_t, std::size_t> drawn_lengths() {
  return GENERATE(
      std::pair<std::size_t, std::size_t>{1, 1}, std::pair<std::size_t, std::size_t>{1, 300},
      std::pair<std::size_t, std::size_t>{2, 40}, std::pair<std::size_t, std::size_t>{33, 33},
      std::pair<std::size_t, std::size_t>{50, 611}, std::pair<std::size_t, std::size_t>{600, 600});
}

}  // namespace

TEST_CASE("PaTH in tiles is the product of its matrices") {
  const auto lengths = drawn_lengths();
  const std::size_t queries = lengths.first, keys = lengths.second;
  Problem problem(queries, keys, 1);
  std::vector<float> w = random_floats(2 * keys * 6, 4), betas = random_floats(2 * keys, 5);
  for (std::size_t row = 0; row < 2 * keys; ++row) {
    double length = 0;
    for (std::size_t d = 0; d < 6; ++d) length += double(w[row * 6 + d]) * w[row * 6 + d];
    for (std::size_t d = 0; d < 6; ++d) w[row * 6 + d] /= float(std::sqrt(length));
    betas[row] = float(2 / (1 + std::exp(-betas[row])));
  }
  PathScores scores(problem.call, {HeadsView::contiguous(w.data(), 2, keys, 6), betas});
  problem.call.product = &scores;
  const std::size_t first = keys - queries;
  problem.check(
      [&](std::size_t h, std::size_t m) {
        const std::size_t of = problem.key_head(h) * keys;
        const auto products = reference::path_products(
            problem.query(h, m), problem.keys_of(h), {w.data() + of * 6, keys, 6},
            std::span(betas).subspan(of, keys), first + m);
        std::vector<double> row;
        for (const double product : products) row.push_back(double(problem.call.scale) * product);
        return reference::softmax(row);
      },
      2e-5);
}

TEST_CASE("one token's matrix has the product of the printed check") {
  const std::vector<float> q{1, 2}, w{.6f, .8f, 1, 0}, betas{1, 1};
  Matrix keys(1, 2, std::vector<float>{3, -1});
  path_update_keys(keys.view(), std::span(w).first(2), betas[0]);
  CHECK_THAT(keys.at(0, 0) + 2 * keys.at(0, 1), WithinAbs(-1.2, 1e-6));
  path_update_keys(keys.view(), std::span(w).last(2), betas[1]);
  CHECK_THAT(keys.at(0, 0) + 2 * keys.at(0, 1), WithinAbs(-3.6, 1e-6));
}

TEST_CASE("Wall's decays per channel neither overflow nor differ from their formula") {
  const auto lengths = drawn_lengths();
  const std::size_t queries = lengths.first, keys = lengths.second;
  const float strength = GENERATE(0.05f, 3.0f, 100.0f);
  Problem problem(queries, keys, 11);
  std::vector<float> gates = random_floats(4 * keys * 6, 14);
  for (float& gate : gates) gate = -strength * std::abs(gate);
  const auto sums = wall_sums(gates, keys, 6, PrefixTerm::number);
  WallScores scores(problem.call, sums);
  problem.call.product = &scores;
  const std::size_t first = keys - queries;
  problem.check(problem.softmax_of([&](std::size_t h, std::size_t m, std::size_t n) {
    double sum = 0;
    for (std::size_t d = 0; d < 6; ++d) {
      double decay = 0;
      for (std::size_t t = n + 1; t <= first + m; ++t) decay += gates[(h * keys + t) * 6 + d];
      sum += double(problem.query(h, m)[d]) * problem.keys_of(h).row(n)[d] * std::exp(decay);
    }
    return double(problem.call.scale) * sum;
  }),
                2e-6);
}

TEST_CASE("Wall rejects gates that grow") {
  CHECK_THROWS_MATCHES(wall_sums(std::vector{.1f}, 1, 1, PrefixTerm::number), std::invalid_argument,
                       Catch::Matchers::MessageMatches(
                           Catch::Matchers::ContainsSubstring("must be finite and at most 0")));
}

TEST_CASE("GRAPE-A is a slope times a distance, of gates of the query and of the key") {
  const auto lengths = drawn_lengths();
  const std::size_t queries = lengths.first, keys = lengths.second;
  Problem problem(queries, keys, 21);
  std::vector<float> of_queries = random_floats(4 * queries, 24),
                     of_keys = random_floats(4 * keys, 25);
  for (float& gate : of_queries) gate = .01f * std::abs(gate);
  for (float& gate : of_keys) gate = .01f * std::abs(gate);
  const GatedSlopeBias bias(of_queries, of_keys);
  const ScoreModifier* modifiers[] = {&bias};
  problem.call.modifiers = modifiers;
  const std::size_t first = keys - queries;
  problem.check(problem.softmax_of([&](std::size_t h, std::size_t m, std::size_t n) {
    const double slope = double(of_queries[h * queries + m]) + of_keys[h * keys + n];
    double sum = 0;
    for (std::size_t d = 0; d < 6; ++d)
      sum += double(problem.query(h, m)[d]) * problem.keys_of(h).row(n)[d];
    return double(problem.call.scale) * sum - double(first + m - n) * slope;
  }),
                2e-6);
  std::vector<float> gate(1);
  slope_gates(gate, Matrix(1, 4).view(), std::vector<float>(4), 1.0f);
  CHECK_THAT(-3 * .5 * gate[0], WithinAbs(-1.039720771, 1e-7));
}

TEST_CASE("sums of edges go along the keys of each row, from either end") {
  const auto range = GENERATE(EdgeRange::after_key, EdgeRange::before_query);
  Problem problem(37, 300, 31);
  const std::vector<float> p = random_floats(4 * 300 * 4, 34), r = random_floats(4 * 300 * 4, 35),
                           slopes{.5f, .25f, 1.0f, .125f};
  const EdgeSumBias bias({p.data(), 1200, 4}, {r.data(), 1200, 4}, slopes, .5f, range);
  const ScoreModifier* modifiers[] = {&bias};
  problem.call.modifiers = modifiers;
  problem.check(problem.softmax_of([&](std::size_t h, std::size_t m, std::size_t n) {
    const std::size_t own = 263 + m;
    double sum = 0, edges = 0;
    for (std::size_t d = 0; d < 6; ++d)
      sum += double(problem.query(h, m)[d]) * problem.keys_of(h).row(n)[d];
    const bool is_after = range == EdgeRange::after_key;
    for (std::size_t l = is_after ? n + 1 : n; l < (is_after ? own + 1 : own); ++l) {
      double product = 0;
      for (std::size_t d = 0; d < 4; ++d)
        product += double(p[(h * 300 + own) * 4 + d]) * r[(h * 300 + l) * 4 + d];
      edges -= slopes[h] * std::log1p(std::exp(-.5 * product));
    }
    return double(problem.call.scale) * sum + edges;
  }),
                3e-6);
}

TEST_CASE("stick-breaking gives the nearest key its share first, in any number of pieces") {
  const auto lengths = drawn_lengths();
  const std::size_t queries = lengths.first, keys = lengths.second;
  const bool attends_current = GENERATE(true, false);
  Problem problem(queries, keys, 41);
  problem.call.weighting = stick_breaking_step;
  problem.call.scale = GENERATE(0.4f, 20.0f);
  const OwnKeyMask mask;
  const ScoreModifier* modifiers[] = {&mask};
  if (!attends_current) problem.call.modifiers = modifiers;
  const std::size_t first = keys - queries;
  problem.check(
      [&](std::size_t h, std::size_t m) {
        std::vector<double> scores;
        for (std::size_t n = 0; n < first + m + (attends_current ? 1 : 0); ++n) {
          double sum = 0;
          for (std::size_t d = 0; d < 6; ++d)
            sum += double(problem.query(h, m)[d]) * problem.keys_of(h).row(n)[d];
          scores.push_back(double(problem.call.scale) * sum);
        }
        return reference::stick_breaking(scores);
      },
      2e-5);
}

TEST_CASE("scores of 0 break the stick in halves") {
  Problem problem(4, 4, 51);
  std::ranges::fill(problem.q, 0.0f);
  problem.call.weighting = stick_breaking_step;
  const OwnKeyMask mask;
  const ScoreModifier* modifiers[] = {&mask};
  problem.call.modifiers = modifiers;
  std::vector<float> output(4 * 4 * 5), weights(4 * 4 * 4), remainders(16);
  AttentionScratch scratch;
  attend(problem.call,
         {.output = output.data(), .weights = weights.data(), .remainder = remainders.data()},
         scratch);
  const float last[] = {.125f, .25f, .5f, 0};
  for (std::size_t n = 0; n < 4; ++n) CHECK_THAT(weights[12 + n], WithinAbs(last[n], 1e-6));
  CHECK_THAT(remainders[3], WithinAbs(.125, 1e-6));
  CHECK(remainders[0] == 1.0f);
}

TEST_CASE("polar rows have the products of PoPE, in either layout") {
  const auto layout = GENERATE(PolarLayout::interleaved, PolarLayout::half_split);
  const std::size_t width = GENERATE(3, 5);
  const auto q = random_floats(5, 61), k = random_floats(5, 62), phases = random_floats(5, 63);
  const double at = 7, key_at = 2;
  std::vector<float> polar_q(5 + width), polar_k(5 + width);
  const std::span<const float> used = std::span(phases).first(width);
  polar_rows(polar_q, q, {1, 1, 5, width, {&at, 1}, {}, 100, layout});
  polar_rows(polar_k, k, {1, 1, 5, width, {&key_at, 1}, used, 100, layout});
  double product = 0, expected = 0;
  for (std::size_t i = 0; i < polar_q.size(); ++i) product += double(polar_q[i]) * polar_k[i];
  for (std::size_t c = 0; c < 5; ++c) {
    if (c >= width) {
      expected += double(q[c]) * k[c];
      continue;
    }
    const double phase = std::clamp(double(phases[c]), -2 * std::acos(-1.0), 0.0);
    const double frequency = std::pow(100.0, -double(c) / double(width));
    expected += std::log1p(std::exp(q[c])) * std::log1p(std::exp(k[c])) *
                std::cos((at - key_at) * frequency - phase);
  }
  CHECK_THAT(product, WithinAbs(expected, 3e-6));
}

TEST_CASE("selective attention subtracts what earlier queries gave a key") {
  Matrix bias(3, 3);
  const Matrix gates(3, 3, std::vector<float>{9, 9, 9, 1, 2, 9, 4, -5, 6});
  selective_bias(bias.view(), gates.view(), false);
  CHECK(bias.values == std::vector<float>{0, 0, 0, 0, -9, -9, -1, -9, -18});
  Matrix spared(3, 3);
  selective_bias(spared.view(), gates.view(), true);
  CHECK(spared.values == std::vector<float>{0, 0, 0, 0, -9, -9, 0, -9, -18});
}
