#include "encodings/alibi.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "base/require.hpp"

namespace ropewalk {
namespace {

double geometric_slope(std::size_t head, std::size_t heads) {
  return std::exp2(-8.0 * static_cast<double>(head + 1) / static_cast<double>(heads));
}

}  // namespace

std::vector<double> alibi_slopes(std::size_t heads, SlopeConvention convention) {
  require(heads > 0, "alibi_slopes: heads must be positive, got ", heads);
  const bool naive = convention == SlopeConvention::naive;
  const std::size_t geometric = naive ? heads : std::bit_floor(heads);
  std::vector<double> slopes(heads);
  for (std::size_t h = 0; h < heads; ++h) {
    slopes[h] = h < geometric ? geometric_slope(h, geometric)
                              : geometric_slope(2 * (h - geometric), 2 * geometric);
  }
  if (convention == SlopeConvention::sorted) {
    std::sort(slopes.begin(), slopes.end(), std::greater<>());
  }
  return slopes;
}

void alibi(MatrixView by_offset, std::size_t queries, std::span<const double> slopes,
           AlibiDirection direction) {
  require(by_offset.rows == slopes.size(), "alibi: the table must have one row per slope, got ",
          by_offset.rows, " rows for ", slopes.size(), " slopes");
  for (std::size_t h = 0; h < by_offset.rows; ++h) {
    const std::span<float> row = by_offset.row(h);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double offset = static_cast<double>(c) - static_cast<double>(queries - 1);
      const bool unseen = offset > 0.0 && direction == AlibiDirection::causal;
      row[c] = unseen ? 0.0f : static_cast<float>(0.0 - slopes[h] * std::abs(offset));
    }
  }
}

}  // namespace ropewalk
