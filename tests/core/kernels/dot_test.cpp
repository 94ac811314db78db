#include "kernels/dot.hpp"

#include <catch_amalgamated.hpp>

#include "kernels/lanes.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("dot agrees with a sum in double at every length and offset") {
  const std::size_t length = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t offset = GENERATE(0, 1, 3);
  const auto a = random_floats(length + offset, 1), b = random_floats(length + offset, 2);
  const auto x = std::span(a).subspan(offset), y = std::span(b).subspan(offset);

  const reference::Sum expected = reference::dot(x, y);
  const double bound = double(length) * epsilon * expected.magnitude;
  CHECK_THAT(dot(x, y), WithinAbs(expected.value, bound));
}

TEST_CASE("dot of rows with a NaN or an infinity at any place is not finite") {
  const float bad =
      GENERATE(std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity());
  const std::size_t length = 2 * Lanes::size + 3;
  const std::vector<float> ones(length, 1.0f);
  for (std::size_t at = 0; at < length; ++at) {
    auto row = ones;
    row[at] = bad;
    CHECK_FALSE(std::isfinite(dot(row, ones)));
  }
}
