#include "encodings/fourier_features.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

#include "base/require.hpp"
#include "kernels/angle_sums.hpp"

namespace ropewalk {
namespace {

double band_frequency(std::size_t band, std::size_t bands, double resolution) {
  if (bands == 1) return 1.0;
  const double way = static_cast<double>(band) / static_cast<double>(bands - 1);
  return 1.0 + (resolution / 2.0 - 1.0) * way;
}

}  // namespace

std::size_t fourier_width(std::size_t axes, const FourierOptions& options) {
  const std::size_t waves = axes * options.bands * (options.sines_only ? 1 : 2);
  return waves + (options.with_coordinates ? axes : 0);
}

void fourier_features(MatrixView table, std::span<const double> coordinates,
                      std::span<const double> resolution, const FourierOptions& options) {
  const std::size_t axes = resolution.size(), width = fourier_width(axes, options);
  require(axes > 0 && options.bands > 0,
          "fourier_features: there must be at least one axis and one band, got ", axes, " and ",
          options.bands);
  require(coordinates.size() == table.rows * axes && table.cols == width,
          "fourier_features: the table must be points x ", width, ", got ", table.rows, " x ",
          table.cols, " for ", coordinates.size(), " coordinates");
  const auto narrowed = [](double value) { return static_cast<float>(value); };
  std::vector<double> angles(axes * options.bands);
  for (std::size_t point = 0; point < table.rows; ++point) {
    const std::span<const double> at = coordinates.subspan(point * axes, axes);
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const std::size_t axis = i / options.bands, band = i % options.bands;
      const double frequency = band_frequency(band, options.bands, resolution[axis]);
      angles[i] = std::numbers::pi * (at[axis] * frequency);
    }
    const Turns turns(angles);
    auto next = table.row(point).begin();
    if (options.with_coordinates) next = std::ranges::transform(at, next, narrowed).out;
    next = std::ranges::transform(turns.sines, next, narrowed).out;
    if (!options.sines_only) std::ranges::transform(turns.cosines, next, narrowed);
  }
}

}  // namespace ropewalk
