#include "base/number_format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropewalk {
namespace {

struct Shape {
  int precision;    // bits of the significand, the hidden one included
  int least, most;  // exponents of the smallest normal and of the largest number
};

constexpr Shape shape_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::f32:
      return {24, -126, 127};
    case NumberFormat::f16:
      return {11, -14, 15};
    case NumberFormat::bf16:
      return {8, -126, 127};
    case NumberFormat::f64:
      break;
  }
  return {53, -1022, 1023};
}

}  // namespace

double rounded_to(NumberFormat format, double value) {
  if (format == NumberFormat::f64 || value == 0.0 || !std::isfinite(value)) return value;
  const Shape shape = shape_of(format);
  // Below the smallest normal number steps stop shrinking: that is all that subnormals are.
  const int exponent = std::max(std::ilogb(value), shape.least);
  const int step = exponent - (shape.precision - 1);
  // Scaling by powers of two is exact, and nearbyint rounds half to even.
  const double result = std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
  const double limit = std::ldexp(1.0, shape.most);
  return std::abs(result) >= 2.0 * limit
             ? std::copysign(std::numeric_limits<double>::infinity(), value)
             : result;
}

}  // namespace ropewalk
