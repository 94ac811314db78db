#include "input/counting.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/angle_sums.hpp"

namespace ropewalk {

void integer_positions(MatrixView column, std::span<const double> positions) {
  require_shape("integer_positions: table", column, positions.size(), 1);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    column.row(t)[0] = static_cast<float>(positions[t]);
  }
}

void unit_interval(MatrixView column, std::span<const double> positions, std::size_t length) {
  require_shape("unit_interval: table", column, positions.size(), 1);
  require(length > 0, "unit_interval: length must be positive, got ", length);
  const double last = static_cast<double>(length - 1);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    require(positions[t] >= 0.0 && positions[t] <= last, "unit_interval: positions[", t,
            "] must be from 0 to length - 1 = ", last, ", got ", positions[t]);
    column.row(t)[0] = length == 1 ? 0.0f : static_cast<float>(positions[t] / last);
  }
}

void binary(MatrixView table, std::span<const double> positions, BitOrder order) {
  const std::size_t bits = table.cols;
  require_shape("binary: table", table, positions.size(), bits);
  require(bits >= 1 && bits <= 53, "binary: bits must be from 1 to 53, got ", bits);
  const double end = std::ldexp(1.0, static_cast<int>(bits));
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const double position = positions[t];
    require(position >= 0.0 && position < end && position == std::floor(position),
            "binary: positions[", t, "] must be a whole number from 0 to 2^", bits, " - 1, got ",
            position);
    const std::uint64_t number = static_cast<std::uint64_t>(position);
    const std::span<float> row = table.row(t);
    for (std::size_t k = 0; k < bits; ++k) {
      const std::size_t at = order == BitOrder::lowest_first ? k : bits - 1 - k;
      row[at] = static_cast<float>((number >> k) & 1);
    }
  }
}

std::vector<double> sine_wave_frequencies(std::size_t dim, const SineWaveOptions& options) {
  require(dim > 0, "sine_waves: dim must be positive, got ", dim);
  require_positive("sine_waves: base", options.base);
  if (options.spacing == WaveSpacing::halving) {
    std::vector<double> frequencies(dim);
    for (std::size_t j = 0; j < dim; ++j) {
      frequencies[j] = portable::exp2(-static_cast<double>(j));
    }
    return frequencies;
  }
  const std::size_t steps = options.spacing == WaveSpacing::endpoint_excluded ? dim : dim - 1;
  return geometric_frequencies(dim, options.base, static_cast<double>(steps));
}

void sine_waves(MatrixView table, std::span<const double> positions,
                const SineWaveOptions& options) {
  require_shape("sine_waves: table", table, positions.size(), table.cols);
  const std::vector<double> frequencies = sine_wave_frequencies(table.cols, options);
  std::vector<double> angles(table.cols);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    std::ranges::transform(frequencies, angles.begin(), [&](double w) { return positions[t] * w; });
    std::ranges::transform(SinCos(angles).sines, table.row(t).begin(),
                           [](double sine) { return static_cast<float>(sine); });
  }
}

}  // namespace ropewalk
