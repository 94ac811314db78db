#include "encodings/position_digits.hpp"

#include <cmath>
#include <numbers>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "encodings/rotary.hpp"

namespace ropewalk {

PositionDigits position_digits(double position, std::size_t dim, double base) {
  const std::vector<double> frequencies = rotary_frequencies(dim, base);
  require(base > 1.0, "position_digits: base must be greater than 1, got ", base);
  require(position >= 0.0 && std::isfinite(position),
          "position_digits: position must be at least 0 and finite, got ", position);
  PositionDigits result{power(base, 2.0 / static_cast<double>(dim)), frequencies, frequencies};
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double quotient = position * frequencies[i];
    result.digits[i] = std::fmod(std::floor(quotient), result.beta);
    result.dials[i] = std::fmod(quotient, 2.0 * std::numbers::pi);
  }
  return result;
}

}  // namespace ropewalk
