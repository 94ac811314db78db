#include "encodings/rotary.hpp"

#include <catch_amalgamated.hpp>
#include <vector>

#include "reference/encodings.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("C22 rotating in place equals the formula in both pairings, at every width and position") {
  const std::size_t dim = GENERATE(2, 4, 6, 8, 10, 18, 64);
  const double position = GENERATE(0.0, 1.0, 2.5, 4096.0, 1e6);
  const RotaryLayout layout = GENERATE(RotaryLayout::interleaved, RotaryLayout::half_split);
  std::vector<float> row = random_floats(dim, 7);
  const std::vector<double> x(row.begin(), row.end());
  const auto expected = layout == RotaryLayout::interleaved
                            ? reference::rotate_interleaved(x, position, 10000.0)
                            : reference::rotate_half_split(x, position, 10000.0);

  rotate({row.data(), 1, dim}, rotary_table(std::vector{position}, rotary_frequencies(dim)), layout);

  for (std::size_t d = 0; d < dim; ++d) CHECK_THAT(row[d], WithinAbs(expected[d], 1e-6));
}
