#include "rotary/accumulated.hpp"

#include <algorithm>
#include <numbers>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {
namespace {

void check(const AngleAccumulation& of) {
  require(of.width == of.pairs || of.width == 1, "accumulated_angles: increments must have ",
          of.pairs, " values per token or 1, got ", of.width);
  require(of.temperatures.size() % of.pairs == 0 && of.temperatures.size() > 0 &&
              of.heads * of.pairs % of.temperatures.size() == 0,
          "accumulated_angles: temperatures must be one per pair, ", of.pairs,
          ", or per head and pair, got ", of.temperatures.size());
}

}  // namespace

void accumulate_angles(std::span<double> angles, std::span<double> state,
                       const AngleAccumulation& of) {
  check(of);
  double* angle = angles.data();
  const float* increment = of.increments.data();
  for (std::size_t h = 0; h < of.heads; ++h) {
    double* const sums = &state[h * of.width];
    const double* const temperature = &of.temperatures[h * of.pairs % of.temperatures.size()];
    for (std::size_t t = 0; t < of.length; ++t, angle += of.pairs, increment += of.width) {
      for (std::size_t i = 0; i < of.pairs; ++i) {
        const std::size_t at = of.width == 1 ? 0 : i;
        const double before = sums[at], after = before + double(increment[at]);
        const double sum = of.sum == AngleSum::each        ? increment[at]
                           : of.sum == AngleSum::inclusive ? after
                                                           : before;
        angle[i] = temperature[i] * sum;
      }
      for (std::size_t at = 0; at < of.width; ++at) sums[at] += double(increment[at]);
    }
  }
}

void accumulate_angles_backward(std::span<float> d_increments, std::span<const double> d_angles,
                                const AngleAccumulation& of) {
  check(of);
  std::vector<double> later(of.width), own(of.width);
  // angle[t, i] = temperature[i] sum[t, i], see accumulated.hpp
  for (std::size_t h = 0; h < of.heads; ++h) {
    const double* const temperature = &of.temperatures[h * of.pairs % of.temperatures.size()];
    std::ranges::fill(later, 0.0);
    for (std::size_t t = of.length; t-- > 0;) {
      const std::size_t token = h * of.length + t;
      std::ranges::fill(own, 0.0);
      for (std::size_t i = 0; i < of.pairs; ++i)
        own[of.width == 1 ? 0 : i] += temperature[i] * d_angles[token * of.pairs + i];
      for (std::size_t at = 0; at < of.width; ++at) {
        const double after = later[at];
        later[at] += own[at];
        const double d = of.sum == AngleSum::each        ? own[at]
                         : of.sum == AngleSum::inclusive ? later[at]
                                                         : after;
        d_increments[token * of.width + at] = static_cast<float>(d);
      }
    }
  }
}

std::vector<double> angle_temperatures(std::size_t pairs, AngleTemperature kind, double base,
                                       double max) {
  require_positive("angle_temperatures: base", base);
  if (kind == AngleTemperature::rope) {
    std::vector<double> list = geometric_frequencies(pairs, base, static_cast<double>(pairs));
    for (double& value : list) value *= max;
    return list;
  }
  require(base < 1.0 && pairs > 1,
          "angle_temperatures: base of 'rfa' must be less than 1 with at least 2 pairs, got ", base,
          " with ", pairs, " pairs");
  std::vector<double> half(pairs), sines(pairs), cosines(pairs);
  for (std::size_t i = 0; i < pairs; ++i)
    half[i] =
        base * std::numbers::pi / 2.0 * static_cast<double>(i) / static_cast<double>(pairs - 1);
  sincos(half, sines, cosines);
  const double last = sines.back() / cosines.back();
  for (std::size_t i = 0; i < pairs; ++i) half[i] = max * (sines[i] / cosines[i]) / last;
  return half;
}

}  // namespace ropewalk
