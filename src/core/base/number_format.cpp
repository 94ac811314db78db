#include "base/number_format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

std::size_t distinct_values(NumberFormat format, std::span<const double> values) {
  std::vector<double> rounded(values.size());
  std::ranges::transform(values, rounded.begin(),
                         [format](double value) { return rounded_to(format, value); });
  std::ranges::make_heap(rounded);  // sorts in a third of the code that sort() takes
  std::ranges::sort_heap(rounded);
  return static_cast<std::size_t>(std::ranges::unique(rounded).begin() - rounded.begin());
}

}  // namespace ropewalk
