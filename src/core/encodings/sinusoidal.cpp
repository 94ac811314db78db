#include "encodings/sinusoidal.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"

namespace ropewalk {
namespace {

double exponent(std::size_t pair, std::size_t dim, SinusoidSpacing spacing) {
  if (spacing == SinusoidSpacing::half_dim) {
    return 2.0 * static_cast<double>(pair) / static_cast<double>(dim);
  }
  const std::size_t pairs = dim / 2;
  return pairs == 1 ? 0.0 : static_cast<double>(pair) / static_cast<double>(pairs - 1);
}

}  // namespace

std::vector<double> sinusoid_frequencies(std::size_t dim, const SinusoidOptions& options) {
  require(dim > 0, "sinusoidal: dim must be positive, got ", dim);
  require(options.base > 0.0 && std::isfinite(options.base),
          "sinusoidal: base must be positive and finite, got ", options.base);
  const bool rounds_up = options.spacing == SinusoidSpacing::half_dim;
  std::vector<double> frequencies(rounds_up ? (dim + 1) / 2 : dim / 2);
  for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
    frequencies[pair] = std::pow(options.base, -exponent(pair, dim, options.spacing));
  }
  return frequencies;
}

void sinusoidal(MatrixView table, std::span<const double> positions,
                const SinusoidOptions& options) {
  require(table.rows == positions.size(), "sinusoidal: the table must have one row per position, got ",
          table.rows, " rows for ", positions.size(), " positions");
  const std::vector<double> frequencies = sinusoid_frequencies(table.cols, options);
  const std::size_t pairs = frequencies.size();
  const bool side_by_side = options.layout == SinusoidLayout::interleaved;
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const std::span<float> row = table.row(t);
    std::fill(row.begin(), row.end(), 0.0f);  // what no pair fills: an odd dim's last column
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const double angle = positions[t] * frequencies[pair];
      double first = std::sin(angle), second = std::cos(angle);
      if (options.order == SinusoidOrder::cos_first) std::swap(first, second);
      const std::size_t at = side_by_side ? 2 * pair : pair;
      const std::size_t then = side_by_side ? 2 * pair + 1 : pairs + pair;
      row[at] = static_cast<float>(first);
      if (then < row.size()) row[then] = static_cast<float>(second);
    }
  }
}

void sinusoidal_shift(MatrixView map, double offset, const SinusoidOptions& options) {
  require(map.rows == map.cols && map.cols % 2 == 0,
          "sinusoidal_shift: the map must be square with an even dim, got ", map.rows, " x ", map.cols);
  require(options.layout == SinusoidLayout::interleaved &&
              options.order == SinusoidOrder::sin_first,
          "sinusoidal_shift: the layout must be interleaved with the sine first");
  const std::vector<double> frequencies = sinusoid_frequencies(map.cols, options);
  for (std::size_t r = 0; r < map.rows; ++r) std::fill_n(map.row(r).begin(), map.cols, 0.0f);
  for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
    const float cos = static_cast<float>(std::cos(offset * frequencies[pair]));
    const float sin = static_cast<float>(std::sin(offset * frequencies[pair]));
    const std::size_t at = 2 * pair;
    map.row(at)[at] = cos;
    map.row(at)[at + 1] = sin;
    map.row(at + 1)[at] = -sin;
    map.row(at + 1)[at + 1] = cos;
  }
}

}  // namespace ropewalk
