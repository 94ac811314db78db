#include "attention/attention.hpp"

#include <catch_amalgamated.hpp>

#include "support/attention_case.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;

namespace {

std::vector<Band> bands(std::size_t queries, std::size_t keys) {
  return {{}, causal_top_left(), causal_bottom_right(queries, keys)};
}

void check(const AttentionCase& problem) {
  Comparison comparison;
  compare_paths(comparison, problem);
  INFO("queries " << problem.q.rows << " keys " << problem.k.rows << " dim " << problem.q.cols
                  << " value dim " << problem.v.cols << " offset " << problem.band.offset);
  CHECK_THAT(comparison, WithinBounds());
}

}  // namespace

TEST_CASE("attention of one query, three keys and width 4 has the published numbers") {
  AttentionCase problem(1, 3, 4, 2, 1);
  problem.q.values = {1, 0, 1, 0};
  problem.k.values = {1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1};
  problem.v.values = {1, 2, 3, 4, 5, 6};
  const auto steps = problem.steps();
  CHECK(steps.scores.values == std::vector<float>{.5, .5, 1});
  const double weights[] = {.274068619, .274068619, .451862762},
               output[] = {3.355588286, 4.355588286};
  for (std::size_t n = 0; n < 3; ++n)
    CHECK_THAT(steps.weights.at(0, n), WithinAbs(weights[n], 2e-7));
  for (std::size_t d = 0; d < 2; ++d) {
    CHECK_THAT(steps.output.at(0, d), WithinAbs(output[d], 2e-6));
    CHECK_THAT(problem.output().at(0, d), WithinAbs(output[d], 2e-6));
  }
}

TEST_CASE("attention agrees with double for every number of queries and keys up to past one tile") {
  for (std::size_t length = 1; length <= 70; ++length) {
    AttentionCase tall(length, 71 - length, 5, 3, length),
        small(length, 1 + length % 9, 1, 9, length);
    for (AttentionCase* problem : {&tall, &small}) {
      for (const Band& band : bands(problem->q.rows, problem->k.rows)) {
        problem->band = band;
        check(*problem);
      }
    }
  }
}

TEST_CASE("attention agrees with double for every width of queries and of values") {
  for (std::size_t dim = 1; dim <= 34; ++dim) {
    check(AttentionCase(7, 13, dim, 35 - dim, dim));
    check(AttentionCase(13, 7, dim, dim, dim));
  }
}

TEST_CASE("attention agrees with double at the edges of its blocks") {
  const std::size_t queries = GENERATE(5, 6, 7, 23, 24, 25, 49),
                    keys = GENERATE(255, 256, 257, 513);
  AttentionCase problem(queries, keys, 8, 8, queries + keys);
  for (const Band& band : bands(queries, keys)) {
    problem.band = band;
    check(problem);
  }
  problem.band.lookback = 7;
  for (const std::ptrdiff_t offset :
       {240, 250, 256, 260}) {  // a narrow window across the block's edge
    problem.band.offset = offset;
    check(problem);
  }
}

TEST_CASE("logits that share a large offset keep their differences") {
  const std::size_t queries = GENERATE(1, 5), keys = 33;
  const float offset = GENERATE(400.0f, -1000.0f);
  AttentionCase near(queries, keys, 1, 3, 8), far = near;
  near.scale = far.scale = 1.0f;
  for (std::size_t m = 0; m < queries; ++m) near.q.at(m, 0) = far.q.at(m, 0) = 1024.0f;
  for (std::size_t n = 0; n < keys; ++n) {  // every product and difference is exact
    near.k.at(n, 0) = std::ldexp(float(n % 7), -11);
    far.k.at(n, 0) = near.k.at(n, 0) + offset;
  }
  CHECK(far.output().values == near.output().values);
  CHECK(far.steps().weights.values == near.steps().weights.values);
}

TEST_CASE("attention without keys, queries or dimensions returns zeros or an empty result") {
  const Matrix none = AttentionCase(3, 0, 4, 2, 1).output();
  for (const float value : none.values) CHECK(value == 0.0f);
  CHECK(AttentionCase(0, 3, 4, 2, 1).output().values.empty());
  CHECK(AttentionCase(3, 3, 4, 0, 1).output().values.empty());
  check(AttentionCase(3, 4, 0, 2, 1));  // every score is 0: the mean of the values
}

