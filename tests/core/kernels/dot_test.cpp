#include "kernels/dot.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "kernels/lanes.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

TEST_CASE("dot agrees with a sum in double at every length and offset") {
  const std::size_t length = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const std::size_t offset = GENERATE(0, 1, 3);
  const auto a = random_floats(length + offset, 1), b = random_floats(length + offset, 2);
  const auto x = std::span(a).subspan(offset), y = std::span(b).subspan(offset);

  double sum = 0, magnitude = 0;  // rounding grows with the sum of |terms|, not with the result
  for (std::size_t i = 0; i < length; ++i) {
    sum += double(x[i]) * y[i];
    magnitude += std::abs(double(x[i]) * y[i]);
  }
  const double bound = double(length) * std::numeric_limits<float>::epsilon() * magnitude;
  CHECK_THAT(dot(x, y), WithinAbs(sum, bound));
}
