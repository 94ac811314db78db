// Attention and order: what moving tokens about changes, and that tiles are not seen from outside.
#include <catch_amalgamated.hpp>

#include "bias/distance.hpp"
#include "rotary/rotate.hpp"
#include "support/attention_case.hpp"

using namespace ropewalk;

namespace {

constexpr std::size_t length = 140, dim = 12;

// The same problem with query row i being row of_queries[i], and keys likewise.
AttentionCase moved(const AttentionCase& problem, const std::vector<std::size_t>& of_queries,
                    const std::vector<std::size_t>& of_keys) {
  AttentionCase result = problem;
  result.q = reordered(problem.q, of_queries);
  result.k = reordered(problem.k, of_keys);
  result.v = reordered(problem.v, of_keys);
  return result;
}

// Both are within the bound of the same exact answer.
void check_same(const AttentionCase& problem, const Matrix& output) {
  Comparison comparison;
  compare_outputs(comparison, problem, output, problem.expected());
  CHECK_THAT(comparison, WithinBounds());
}

void rotate_rows(Matrix& rows, const std::vector<double>& positions) {
  rotate(rows.view(), rotary_table(positions, rotary_frequencies(rows.cols)),
         RotaryLayout::interleaved);
}

}  // namespace

TEST_CASE("C01 permuting the tokens permutes the outputs and changes nothing else") {
  const AttentionCase problem(length, length, dim, dim, 4);
  const auto order = shuffled_order(length, 8);
  const AttentionCase shuffled = moved(problem, order, order);
  for (const Matrix& output : {shuffled.output(), shuffled.steps().output}) {
    Matrix back(length, dim);
    for (std::size_t m = 0; m < length; ++m) {
      for (std::size_t d = 0; d < dim; ++d) back.at(order[m], d) = output.at(m, d);
    }
    check_same(problem, back);
  }
}

TEST_CASE("C01 permuting the queries alone permutes the outputs, bit for bit") {
  const AttentionCase problem(length, 77, dim, dim, 4);
  const auto order = shuffled_order(length, 9);
  std::vector<std::size_t> same(77);
  for (std::size_t n = 0; n < same.size(); ++n) same[n] = n;
  const Matrix before = reordered(problem.output(), order),
               after = moved(problem, order, same).output();
  CHECK(before.values == after.values);
}

TEST_CASE("C01 equal tokens score equally at any distance, and equal queries see the same") {
  AttentionCase problem(length, length, dim, dim, 4);
  const std::size_t equal[] = {3, 4, 20, 63, 64, 95, 96, 139};
  for (const std::size_t at : equal) {
    for (std::size_t d = 0; d < dim; ++d) {
      problem.q.at(at, d) = problem.q.at(0, d);
      problem.k.at(at, d) = problem.k.at(0, d);
    }
  }
  const auto steps = problem.steps();
  const Matrix tiled = problem.output();
  for (const std::size_t at : equal) {
    for (std::size_t m = 0; m < length; ++m) CHECK(steps.scores.at(m, at) == steps.scores.at(m, 0));
    for (std::size_t d = 0; d < dim; ++d) {
      CHECK(same_bits(tiled.at(at, d), tiled.at(0, d)));
      CHECK(same_bits(steps.output.at(at, d), steps.output.at(0, d)));
    }
  }
}

TEST_CASE("with a mask, a bias of distance or a rotation the order is felt") {
  const auto order = shuffled_order(length, 8);
  const auto change = [&](const AttentionCase& problem, const AttentionCase& shuffled) {
    const Matrix before = reordered(problem.output(), order), after = shuffled.output();
    double largest = 0;
    for (std::size_t i = 0; i < before.values.size(); ++i) {
      largest = std::max<double>(largest, std::abs(before.values[i] - after.values[i]));
    }
    return largest;
  };
  AttentionCase plain(length, length, dim, dim, 4);
  CHECK(change(plain, moved(plain, order, order)) < 1e-5);

  AttentionCase masked = plain;
  masked.band = causal_top_left();
  CHECK(change(masked, moved(masked, order, order)) > 0.1);

  AttentionCase biased = plain;
  Matrix table(1, 2 * length - 1);
  alibi(table.view(), 1 - std::int64_t(length), std::vector{0.5});
  biased.distance_bias = table.values;
  CHECK(change(biased, moved(biased, order, order)) > 0.1);

  AttentionCase turned = plain, shuffled = moved(plain, order, order);
  for (AttentionCase* problem : {&turned, &shuffled}) {
    rotate_rows(problem->q, counted_positions(length));
    rotate_rows(problem->k, counted_positions(length));
  }
  CHECK(change(turned, shuffled) > 0.1);
}

TEST_CASE("C20 attention with rotated queries and keys is the same wherever the text begins") {
  const AttentionCase plain(length, length, dim, dim, 6);
  const auto rotated_from = [&](double first) {
    AttentionCase problem = plain;
    auto positions = counted_positions(length);
    for (double& position : positions) position += first;
    rotate_rows(problem.q, positions);
    rotate_rows(problem.k, positions);
    return problem;
  };
  // Rotation rounds q and k three times more, which moves a score by at most 2 * 3 roundings of its
  // terms; the logits here stay below 10.
  const Matrix at_origin = rotated_from(0).output();
  for (const double first : {1.0, 1000.0, 100000.0}) {
    const Matrix further = rotated_from(first).output();
    for (std::size_t i = 0; i < further.values.size(); ++i) {
      REQUIRE(std::abs(further.values[i] - at_origin.values[i]) < 2e-5);
    }
  }
}

TEST_CASE("the result of a row does not depend on its place in a tile") {
  AttentionCase problem(length, 100, dim, dim, 4);
  for (std::size_t m = 1; m < length; ++m) {
    for (std::size_t d = 0; d < dim; ++d) problem.q.at(m, d) = problem.q.at(0, d);
  }
  const Matrix out = problem.output();
  for (std::size_t m = 1; m < length; ++m) {
    for (std::size_t d = 0; d < dim; ++d) CHECK(same_bits(out.at(m, d), out.at(0, d)));
  }
}

TEST_CASE("the whole sequence equals token by token, as decoding with a cache computes it") {
  AttentionCase whole(length, length, dim, dim, 7);
  whole.band = causal_top_left();
  Matrix joined(length, dim);
  for (std::size_t m = 0; m < length; ++m) {
    AttentionCase step = whole;
    step.q = reordered(whole.q, {m});
    step.band = causal_bottom_right(1, m + 1);
    std::vector<std::size_t> past(m + 1);
    for (std::size_t n = 0; n <= m; ++n) past[n] = n;
    step.k = reordered(whole.k, past);
    step.v = reordered(whole.v, past);
    const Matrix row = step.output();
    std::ranges::copy(row.values, joined.view().row(m).begin());
  }
  check_same(whole, joined);
}

TEST_CASE("C19 a bias of distance equals the same bias written out") {
  AttentionCase by_distance(50, 70, dim, dim, 3), written = by_distance;
  Matrix table(1, 119);
  alibi(table.view(), -49, std::vector{0.25});
  by_distance.distance_bias = table.values;
  written.bias = Matrix(50, 70);
  for (std::size_t m = 0; m < 50; ++m) {
    for (std::size_t n = 0; n < 70; ++n) {
      written.bias.at(m, n) = static_cast<float>(-0.25 * std::abs(double(m) - double(n)));
    }
  }
  CHECK(by_distance.output().values == written.output().values);
  CHECK(by_distance.steps().biased.values == written.steps().biased.values);
}
