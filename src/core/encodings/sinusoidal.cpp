#include "encodings/sinusoidal.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "encodings/angles_nearby.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {
namespace {

double exponent(std::size_t pair, std::size_t dim, SinusoidSpacing spacing) {
  if (spacing == SinusoidSpacing::half_dim) {
    return 2.0 * static_cast<double>(pair) / static_cast<double>(dim);
  }
  const std::size_t pairs = dim / 2;
  return pairs == 1 ? 0.0 : static_cast<double>(pair) / static_cast<double>(pairs - 1);
}

void write_row(std::span<float> row, const Turns& start, const Turns& steps,
               const SinusoidOptions& options) {
  const std::size_t dim = row.size(), pairs = start.sines.size();
  const std::size_t whole = std::min(dim / 2, pairs);
  const bool cosine_first = options.order == SinusoidOrder::cos_first;
  const bool side_by_side = options.layout == SinusoidLayout::interleaved;
  if (side_by_side) {
    write_sums_in_pairs(start, steps, whole, row.data(), cosine_first);
  } else {
    float *sines = row.data(), *cosines = row.data() + pairs;
    if (cosine_first) std::swap(sines, cosines);
    write_sums(start, steps, whole, sines, cosines);
  }
  if (whole < pairs) {
    const auto first_of_sum = cosine_first ? cosine_of_sum : sine_of_sum;
    row[side_by_side ? 2 * whole : whole] = static_cast<float>(first_of_sum(start, steps, whole));
  }
  if (2 * pairs < dim) row.back() = 0.0f;
}

}  // namespace

std::vector<double> sinusoid_frequencies(std::size_t dim, const SinusoidOptions& options) {
  require(dim > 0, "sinusoidal: dim must be positive, got ", dim);
  require(options.base > 0.0 && std::isfinite(options.base),
          "sinusoidal: base must be positive and finite, got ", options.base);
  const bool rounds_up = options.spacing == SinusoidSpacing::half_dim;
  std::vector<double> frequencies(rounds_up ? (dim + 1) / 2 : dim / 2);
  for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
    frequencies[pair] = power(options.base, -exponent(pair, dim, options.spacing));
  }
  return frequencies;
}

void sinusoidal(MatrixView table, std::span<const double> positions,
                const SinusoidOptions& options) {
  require(table.rows == positions.size(),
          "sinusoidal: the table must have one row per position, got ", table.rows, " rows for ",
          positions.size(), " positions");
  AnglesNearby angles(sinusoid_frequencies(table.cols, options), positions.size());
  for (std::size_t t = 0; t < positions.size(); ++t) {
    if (positions[t] == options.zero_at) {
      std::ranges::fill(table.row(t), 0.0f);
    } else {
      const auto& [start, steps] = angles.at(positions[t]);
      write_row(table.row(t), start, steps, options);
    }
  }
}

void sinusoidal_shift(MatrixView map, double offset, const SinusoidOptions& options) {
  require(map.rows == map.cols && map.cols % 2 == 0,
          "sinusoidal_shift: the map must be square with an even dim, got ", map.rows, " x ",
          map.cols);
  require(options.layout == SinusoidLayout::interleaved &&
              options.order == SinusoidOrder::sin_first,
          "sinusoidal_shift: the layout must be interleaved with the sine first");
  std::vector<double> angles = sinusoid_frequencies(map.cols, options);
  for (std::size_t r = 0; r < map.rows; ++r) std::fill_n(map.row(r).begin(), map.cols, 0.0f);
  for (double& angle : angles) angle *= offset;
  std::vector<double> sines(angles.size()), cosines(angles.size());
  sincos(angles, sines, cosines);
  for (std::size_t pair = 0; pair < angles.size(); ++pair) {
    const float cos = static_cast<float>(cosines[pair]), sin = static_cast<float>(sines[pair]);
    const std::size_t at = 2 * pair;
    map.row(at)[at] = cos;
    map.row(at)[at + 1] = sin;
    map.row(at + 1)[at] = -sin;
    map.row(at + 1)[at + 1] = cos;
  }
}

}  // namespace ropewalk