TEST_CASE("rows with gaps between them are read in their own columns only") {
  const std::size_t queries = 101, keys = 67, dim = 5, value_dim = 6, gap = 3;
  AttentionCase problem(queries, keys, dim, value_dim, 9);
  problem.band = causal_bottom_right(queries, keys);
  const auto spread = [&](const Matrix& matrix) {
    Matrix wide(matrix.rows, matrix.cols + gap, not_a_number);
    for (std::size_t r = 0; r < matrix.rows; ++r) {
      std::ranges::copy(matrix.view().row(r), wide.view().row(r).begin());
    }
    return wide;
  };
  const Matrix q = spread(problem.q), k = spread(problem.k), v = spread(problem.v);
  const auto view = [](const Matrix& wide) {
    return HeadsView{wide.values.data(), 0, 0, wide.cols};
  };
  AttentionCall call;
  call.shape = {1, 1, 1, queries, keys, dim, value_dim};
  call.q = view(q);
  call.k = view(k);
  call.v = view(v);
  call.scale = problem.scale;
  call.band = problem.band;
  Matrix out(queries, value_dim);
  AttentionScratch scratch;
  attend(call, {.output = out.values.data()}, scratch);
  CHECK(out.values == problem.output().values);
}

TEST_CASE("scratch memory that other shapes used does not change the result") {
  AttentionScratch scratch;
  for (const std::size_t size : {130, 3, 77, 1, 100, 7}) {
    AttentionCase problem(size, 131 - size, 1 + size % 20, 1 + size % 13, size);
    problem.v.values[0] = size == 130 ? not_a_number : 1.0f;
    Matrix out(problem.q.rows, problem.v.cols);
    problem.attend({.output = out.values.data()}, scratch);
    const Matrix fresh = problem.output();
    for (std::size_t i = 0; i < out.values.size(); ++i)
      CHECK(same_bits(out.values[i], fresh.values[i]));
  }
}

TEST_CASE("steps that are not wanted are not needed") {
  const AttentionCase problem(5, 6, 4, 3, 8);
  const auto all = problem.steps();
  Matrix out(5, 3), weights(5, 6);
  AttentionScratch scratch;
  problem.attend({.output = out.values.data(), .weights = weights.values.data()}, scratch);
  CHECK(weights.values == all.weights.values);
  CHECK(out.values == all.output.values);
}

TEST_CASE("values that no sum can hold have their mean, in blocks or row by row") {
  const std::size_t queries = GENERATE(1, 2, 7);
  AttentionCase problem(queries, 600, 4, 3, 8);
  problem.band = GENERATE(Band{}, Band{.offset = 10, .lookahead = 0});
  for (float& value : problem.k.values) value = 0.0f;
  for (float& value : problem.v.values) value = 3e38f;
  for (const Matrix& out : {problem.output(), problem.steps().output}) {
    for (const float value : out.values) CHECK(std::abs(value / 3e38f - 1) < 1e-4);
  }
}

TEST_CASE("a NaN in a bias reaches the rows that are given it, and changes no bit of the others") {
  constexpr std::size_t queries = 50, keys = 300;
  AttentionCase masked(queries, keys, 5, 11, 5), by_distance = masked;
  masked.band = causal_top_left();
  masked.bias = random_matrix(queries, keys, 6);
  by_distance.distance_bias = random_floats(queries + keys - 1, 3);
  AttentionCase spoilt = masked, spoilt_by_distance = by_distance;
  spoilt.bias.at(47, 30) = not_a_number;
  spoilt.bias.at(20, 100) = not_a_number;  // masked, so nobody is given it
  spoilt_by_distance.distance_bias[queries - 1 + 290] = not_a_number;  // 290 keys after the query
  const auto check_rows = [](const Matrix& before, const Matrix& after, auto is_reached) {
    for (std::size_t i = 0; i < before.values.size(); ++i) {
      const float is = after.values[i];
      REQUIRE((is_reached(i / before.cols) ? std::isnan(is) : same_bits(is, before.values[i])));
    }
  };
  const auto check_paths = [&](const AttentionCase& clean, const AttentionCase& bad, auto reached) {
    check_rows(clean.output(), bad.output(), reached);
    check_rows(clean.steps().output, bad.steps().output, reached);
  };
  check_paths(masked, spoilt, [](std::size_t m) { return m == 47; });
  check_paths(by_distance, spoilt_by_distance, [](std::size_t m) { return m < 10; });
}

