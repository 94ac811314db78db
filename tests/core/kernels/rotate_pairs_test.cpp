#include "kernels/rotate_pairs.hpp"

#include <catch_amalgamated.hpp>

#include "kernels/lanes.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;

TEST_CASE(
    "both layouts rotate by the formula at every width and place, and change no other value") {
  const std::size_t pairs = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t offset = GENERATE(0, 1, 3), heads = GENERATE(1, 2, 4, 5, 9),
                    rows = GENERATE(0, 1, 3);
  const bool split = GENERATE(false, true);
  const std::size_t row_step = 2 * pairs + offset, head_step = rows * row_step + 1;
  const auto before = random_floats(offset + heads * head_step, 1);
  const Matrix cos = random_matrix(rows, pairs, 2), sin = random_matrix(rows, pairs, 3);
  auto after = before;

  (split ? rotate_split_pairs : rotate_interleaved_pairs)(
      {after.data() + offset, heads, head_step, rows, row_step}, cos.view(), sin.view());

  Comparison comparison;
  std::vector<bool> turned(before.size());
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t first = offset + h * head_step + r * row_step + (split ? i : 2 * i);
        const std::size_t second = split ? first + pairs : first + 1;
        const double a = before[first], b = before[second], c = cos.at(r, i), s = sin.at(r, i);
        comparison.add(after[first], a * c - b * s,
                       2 * epsilon * (std::abs(a * c) + std::abs(b * s)));
        comparison.add(after[second], a * s + b * c,
                       2 * epsilon * (std::abs(a * s) + std::abs(b * c)));
        turned[first] = turned[second] = true;
      }
    }
  }
  CHECK_THAT(comparison, WithinBounds());
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!turned[i]) CHECK(same_bits(after[i], before[i]));
  }
}

TEST_CASE("a pair rotates to the same bits alone and among others, wherever lanes end") {
  const std::size_t pairs = GENERATE(range<std::size_t>(1, 4 * Lanes::size + 2));
  const bool split = GENERATE(false, true);
  const auto rotate = split ? rotate_split_pairs : rotate_interleaved_pairs;
  const auto before = random_floats(2 * pairs, 1);
  const Matrix cos = random_matrix(1, pairs, 2), sin = random_matrix(1, pairs, 3);
  auto together = before;
  rotate({together.data(), 1, 0, 1, 0}, cos.view(), sin.view());
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t first = split ? i : 2 * i, second = split ? first + pairs : first + 1;
    float alone[] = {before[first], before[second]};
    rotate({alone, 1, 0, 1, 0}, {&cos.values[i], 1, 1}, {&sin.values[i], 1, 1});
    REQUIRE((same_bits(alone[0], together[first]) && same_bits(alone[1], together[second])));
  }
}
