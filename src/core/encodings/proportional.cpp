#include "encodings/proportional.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "encodings/position_interpolation.hpp"

namespace ropewalk {

ScaledFrequencies proportional(std::size_t dim, double base, double fraction, double factor) {
  require(fraction > 0.0 && fraction <= 1.0,
          "proportional: fraction must be greater than 0 and at most 1, got ", fraction);
  ScaledFrequencies result = position_interpolation(dim, base, factor);
  const double turning = std::floor(fraction * static_cast<double>(dim) / 2.0);
  require(turning >= 1.0, "proportional: at least one pair must turn, got fraction ", fraction,
          " of dim ", dim);
  std::fill(result.inverse.begin() + static_cast<std::ptrdiff_t>(turning), result.inverse.end(),
            0.0);
  return result;
}

}  // namespace ropewalk
