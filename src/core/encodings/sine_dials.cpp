#include "encodings/sine_dials.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/angle_sums.hpp"

namespace ropewalk {

std::vector<double> sine_dial_frequencies(std::size_t dim, const SineDialOptions& options) {
  require(dim > 0, "sine_dials: dim must be positive, got ", dim);
  require(options.base > 0.0 && std::isfinite(options.base),
          "sine_dials: base must be positive and finite, got ", options.base);
  const std::size_t steps = options.spacing == DialSpacing::below_base ? dim : dim - 1;
  std::vector<double> frequencies(dim, 1.0);
  for (std::size_t j = 1; j < dim; ++j) {
    const double way = static_cast<double>(j) / static_cast<double>(steps);
    frequencies[j] = options.spacing == DialSpacing::halving
                         ? exponential_base_2(-static_cast<double>(j))
                         : power(options.base, -way);
  }
  return frequencies;
}

void sine_dials(MatrixView table, std::span<const double> positions,
                const SineDialOptions& options) {
  require(table.rows == positions.size(),
          "sine_dials: the table must have one row per position, got ", table.rows, " rows for ",
          positions.size(), " positions");
  const std::vector<double> frequencies = sine_dial_frequencies(table.cols, options);
  std::vector<double> angles(table.cols);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    std::ranges::transform(frequencies, angles.begin(), [&](double w) { return positions[t] * w; });
    std::ranges::transform(Turns(angles).sines, table.row(t).begin(),
                           [](double sine) { return static_cast<float>(sine); });
  }
}

}  // namespace ropewalk
