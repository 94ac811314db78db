#include "encodings/llama3.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/require.hpp"
#include "encodings/rotary.hpp"

namespace ropewalk {

ScaledFrequencies llama3(std::size_t dim, double base, const Llama3Options& options) {
  const double low = options.low_freq_factor, high = options.high_freq_factor;
  require_factor("llama3", options.factor);
  require_original_length("llama3", options.original_length);
  require(low > 0.0 && high > low && std::isfinite(high),
          "llama3: 0 < low_freq_factor < high_freq_factor is needed, got ", low, " and ", high);
  const std::vector<double> trained = rotary_frequencies(dim, base);
  std::vector<double> kept(trained.size());
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const double turns = options.original_length * trained[i] / (2.0 * std::numbers::pi);
    kept[i] = std::clamp((turns - low) / (high - low), 0.0, 1.0);
  }
  return {blended(trained, kept, options.factor), kept, base, high, low};
}

}  // namespace ropewalk
