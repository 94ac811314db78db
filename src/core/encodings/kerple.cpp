#include "encodings/kerple.hpp"

#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"

namespace ropewalk {

void kerple(MatrixView by_offset, std::int64_t first, KerpleKind kind, std::span<const double> r1,
            std::span<const double> r2, BiasDirection direction) {
  require(by_offset.rows == r1.size() && r1.size() == r2.size(),
          "kerple: the table, r1 and r2 must have one entry per head, got ", by_offset.rows, ", ",
          r1.size(), " and ", r2.size());
  for (std::size_t h = 0; h < r1.size(); ++h) {
    require(r1[h] > 0.0, "kerple: r1 must be greater than 0, got ", r1[h]);
    require(r2[h] > 0.0, "kerple: r2 must be greater than 0, got ", r2[h]);
    require(kind == KerpleKind::logarithmic || r2[h] <= 2.0,
            "kerple: r2 of the power kind must be at most 2, got ", r2[h]);
  }
  fill_by_distance(by_offset, first, direction, [&](std::size_t h, double distance) {
    const double grown =
        kind == KerpleKind::logarithmic ? logarithm_of_1_plus(r2[h] * distance)
                                        : power(distance, r2[h]);
    return 0.0 - r1[h] * grown;
  });
}

}  // namespace ropewalk
