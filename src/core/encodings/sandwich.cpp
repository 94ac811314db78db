#include "encodings/sandwich.hpp"

#include <cmath>
#include <vector>

#include "base/require.hpp"

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
    frequencies[i] = std::pow(base, -2.0 * pair / static_cast<double>(dim));
  }
  const double centre = zero_at_origin ? static_cast<double>(dim / 2) : 0.0;
  for (std::size_t c = 0; c < by_offset.cols; ++c) {
    const double distance = bias_distance(first + static_cast<std::int64_t>(c), direction);
    double sum = -centre;
    for (const double frequency : frequencies) sum += std::cos(distance * frequency);
    for (std::size_t h = 0; h < by_offset.rows; ++h) {
      const double ratio = 8.0 * static_cast<double>(h + 1) / static_cast<double>(by_offset.rows);
      by_offset.row(h)[c] = static_cast<float>(sum / ratio);
    }
  }
}

}  // namespace ropewalk
