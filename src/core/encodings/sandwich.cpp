#include "encodings/sandwich.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {

void sandwich(MatrixView by_offset, std::int64_t first, const SandwichOptions& options,
              BiasDirection direction) {
  const auto [dim, first_pair, zero_at_origin, base] = options;
  require(dim > 0 && dim % 2 == 0, "sandwich: dim must be even and positive, got ", dim);
  require(base > 0.0 && std::isfinite(base), "sandwich: base must be positive and finite, got ",
          base);
  std::vector<double> frequencies(dim / 2);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double pair = static_cast<double>(first_pair + i);
    frequencies[i] = power(base, -2.0 * pair / static_cast<double>(dim));
  }
  std::vector<double> sines(frequencies.size()), cosines(frequencies.size());
  const double centre = zero_at_origin ? static_cast<double>(dim / 2) : 0.0;
  for (std::size_t c = 0; c < by_offset.cols; ++c) {
    const double distance = bias_distance(first + static_cast<std::int64_t>(c), direction);
    double sum = -centre;
    std::ranges::transform(frequencies, sines.begin(), [&](double f) { return distance * f; });
    sincos(sines, sines, cosines);
    for (const double cosine : cosines) sum += cosine;
    for (std::size_t h = 0; h < by_offset.rows; ++h) {
      const double ratio = 8.0 * static_cast<double>(h + 1) / static_cast<double>(by_offset.rows);
      by_offset.row(h)[c] = static_cast<float>(sum / ratio);
    }
  }
}

}  // namespace ropewalk
