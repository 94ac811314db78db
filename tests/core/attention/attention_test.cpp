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

// Both paths, output and denominator.
void check(const AttentionCase& problem) {
  const auto exact = problem.expected();
  Comparison comparison;
  std::vector<float> log_sum_exp;
  compare_outputs(comparison, problem, problem.output(&log_sum_exp), exact);
  compare_log_sum_exp(comparison, problem, log_sum_exp, exact);
  const auto steps = problem.steps();
  compare_outputs(comparison, problem, steps.output, exact);
  compare_log_sum_exp(comparison, problem, steps.log_sum_exp, exact);
  INFO("queries " << problem.q.rows << " keys " << problem.k.rows << " dim " << problem.q.cols
                  << " value dim " << problem.v.cols << " offset " << problem.band.offset);
  CHECK_THAT(comparison, WithinBounds());
}

// A bias with every awkward value: hidden keys, rows without any key, large and small numbers.
Matrix awkward_bias(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  Matrix bias = random_matrix(rows, cols, seed);
  for (float& value : bias.values) {
    if (random.uniform() < 0.2) value = -infinity;
    if (random.uniform() < 0.05) value *= 1000;
  }
  for (std::size_t c = 0; c < cols && rows > 1; ++c) bias.at(rows / 2, c) = -infinity;
  return bias;
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

TEST_CASE("attention agrees with double for random shapes, masks, scales and biases") {
  Random random(2024);
  const auto size = [&](std::size_t most) { return 1 + random.bits() % most; };
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    AttentionCase problem(size(90), size(seed % 10 == 0 ? 600 : 140), size(70), size(70), seed);
    problem.band = bands(problem.q.rows, problem.k.rows)[random.bits() % 3];
    if (seed % 4 == 0) problem.band.lookback = size(40) - 1;
    if (seed % 8 == 0) problem.band.key_length = size(problem.k.rows);
    problem.scale *= static_cast<float>(random.uniform(-2, 2));
    if (seed % 3 == 1) problem.bias = awkward_bias(problem.q.rows, problem.k.rows, seed);
    if (seed % 3 == 2) problem.bias = awkward_bias(1, problem.k.rows, seed);
    if (seed % 2 == 1)
      problem.distance_bias = random_floats(problem.q.rows + problem.k.rows - 1, seed);
    if (seed % 5 == 1) problem.softcap = static_cast<float>(random.uniform(0.5, 5));
    if (seed % 5 == 2) problem.sink = static_cast<float>(random.uniform(-3, 3));
    if (seed % 5 == 3) problem.row_scale = random_floats(problem.q.rows, seed);
    check(problem);
  }
}

TEST_CASE("attention survives logits of ten thousand either way") {
  for (const float factor : {1e2f, 1e4f}) {
    AttentionCase problem(20, 100, 16, 6, 3);
    for (float& value : problem.q.values) value *= factor;
    check(problem);
    AttentionCase biased(20, 100, 16, 6, 3);
    biased.bias = random_matrix(20, 100, 4);
    for (float& value : biased.bias.values) value *= factor;
    check(biased);
    biased.distance_bias = std::vector<float>(119, -factor);
    check(biased);
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

TEST_CASE("a row that sees no key is zero, and its neighbours are what they were") {
  for (const std::size_t queries : {5, 130}) {
    AttentionCase problem(queries, 3, 4, 5, 1);
    problem.band = causal_bottom_right(queries, 3);
    check(problem);
    const Matrix out = problem.output(), in_steps = problem.steps().output;
    for (std::size_t m = 0; m + 3 < queries; ++m) {
      for (std::size_t d = 0; d < 5; ++d)
        CHECK((out.at(m, d) == 0.0f && in_steps.at(m, d) == 0.0f));
    }
  }
  AttentionCase hidden(4, 100, 4, 5, 1);
  hidden.bias = Matrix(4, 100);
  for (std::size_t n = 0; n < 100; ++n) hidden.bias.at(2, n) = -infinity;
  check(hidden);
  for (std::size_t d = 0; d < 5; ++d) CHECK(hidden.output().at(2, d) == 0.0f);
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
  refused_modifier(RowScale(seven, {{1, 1, 3, 1}}),
                   "attention: row_scale must have 3 values, got 7");
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
  refused_rotations({4, {three, four}}, "attention: there must be 1 to 3 rotations, got 4");
  refused_rotations({{four, four}}, "attention: positions of queries must have 3 values, got 4");
  refused_rotations({{three, three}}, "attention: positions of keys must have 4 values, got 3");
  refused_rotations({{three, four}, {three, four}},
                    "attention: first_keys must have 3 values, got 0");
  refused_rotations({{three, four, first_keys}}, "attention: first_keys must have 0 values, got 3");
  const Rotation fitting[] = {{three, four, first_keys}, {three, four}};
  rotary.rotations = fitting;
  CHECK_NOTHROW(attend(call, {.output = out.values.data()}, scratch));
}
