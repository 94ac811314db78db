#include "input/learned.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/elementary.hpp"
#include "base/random.hpp"
#include "base/require.hpp"
#include "kernels/angle_sums.hpp"

namespace ropewalk {

void untrained_table(MatrixView table, std::uint64_t seed, double deviation) {
  require_at_least("untrained_table: deviation", 0.0, deviation);
  Random random(seed);
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (float& value : table.row(r)) value = static_cast<float>(deviation * random.normal());
  }
}

void look_up(MatrixView rows, ConstMatrixView table, std::span<const double> positions) {
  require_shape("look_up: result", rows, positions.size(), table.cols);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const double position = positions[t];
    const bool has_row = position >= 0.0 && position < static_cast<double>(table.rows) &&
                         position == std::floor(position);
    require(has_row, "learned: positions[", t, "] must be a row of the table, 0 to ",
            table.rows - 1, ", got ", position);
    std::ranges::copy(table.row(static_cast<std::size_t>(position)), rows.row(t).begin());
  }
}

namespace {

// sum += x W
template <class Number>
void add_product(std::span<double> sum, std::span<const Number> x, ConstMatrixView w) {
  for (std::size_t r = 0; r < w.rows; ++r) {
    const double factor = x[r];
    const std::span<const float> row = w.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) sum[c] += factor * row[c];
  }
}

}  // namespace

void untrained_recurrent(MatrixView input, MatrixView hidden, std::span<float> bias,
                         std::uint64_t seed) {
  Random random(seed);
  const double bound = 1.0 / std::sqrt(static_cast<double>(hidden.cols));
  const auto draw = [&](std::span<float> values) {
    for (float& value : values) value = static_cast<float>(random.uniform(-bound, bound));
  };
  for (std::size_t r = 0; r < input.rows; ++r) draw(input.row(r));
  for (std::size_t r = 0; r < hidden.rows; ++r) draw(hidden.row(r));
  draw(bias);
}

void recurrent(MatrixView states, ConstMatrixView x, const RecurrentWeights& weights,
               std::span<const float> initial, Activation activation) {
  const std::size_t hidden = weights.hidden.rows;
  require_shape("recurrent: hidden weights", weights.hidden, hidden, hidden);
  require_shape("recurrent: input weights", weights.input, x.cols, hidden);
  require(weights.bias.size() == hidden && initial.size() == hidden,
          "recurrent: bias and initial state must have ", hidden, " values, got ",
          weights.bias.size(), " and ", initial.size());
  require_shape("recurrent: result", states, x.rows, hidden);
  std::vector<double> state(initial.begin(), initial.end()), next(hidden);
  for (std::size_t t = 0; t < x.rows; ++t) {
    std::ranges::copy(weights.bias, next.begin());
    add_product<float>(next, x.row(t), weights.input);
    add_product<double>(next, state, weights.hidden);
    if (activation == Activation::tanh) {
      for (double& value : next) value = portable::tanh(value);
    }
    std::swap(state, next);
    std::ranges::transform(state, states.row(t).begin(),
                           [](double value) { return static_cast<float>(value); });
  }
}

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
    const SinCos waves(angles);
    auto next = table.row(point).begin();
    if (options.with_coordinates) next = std::ranges::transform(at, next, narrowed).out;
    next = std::ranges::transform(waves.sines, next, narrowed).out;
    if (!options.sines_only) std::ranges::transform(waves.cosines, next, narrowed);
  }
}

}  // namespace ropewalk
