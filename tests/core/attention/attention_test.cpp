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
  const double weights[] = {.274068619, .274068619, .451862762}, output[] = {3.355588286, 4.355588286};
  for (std::size_t n = 0; n < 3; ++n) CHECK_THAT(steps.weights.at(0, n), WithinAbs(weights[n], 2e-7));
  for (std::size_t d = 0; d < 2; ++d) {
    CHECK_THAT(steps.output.at(0, d), WithinAbs(output[d], 2e-6));
    CHECK_THAT(problem.output().at(0, d), WithinAbs(output[d], 2e-6));
  }
}

TEST_CASE("attention agrees with double for every number of queries and keys up to past one tile") {
  for (std::size_t length = 1; length <= 70; ++length) {
    AttentionCase tall(length, 71 - length, 5, 3, length), small(length, 1 + length % 9, 1, 9, length);
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
  const std::size_t queries = GENERATE(5, 6, 7, 23, 24, 25, 49), keys = GENERATE(255, 256, 257, 513);
  AttentionCase problem(queries, keys, 8, 8, queries + keys);
  for (const Band& band : bands(queries, keys)) {
    problem.band = band;
    check(problem);
  }
  problem.band.lookback = 7;
  for (const std::ptrdiff_t offset : {240, 250, 256, 260}) {  // a narrow window across the block's edge
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
    if (seed % 2 == 1) problem.distance_bias = random_floats(problem.q.rows + problem.k.rows - 1, seed);
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
      for (std::size_t d = 0; d < 5; ++d) CHECK((out.at(m, d) == 0.0f && in_steps.at(m, d) == 0.0f));
    }
  }
  AttentionCase hidden(4, 100, 4, 5, 1);
  hidden.bias = Matrix(4, 100);
  for (std::size_t n = 0; n < 100; ++n) hidden.bias.at(2, n) = -infinity;
  check(hidden);
  for (std::size_t d = 0; d < 5; ++d) CHECK(hidden.output().at(2, d) == 0.0f);
}

TEST_CASE("attention without keys, queries or widths gives zeros or nothing") {
  const Matrix none = AttentionCase(3, 0, 4, 2, 1).output();
  for (const float value : none.values) CHECK(value == 0.0f);
  CHECK(AttentionCase(0, 3, 4, 2, 1).output().values.empty());
  CHECK(AttentionCase(3, 3, 4, 0, 1).output().values.empty());
  check(AttentionCase(3, 4, 0, 2, 1));  // every score is 0: the mean of the values
}

TEST_CASE("views with gaps are read and written in their own columns only") {
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
  const auto narrow = [&](Matrix& wide, std::size_t cols) {
    return MatrixView(wide.values.data(), wide.rows, cols, wide.cols);
  };
  Matrix q = spread(problem.q), k = spread(problem.k), v = spread(problem.v);
  Matrix out(queries, value_dim + gap, 12345.0f);
  AttentionScratch scratch;
  const ScoreSource source{narrow(q, dim), narrow(k, dim)};
  attend(narrow(out, value_dim), {&source, 1}, narrow(v, value_dim), problem.options(), scratch);
  const Matrix dense = problem.output();
  for (std::size_t m = 0; m < queries; ++m) {
    for (std::size_t d = 0; d < value_dim; ++d) CHECK(same_bits(out.at(m, d), dense.at(m, d)));
    for (std::size_t d = value_dim; d < value_dim + gap; ++d) CHECK(out.at(m, d) == 12345.0f);
  }
}

TEST_CASE("scratch that served other shapes changes nothing") {
  AttentionScratch scratch;
  for (const std::size_t size : {130, 3, 77, 1, 100, 7}) {
    AttentionCase problem(size, 131 - size, 1 + size % 20, 1 + size % 13, size);
    problem.v.values[0] = size == 130 ? not_a_number : 1.0f;
    Matrix out(problem.q.rows, problem.v.cols);
    const ScoreSource source{problem.q.view(), problem.k.view()};
    attend(out.view(), {&source, 1}, problem.v.view(), problem.options(), scratch);
    const Matrix fresh = problem.output();
    for (std::size_t i = 0; i < out.values.size(); ++i) CHECK(same_bits(out.values[i], fresh.values[i]));
  }
}

