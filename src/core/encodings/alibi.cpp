#include "encodings/alibi.hpp"

#include <bit>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"

namespace ropewalk {
namespace {

double geometric_slope(std::size_t head, std::size_t heads, double max_bias) {
  return exponential_base_2(-max_bias * static_cast<double>(head + 1) / static_cast<double>(heads));
}

void require_row_per_slope(ConstMatrixView table, std::span<const double> slopes) {
  require(table.rows == slopes.size(), "alibi: the table must have one row per slope, got ",
          table.rows, " rows for ", slopes.size(), " slopes");
}

}  // namespace

std::vector<double> alibi_slopes(std::size_t heads, SlopeConvention convention, double max_bias,
                                 HeadSlice slice) {
  require(heads > 0, "alibi_slopes: heads must be positive, got ", heads);
  require(max_bias > 0.0 && std::isfinite(max_bias),
          "alibi_slopes: max_bias must be positive and finite, got ", max_bias);
  require(slice.first <= heads && slice.count <= heads - slice.first,
          "alibi_slopes: the slice must end within the heads, ", heads, ", got ", slice.count,
          " from ", slice.first);
  const bool naive = convention == SlopeConvention::naive;
  const std::size_t geometric = naive ? heads : std::bit_floor(heads), others = heads - geometric;
  std::vector<double> slopes(slice.count);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const std::size_t h = slice.first + i;
    if (convention == SlopeConvention::sorted) {
      // The others stand between the first of the power of two: together they are those of the
      // power above, as far as there are others.
      slopes[i] = h < 2 * others ? geometric_slope(h, 2 * geometric, max_bias)
                                 : geometric_slope(h - others, geometric, max_bias);
    } else {
      slopes[i] = h < geometric ? geometric_slope(h, geometric, max_bias)
                                : geometric_slope(2 * (h - geometric), 2 * geometric, max_bias);
    }
  }
  return slopes;
}

void alibi(MatrixView by_offset, std::int64_t first, std::span<const double> slopes,
           BiasDirection direction) {
  require_row_per_slope(by_offset, slopes);
  fill_by_distance(by_offset, first, direction, [&](std::size_t head, double distance) {
    return 0.0 - slopes[head] * distance;
  });
}

void alibi_translated(MatrixView by_key, std::span<const double> slopes,
                      std::span<const double> positions) {
  require_row_per_slope(by_key, slopes);
  require(by_key.cols == positions.size(),
          "alibi: the table must have one column per position, got ", by_key.cols, " columns for ",
          positions.size(), " positions");
  for (std::size_t h = 0; h < by_key.rows; ++h) {
    for (std::size_t n = 0; n < by_key.cols; ++n) {
      by_key.row(h)[n] = static_cast<float>(slopes[h] * positions[n]);
    }
  }
}

std::vector<double> alibi_masked_positions(std::span<const double> mask) {
  std::vector<double> positions(mask.size(), 0.0);
  double seen = 0.0;
  for (std::size_t n = 0; n < mask.size(); ++n) {
    if (mask[n] != 0.0) positions[n] = seen++;
  }
  return positions;
}

}  // namespace ropewalk
