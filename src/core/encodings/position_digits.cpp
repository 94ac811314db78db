#include "encodings/position_digits.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "encodings/rotary.hpp"

namespace ropewalk {
namespace {

// A root, or a quotient of whole numbers, may come out a rounding or two below the whole number that
// it is.
constexpr double allowed = 0x1p-50;

double floored(double quotient) { return std::floor(quotient * (1.0 + allowed)); }

double whole_if_near(double x) {
  const double whole = std::nearbyint(x);
  return std::abs(x - whole) <= allowed * whole ? whole : x;
}

}  // namespace

PositionDigits position_digits(double position, std::size_t dim, double base) {
  const std::vector<double> frequencies = rotary_frequencies(dim, base);
  require(base > 1.0, "position_digits: base must be greater than 1, got ", base);
  require(position >= 0.0 && std::isfinite(position),
          "position_digits: position must be at least 0 and finite, got ", position);
  const double beta = whole_if_near(power(base, 2.0 / static_cast<double>(dim)));
  PositionDigits result{beta, frequencies, frequencies};
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double quotient = position * frequencies[i];
    const double whole = floored(quotient);
    result.digits[i] = std::max(0.0, whole - beta * floored(whole / beta));
    result.dials[i] = std::fmod(quotient, 2.0 * std::numbers::pi);
  }
  return result;
}

}  // namespace ropewalk
