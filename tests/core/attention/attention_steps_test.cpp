// The steps on the way to the output.
#include <catch_amalgamated.hpp>

#include "support/attention_case.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("every step agrees with double, for every mask and kind of bias") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    AttentionCase problem(1 + seed % 23, 1 + seed * 7 % 41, 1 + seed % 19, 1 + seed % 5, seed);
    if (seed % 3 == 1) problem.band = causal_top_left();
    if (seed % 3 == 2) problem.band = causal_bottom_right(problem.q.rows, problem.k.rows);
    if (seed % 7 == 0) problem.softcap = 3;
    if (seed % 7 == 1) problem.sink = 0.5;
    if (seed % 7 == 2) problem.row_scale = random_floats(problem.q.rows, seed + 9);
    if (seed % 2)
      problem.bias = random_matrix(seed % 4 == 1 ? 1 : problem.q.rows, problem.k.rows, seed);
    if (seed % 5 == 0)
      problem.distance_bias = random_floats(problem.q.rows + problem.k.rows - 1, seed);
    const auto exact = problem.expected();
    const auto steps = problem.steps();
    Comparison comparison;
    for (std::size_t m = 0; m < problem.q.rows; ++m) {
      const double relative = problem.weight_error(m, exact);
      double entropy_error = rounding * exact.entropy[m];
      for (std::size_t n = 0; n < problem.k.rows; ++n) {
        const double capped = exact.capped[m][n], weight = exact.weights[m][n];
        comparison.add(steps.scores.at(m, n), exact.scores[m][n], problem.score_error(m, n));
        comparison.add(steps.capped.at(m, n), capped, problem.capped_error(m, n, capped));
        comparison.add(steps.biased.at(m, n), exact.biased[m][n],
                       problem.biased_error(m, n, capped));
        comparison.add(steps.weights.at(m, n), weight, relative * weight + least_weight);
        if (weight > 0) entropy_error += relative * weight * (1 + std::abs(std::log(weight)));
      }
      comparison.add(steps.entropy[m], exact.entropy[m], entropy_error + 1e-30);
    }
    CHECK_THAT(comparison, WithinBounds());
  }
}

TEST_CASE(
    "each row of weights sums to 1, and masked keys are -infinity before softmax and 0 after it") {
  AttentionCase problem(30, 45, 8, 4, 2);
  problem.band = causal_top_left();
  const auto steps = problem.steps();
  for (std::size_t m = 0; m < 30; ++m) {
    double sum = 0;
    for (std::size_t n = 0; n < 45; ++n) {
      sum += steps.weights.at(m, n);
      const bool seen = n <= m;
      CHECK((steps.biased.at(m, n) == -infinity) == !seen);
      CHECK((steps.weights.at(m, n) == 0.0f) == !seen);
      CHECK(std::isfinite(steps.scores.at(m, n)));
    }
    CHECK_THAT(sum, WithinAbs(1.0, 50 * rounding));
  }
}

TEST_CASE("adding the same to every score of a row changes no weight") {
  AttentionCase problem(10, 37, 8, 4, 2);
  const auto before = problem.steps().weights;
  problem.bias = Matrix(1, 37, 50.0f);
  const auto after = problem.steps().weights;
  Comparison comparison;
  const auto exact = problem.expected();
  for (std::size_t m = 0; m < 10; ++m) {
    const double relative = 2 * problem.weight_error(m, exact);
    for (std::size_t n = 0; n < 37; ++n)
      comparison.add(after.at(m, n), before.at(m, n), relative * before.at(m, n));
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("entropy is ln n for n equal weights, and 0 for one or for none") {
  AttentionCase problem(4, 4, 3, 2, 1);
  problem.q.values.assign(12, 0.0f);
  problem.band = causal_bottom_right(4, 4);
  const auto entropy = problem.steps().entropy;
  for (std::size_t m = 0; m < 4; ++m)
    CHECK_THAT(entropy[m], WithinAbs(std::log(double(m + 1)), 4 * epsilon));
  AttentionCase nothing(4, 2, 3, 2, 1);
  nothing.band = causal_bottom_right(4, 2);
  CHECK(nothing.steps().entropy[0] == 0.0f);
}

TEST_CASE("a sink takes weight and adds no value") {
  AttentionCase problem(6, 9, 4, 3, 8);
  const auto without = problem.steps();
  problem.sink = 1;
  const auto with = problem.steps();
  for (std::size_t m = 0; m < 6; ++m) {
    const double share =
        1 / (1 + std::exp(1 - double(without.log_sum_exp[m])));  // what is left for keys
    double sum = 0;
    for (std::size_t n = 0; n < 9; ++n) sum += with.weights.at(m, n);
    CHECK_THAT(sum, WithinAbs(share, 1e-6));
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK_THAT(with.output.at(m, d), WithinAbs(share * without.output.at(m, d), 4e-6));
    }
  }
}

TEST_CASE("a row that sees no key has -infinity for its denominator's logarithm") {
  AttentionCase problem(4, 2, 3, 2, 1);
  problem.band = causal_bottom_right(4, 2);
  std::vector<float> tiled;
  problem.output(&tiled);
  for (const auto& log_sum_exp : {tiled, problem.steps().log_sum_exp}) {
    CHECK((log_sum_exp[0] == -infinity && log_sum_exp[1] == -infinity));
    CHECK((std::isfinite(log_sum_exp[2]) && std::isfinite(log_sum_exp[3])));
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
