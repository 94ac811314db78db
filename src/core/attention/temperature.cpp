#include "attention/temperature.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "rotary/scaling.hpp"

namespace ropewalk {
namespace {

void require_positions(const char* function, std::span<const double> positions) {
  for (const double position : positions) {
    require(position >= 0.0 && std::isfinite(position), function,
            ": positions must be at least 0 and finite, got ", position);
  }
}

}  // namespace

float default_scale(std::size_t dim) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(dim)));
}

float scale_or_default(double given, std::size_t dim) {
  return std::isnan(given) ? default_scale(dim) : static_cast<float>(given);
}

std::vector<double> log_n_factors(std::span<const double> positions, double original_length,
                                  LogNForm form, double length) {
  require_original_length("log_n_factors", original_length);
  require_positions("log_n_factors", positions);
  require_at_least("log_n_factors: length", 1.0, length);
  const double whole = portable::log(original_length);
  std::vector<double> factors(positions.size(), portable::log(length) / whole);
  if (form == LogNForm::length) return factors;
  for (std::size_t r = 0; r < factors.size(); ++r) {
    const double grown = portable::log(positions[r] + 1.0) / whole;
    factors[r] = form == LogNForm::clipped ? std::max(1.0, grown) : grown;
  }
  return factors;
}

std::vector<double> llama4_factors(std::span<const double> positions, double scale,
                                   double floor_length, double offset) {
  require_positions("llama4_factors", positions);
  require(std::isfinite(scale), "llama4_factors: scale must be finite, got ", scale);
  require_at_least("llama4_factors: floor_length", 1.0, floor_length);
  require(offset == 0.0 || offset == 1.0, "llama4_factors: offset must be 0 or 1, got ", offset);
  std::vector<double> factors(positions.size());
  for (std::size_t r = 0; r < factors.size(); ++r) {
    factors[r] =
        1.0 + scale * portable::log(1.0 + std::floor((positions[r] + offset) / floor_length));
  }
  return factors;
}

std::vector<double> ssmax_factors(std::span<const double> positions, std::span<const double> scales,
                                  std::span<const double> biases) {
  require_positions("ssmax_factors", positions);
  require(biases.empty() || biases.size() == scales.size(),
          "ssmax_factors: biases must have one value per head, ", scales.size(), ", got ",
          biases.size());
  std::vector<double> factors;
  factors.reserve(scales.size() * positions.size());
  for (std::size_t h = 0; h < scales.size(); ++h) {
    for (const double position : positions) {
      const double bias = biases.empty() ? 0.0 : biases[h];
      factors.push_back(scales[h] * portable::log(position + 1.0) + bias);
    }
  }
  return factors;
}

}  // namespace ropewalk
