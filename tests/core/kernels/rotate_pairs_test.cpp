#include "kernels/rotate_pairs.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "reference/rotary.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("heads turn as their formula says, at every width, count and place, and nothing else does") {
  const std::size_t pairs = GENERATE(0, 1, 2, 3, 4, 5, 8, 11, 16, 17), beyond = GENERATE(0, 3);
  const std::size_t heads = GENERATE(1, 2, 4, 5, 8, 9), rows = GENERATE(0, 1, 3);
  const bool interleaved = GENERATE(false, true);
  const std::size_t dim = 2 * pairs + beyond, head_step = rows * dim + 1;
  std::vector<float> x = random_floats(heads * head_step + 1, 3);
  const std::vector<float> before = x;
  std::vector<float> cos(rows * pairs), sin(rows * pairs);
  const std::vector<double> angles = counted_positions(rows * pairs);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    cos[i] = float(std::cos(angles[i]));
    sin[i] = float(std::sin(angles[i]));
  }

  const auto rotate = interleaved ? rotate_interleaved_pairs : rotate_split_pairs;
  rotate({x.data() + 1, heads, head_step, rows, dim}, {cos.data(), rows, pairs}, {sin.data(), rows, pairs});

  const auto places = interleaved ? reference::interleaved_pair : reference::half_split_pair;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t at = 1 + h * head_step + r * dim;
      const std::vector<double> row(before.begin() + at, before.begin() + at + dim);
      const std::vector<double> turns(angles.begin() + r * pairs, angles.begin() + (r + 1) * pairs);
      const auto expected = reference::turned(row, turns, places, places);
      for (std::size_t d = 0; d < dim; ++d) {
        if (d >= 2 * pairs) CHECK(x[at + d] == before[at + d]);
        else CHECK_THAT(x[at + d], WithinAbs(expected[d], 1e-6));
      }
    }
    CHECK(x[h * head_step] == before[h * head_step]);  // between two heads
  }
}
