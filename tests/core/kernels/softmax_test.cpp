#include "kernels/softmax.hpp"
#include "kernels/rows.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "kernels/lanes.hpp"
#include "reference/kernels.hpp"
#include "support/attention_case.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

namespace {

// The whole softmax of a row that arrives in the given pieces.
std::vector<float> softmax_in_pieces(std::vector<float> row, const std::vector<std::size_t>& ends) {
  SoftmaxState state;
  std::size_t first = 0;
  for (const std::size_t end : ends) {
    const float factor = softmax_step(state, std::span(row).subspan(first, end - first));
    scale(std::span(row).first(first), factor);
    first = end;
  }
  if (state.sum != 0.0f) scale(row, 1.0f / state.sum);
  return row;
}

void check_softmax(const std::vector<float>& row, const std::vector<std::size_t>& ends) {
  const auto expected = reference::softmax({row.begin(), row.end()});
  const auto weights = softmax_in_pieces(row, ends);
  double low = 0, high = -infinity;
  for (const float score : row) {
    if (score != -infinity) low = std::min<double>(low, score);
    high = std::max<double>(high, score);
  }
  Comparison comparison;
  const double relative = softmax_error(0.0, high - low, row.size(), ends.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    comparison.add(weights[i], expected[i], relative * expected[i] + least_weight);
  }
  CHECK_THAT(comparison, WithinBounds());
}

}  // namespace

TEST_CASE("softmax is the same for every length, offset and split into two pieces") {
  const std::size_t length = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t offset = GENERATE(0, 1, 3);
  auto row = random_floats(offset + length, 11 + length);
  row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(offset));
  for (float& score : row) score *= 8.0f;
  for (std::size_t split = 0; split <= length; ++split) check_softmax(row, {split, length});
}

TEST_CASE("softmax takes a row one score at a time, rising, falling and extreme") {
  std::vector<std::size_t> ends;
  for (std::size_t end = 1; end <= 3 * Lanes::size; ++end) ends.push_back(end);
  auto row = random_floats(ends.size(), 5);
  for (float& score : row) score *= GENERATE(1.0f, 30.0f, 1e4f);
  SECTION("as drawn") {}
  SECTION("rising") { std::sort(row.begin(), row.end()); }
  SECTION("falling") { std::sort(row.rbegin(), row.rend()); }
  SECTION("with masked scores") {
    for (std::size_t i = 0; i < row.size(); i += 2) row[i] = -infinity;
  }
  check_softmax(row, ends);
  check_softmax(row, {row.size()});
}

TEST_CASE("softmax_step returns the factor of earlier exponentials and keeps the maximum") {
  SoftmaxState state;
  std::vector<float> first = {1, 3}, second = {5, 4};
  CHECK(softmax_step(state, first) == 1.0f);  // there are no earlier ones
  CHECK(state.maximum == 3.0f);
  CHECK(first[1] == 1.0f);
  CHECK_THAT(softmax_step(state, second), WithinAbs(std::exp(-2.0), exp_error(2)));
  CHECK(state.maximum == 5.0f);
  std::vector<float> lower = {-1};
  CHECK(softmax_step(state, lower) == 1.0f);
  const double sum = 1 + std::exp(-1.0) + std::exp(-2.0) + std::exp(-4.0) + std::exp(-6.0);
  CHECK_THAT(state.sum, WithinAbs(sum, (exp_error(6) + 8 * rounding) * sum));
}

TEST_CASE(
    "a row of nothing but masked scores keeps sum 0, and a later score is its whole softmax") {
  SoftmaxState state;
  std::vector<float> masked(2 * Lanes::size + 1, -infinity);
  softmax_step(state, masked);
  softmax_step(state, masked = std::vector<float>(masked.size(), -infinity));
  CHECK(state.sum == 0.0f);
  CHECK(state.maximum == -infinity);
  for (const float weight : masked) CHECK(weight == 0.0f);
  std::vector<float> seen = {-2.0f};
  softmax_step(state, seen);
  CHECK(seen[0] == 1.0f);
  CHECK(state.sum == 1.0f);
}

TEST_CASE("the softcap is cap tanh(score / cap) for every score, and at every length and offset") {
  const float cap = GENERATE(0.5f, 5.0f, 50.0f);
  const std::size_t length = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2), 4000);
  const std::size_t offset = GENERATE(0, 1, 3);
  auto row = random_floats(offset + length, 6);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] *= cap * std::ldexp(1.0f, int(i % 12) - 7);
  const auto before = row;
  softcap(std::span(row).subspan(offset), cap);
  Comparison comparison;
  for (std::size_t i = offset; i < row.size(); ++i) {
    const double exact = cap * std::tanh(double(before[i]) / cap);
    comparison.add(row[i], exact, 4.5e-7 * std::abs(exact));
  }
  CHECK_THAT(comparison, WithinBounds());
  for (std::size_t i = 0; i < offset; ++i) CHECK(same_bits(row[i], before[i]));
}