TEST_CASE("near and far keys may have scores of their own, and tiles do not show where they meet") {
  const std::size_t queries = 60, keys = 300, dim = 7, near = GENERATE(1, 10, 255, 400);
  AttentionCase problem(queries, keys, dim, 5, 2);
  problem.band = causal_bottom_right(queries, keys);
  const Matrix far_q = random_matrix(queries, dim, 12), far_k = random_matrix(keys, dim, 13);
  std::vector<std::uint32_t> first_near(queries);
  for (std::size_t m = 0; m < queries; ++m) {
    first_near[m] = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(0, std::ptrdiff_t(m + 241) - std::ptrdiff_t(near)));
  }
  const ScoreSource sources[] = {{problem.q.view(), problem.k.view(), first_near},
                                 {far_q.view(), far_k.view()}};

  reference::AttentionTerms terms;
  terms.scale = [&](std::size_t) { return problem.scale; };
  terms.bias = [&](std::size_t m, std::size_t n) { return problem.sees(m, n) ? 0.0 : -double(infinity); };
  const auto product = [&](std::size_t m, std::size_t n) {
    const ScoreSource& source = sources[n < first_near[m]];
    return reference::dot(source.q.row(m), source.k.row(n)).value;
  };
  const auto exact = reference::attend(queries, product, problem.v.view(), terms);
  Matrix tiled(queries, 5), in_steps(queries, 5);
  AttentionScratch scratch;
  attend(tiled.view(), sources, problem.v.view(), problem.options(), scratch);
  attend_in_steps(in_steps.view(), {}, sources, problem.v.view(), problem.options());
  for (std::size_t m = 0; m < queries; ++m) {
    for (std::size_t d = 0; d < 5; ++d) {
      // The bound of compare_outputs for logits below 10 and values below 5, rounded up.
      REQUIRE(std::abs(tiled.at(m, d) - exact.output[m][d]) < 1e-4);
      REQUIRE(std::abs(in_steps.at(m, d) - exact.output[m][d]) < 1e-4);
    }
  }
}

TEST_CASE("attention names the operand that does not fit") {
  AttentionCase problem(3, 4, 5, 6, 1);
  AttentionScratch scratch;
  AttentionOptions options;
  Matrix out(3, 6);
  const auto refused_sources = [&](MatrixView to, std::span<const ScoreSource> sources, const Matrix& v,
                                   const char* text) {
    CHECK_THROWS_MATCHES(attend(to, sources, v.view(), options, scratch), std::invalid_argument, Message(text));
    CHECK_THROWS_MATCHES(attend_in_steps(to, {}, sources, v.view(), options), std::invalid_argument,
                         Message(text));
  };
  const auto refused = [&](MatrixView to, const Matrix& q, const Matrix& k, const Matrix& v, const char* text) {
    const ScoreSource source{q.view(), k.view()};
    refused_sources(to, {&source, 1}, v, text);
  };
  const auto &q = problem.q, &k = problem.k, &v = problem.v;
  refused(out.view(), Matrix(3, 7), k, v, "attention: q and k must have the same dim, got 7 and 5");
  refused(out.view(), q, k, Matrix(9, 6), "attention: k and v must have the same length, got 4 and 9");
  refused(Matrix(3, 5).view(), q, k, v, "attention: out must be 3 x 6, got 3 x 5");
  refused(Matrix(2, 6).view(), q, k, v, "attention: out must be 3 x 6, got 2 x 6");

  refused_sources(out.view(), {}, v, "attention: there must be queries and keys");
  const std::vector<std::uint32_t> three(3), two(2);
  const ScoreSource plain{q.view(), k.view()}, part{q.view(), k.view(), three}, odd{q.view(), k.view(), two};
  const ScoreSource no_rest[] = {plain, part}, wrong_count[] = {odd, plain};
  refused_sources(out.view(), no_rest, v, "attention: the last source must begin at key 0");
  refused_sources(out.view(), wrong_count, v, "attention: every source must have 3 queries");

  const Matrix bias(4, 3);
  options.bias = bias.view();
  refused(out.view(), q, k, v, "attention: bias must be 3 x 4, got 4 x 3");
  options.bias = {};
  const std::vector<float> seven(7);
  options.distance_bias = seven;
  refused(out.view(), q, k, v,
          "attention: distance_bias must have queries + keys - 1 = 6 values, got 7");
  options.distance_bias = {};
  options.row_scale = seven;
  refused(out.view(), q, k, v, "attention: row_scale must have one value per query, 3, got 7");
  options.row_scale = {};
  CHECK_NOTHROW(attend(out.view(), {&plain, 1}, v.view(), options, scratch));
}