TEST_CASE("attention names the operand that does not fit") {
  const Matrix q(3, 5), k(4, 5), v(4, 6);
  AttentionCall call;
  call.shape = {1, 1, 1, 3, 4, 5, 6};
  call.q = HeadsView::contiguous(q.values.data(), 1, 3, 5);
  call.k = HeadsView::contiguous(k.values.data(), 1, 4, 5);
  call.v = HeadsView::contiguous(v.values.data(), 1, 4, 6);
  Matrix out(3, 6);
  AttentionScratch scratch;
  const auto refused = [&](const char* text) {
    CHECK_THROWS_MATCHES(attend(call, {.output = out.values.data()}, scratch),
                         std::invalid_argument, Message(text));
  };
  const auto refused_modifier = [&](const ScoreModifier& modifier, const char* text) {
    const ScoreModifier* const modifiers[] = {&modifier};
    call.modifiers = modifiers;
    refused(text);
    call.modifiers = {};
  };
  const std::vector<float> seven(7), twelve(12), none;
  const std::vector<std::uint8_t> bytes(12);
  refused_modifier(RowScale({seven}), "attention: row_scale must have 3 values, got 7");
  refused_modifier(Softcap(0), "attention: softcap must be greater than 0, got 0");
  refused_modifier(Bias(twelve, {{1, 1, 4, 3}}), "attention: axis 2 of bias must be 3 or 1, got 4");
  refused_modifier(Bias(seven, {{1, 1, 3, 4}}), "attention: bias must have 12 values, got 7");
  refused_modifier(BooleanMask(bytes, {{2, 1, 3, 4}}, true),
                   "attention: axis 0 of mask must be 1 or 1, got 2");
  refused_modifier(DistanceBias(seven, 3, -2),
                   "attention: distance_bias must have 2 values, got 7");
  refused_modifier(DistanceBias(std::span(twelve).first(6), 1, -1),
                   "attention: distance_bias must reach from the distance -2 to 1");
  refused_modifier(DistanceBias(std::span(twelve).first(5), 1, -2),
                   "attention: distance_bias must reach from the distance 0 to 3");

  call.sinks = seven;
  refused("attention: sinks must have 1 values, got 7");
  call.sinks = {};
  const double lengths[] = {5, 1};
  call.key_lengths = lengths;
  refused("attention: key_lengths must have 1 values, got 2");
  call.key_lengths = std::span(lengths).first(1);
  refused("attention: key_lengths must be whole numbers from 0 to 4, got 5");
  call.key_lengths = {};
  call.shape.key_heads = 2;
  refused("attention: heads must be a multiple of key_heads, got 1 and 2");
  call.shape.key_heads = 1;

  AttentionRotary rotary;
  call.rotary = &rotary;
  refused("attention: there must be 1 to 3 rotations, got 0");
  const std::vector<double> three(3), four(4);
  const std::vector<std::uint32_t> first_keys(3);
  const auto refused_rotations = [&](std::vector<Rotation> rotations, const char* text) {
    rotary.rotations = rotations;
    refused(text);
  };
  refused_rotations({4, {{three}, {four}}}, "attention: there must be 1 to 3 rotations, got 4");
  refused_rotations({{{four}, {four}}},
                    "attention: positions of queries must have 3 values, got 4");
  refused_rotations({{{three}, {three}}}, "attention: positions of keys must have 4 values, got 3");
  refused_rotations({{{three}, {four}}, {{three}, {four}}},
                    "attention: first_keys must have 3 values, got 0");
  refused_rotations({{{three}, {four}, {first_keys}}},
                    "attention: first_keys must have 0 values, got 3");
  const Rotation fitting[] = {{{three}, {four}, {first_keys}}, {{three}, {four}}};
  rotary.rotations = fitting;
  CHECK_NOTHROW(attend(call, {.output = out.values.data()}, scratch));
  const std::vector<std::uint32_t> near{1, 2, 3}, far{1, 3, 2};
  refused_rotations({{{three}, {four}, {near}}, {{three}, {four}, {far}}, {{three}, {four}}},
                    "attention: first_keys must be at most those of the rotation before, 2, got 3");
}