TEST_CASE(
    "the softcap has the published values, its limits and no trouble with what is not finite") {
  std::vector<float> scores = {10, -10, 0, 1e30f, -1e30f, infinity, -infinity, not_a_number};
  softcap(scores, 5.0f);
  CHECK_THAT(scores[0], WithinAbs(4.820137900, 1e-6));
  CHECK_THAT(scores[1], WithinAbs(-4.820137900, 1e-6));
  CHECK(scores[2] == 0.0f);
  for (const std::size_t up : {3, 5}) CHECK_THAT(scores[up], WithinAbs(5.0, 1e-6));
  for (const std::size_t down : {4, 6}) CHECK_THAT(scores[down], WithinAbs(-5.0, 1e-6));
  CHECK(std::isnan(scores[7]));
  std::vector<float> ten = {10};
  softcap(ten, 50.0f);
  CHECK_THAT(ten[0], WithinAbs(9.868766011, 2e-6));
}

TEST_CASE("a NaN anywhere in a row makes its sum NaN, in whichever piece it comes") {
  const std::size_t length = 2 * Lanes::size + 3;
  for (std::size_t at = 0; at < length; ++at) {
    for (const std::size_t split : {std::size_t{0}, at, length}) {
      auto row = random_floats(length, 4);
      row[at] = not_a_number;
      SoftmaxState state;
      softmax_step(state, std::span(row).first(split));
      softmax_step(state, std::span(row).subspan(split));
      REQUIRE(std::isnan(state.sum));
      REQUIRE(std::isnan(row[at]));
    }
  }
}

TEST_CASE(
    "the element-wise loops agree with double at every length and offset, and touch no more") {
  const std::size_t length = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t offset = GENERATE(0, 1, 3);
  const auto before = random_floats(offset + length + 1, 1),
             terms = random_floats(offset + length, 2);
  const auto part = std::span(terms).subspan(offset);
  const float factor = -1.75f;
  auto added = before, with_scaled = before, scaled = before;
  add(std::span(added).subspan(offset, length), part);
  add_scaled(std::span(with_scaled).subspan(offset, length), part, factor);
  scale(std::span(scaled).subspan(offset, length), factor);

  Comparison comparison;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (i < offset || i >= offset + length) {
      CHECK((same_bits(added[i], before[i]) && same_bits(with_scaled[i], before[i]) &&
             same_bits(scaled[i], before[i])));
      continue;
    }
    const double x = before[i], t = terms[i];
    comparison.add(added[i], x + t, rounding * std::abs(x + t));
    comparison.add(scaled[i], x * factor, rounding * std::abs(x * factor));
    comparison.add(with_scaled[i], x + factor * t, epsilon * (std::abs(x) + std::abs(factor * t)));
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("a bias is added, and -infinity in it hides every score") {
  const std::size_t length = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t offset = GENERATE(0, 1, 3);
  const float awkward[] = {infinity, -infinity, not_a_number, 1e30f};
  auto scores = random_floats(offset + length, 1), bias = random_floats(offset + length, 2);
  for (std::size_t i = 0; i < scores.size(); i += 2) scores[i] = awkward[i / 2 % 4];
  for (std::size_t i = 0; i < bias.size(); i += 3) bias[i] = -infinity;
  const auto before = scores;
  add_bias(std::span(scores).subspan(offset), std::span<const float>(bias).subspan(offset));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float sum = i < offset             ? before[i]
                      : bias[i] == -infinity ? -infinity
                                             : before[i] + bias[i];
    CHECK((scores[i] == sum || (std::isnan(scores[i]) && std::isnan(sum))));
  }
}

TEST_CASE("a value comes out with the same bits alone and among others, wherever lanes end") {
  const std::size_t length = GENERATE(range<std::size_t>(1, 4 * Lanes::size + 2));
  const auto before = random_floats(length, 1), terms = random_floats(length, 2);
  const auto agrees = [&](auto loop) {
    auto together = before;
    loop(std::span(together), std::span(terms));
    for (std::size_t i = 0; i < length; ++i) {
      float alone = before[i];
      loop(std::span(&alone, 1), std::span(terms).subspan(i, 1));
      REQUIRE(same_bits(alone, together[i]));
    }
  };
  agrees([](std::span<float> to, std::span<const float> from) { add(to, from); });
  agrees([](std::span<float> to, std::span<const float> from) { add_bias(to, from); });
  agrees([](std::span<float> to, std::span<const float> from) { add_scaled(to, from, -0.7f); });
  agrees([](std::span<float> to, std::span<const float>) { scale(to, -0.7f); });
  agrees([](std::span<float> to, std::span<const float>) { softcap(to, 0.7f); });
}
