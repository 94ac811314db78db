#include "encodings/fire.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"

namespace ropewalk {

double fire_input(double query, double key, const FireOptions& options) {
  const auto psi = [&](double x) { return logarithm(std::abs(options.c * x) + 1.0); };
  const double reach = std::max(query, std::abs(options.multiplier * options.threshold));
  return psi(query - key) / (psi(reach) + options.epsilon);
}

void fire(MatrixView bias, std::span<const double> queries, std::span<const double> keys,
          const BiasNetwork& network, const FireOptions& options) {
  network.check(1);
  const std::size_t heads = network.head_weights.rows;
  require(bias.rows == heads * queries.size() && bias.cols == keys.size(),
          "fire: the bias must be ", heads * queries.size(), " x ", keys.size(), ", got ",
          bias.rows, " x ", bias.cols);
  for (std::size_t m = 0; m < queries.size(); ++m) {
    for (std::size_t n = 0; n < keys.size(); ++n) {
      const double input = fire_input(queries[m], keys[n], options);
      const std::vector<double> values = network({&input, 1});
      for (std::size_t h = 0; h < heads; ++h) {
        bias.row(h * queries.size() + m)[n] = static_cast<float>(values[h]);
      }
    }
  }
}

}  // namespace ropewalk
