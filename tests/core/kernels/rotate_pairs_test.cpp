#include "kernels/rotate_pairs.hpp"

#include <catch_amalgamated.hpp>

#include "kernels/lanes.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;

TEST_CASE("both pairings rotate by the formula at every number of pairs and offset, and nothing else") {
  const std::size_t pairs = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t offset = GENERATE(0, 1, 3);
  const bool split = GENERATE(false, true);
  const auto before = random_floats(offset + 2 * pairs + 1, 1);
  const auto all_cos = random_floats(offset + pairs, 2), all_sin = random_floats(offset + pairs, 3);
  const auto cos = std::span(all_cos).subspan(offset), sin = std::span(all_sin).subspan(offset);
  auto after = before;

  (split ? rotate_split_pairs : rotate_interleaved_pairs)(
      std::span(after).subspan(offset, 2 * pairs), cos, sin);

  Comparison comparison;
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t first = offset + (split ? i : 2 * i);
    const std::size_t second = split ? first + pairs : first + 1;
    const double a = before[first], b = before[second];
    const double magnitude = std::abs(a * cos[i]) + std::abs(b * sin[i]);
    const double other_magnitude = std::abs(a * sin[i]) + std::abs(b * cos[i]);
    comparison.add(after[first], a * cos[i] - b * sin[i], 2 * epsilon * magnitude);
    comparison.add(after[second], a * sin[i] + b * cos[i], 2 * epsilon * other_magnitude);
  }
  CHECK_THAT(comparison, WithinBounds());
  for (std::size_t i = 0; i < offset; ++i) CHECK(same_bits(after[i], before[i]));
  CHECK(same_bits(after.back(), before.back()));
}
