#include "encodings/rotary_scaling.hpp"

#include <cmath>

#include "base/require.hpp"

namespace ropewalk {

std::vector<double> blended(const std::vector<double>& trained, const std::vector<double>& kept,
                            double factor, BlendOf blend) {
  std::vector<double> inverse(trained.size());
  for (std::size_t i = 0; i < inverse.size(); ++i) {
    inverse[i] = blend == BlendOf::frequencies
                     ? trained[i] / factor * (1.0 - kept[i]) + trained[i] * kept[i]
                     : trained[i] / ((1.0 - kept[i]) * factor + kept[i]);
  }
  return inverse;
}

void require_factor(const char* function, double factor) {
  require(factor > 0.0 && std::isfinite(factor), function,
          ": factor must be positive and finite, got ", factor);
}

void require_original_length(const char* function, double original_length) {
  require(original_length > 1.0 && std::isfinite(original_length), function,
          ": original_length must be greater than 1 and finite, got ", original_length);
}

}  // namespace ropewalk
