#include "encodings/longrope.hpp"

#include <cmath>

#include "base/require.hpp"
#include "encodings/rotary.hpp"

namespace ropewalk {
namespace {

void require_divisors(const char* name, std::span<const double> divisors, std::size_t pairs) {
  require(divisors.size() == pairs, "longrope: ", name, " must have one divisor per pair, ", pairs,
          ", got ", divisors.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    require(divisors[i] > 0.0 && std::isfinite(divisors[i]), "longrope: ", name, "[", i,
            "] must be positive and finite, got ", divisors[i]);
  }
}

}  // namespace

ScaledFrequencies longrope(std::size_t dim, double base, std::span<const double> short_factors,
                           std::span<const double> long_factors, double length,
                           double original_length) {
  ScaledFrequencies result{rotary_frequencies(dim, base), {}, base};
  require_original_length("longrope", original_length);
  require_divisors("short_factor", short_factors, result.inverse.size());
  require_divisors("long_factor", long_factors, result.inverse.size());
  const auto divisors = length > original_length ? long_factors : short_factors;
  for (std::size_t i = 0; i < divisors.size(); ++i) result.inverse[i] /= divisors[i];
  return result;
}

double longrope_attention_factor(double factor, double original_length) {
  require_factor("longrope_attention_factor", factor);
  require_original_length("longrope_attention_factor", original_length);
  return factor <= 1.0 ? 1.0 : std::sqrt(1.0 + std::log(factor) / std::log(original_length));
}

}  // namespace ropewalk
