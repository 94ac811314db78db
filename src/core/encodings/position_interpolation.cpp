#include "encodings/position_interpolation.hpp"

#include "encodings/rotary.hpp"

namespace ropewalk {

ScaledFrequencies position_interpolation(std::size_t dim, double base, double factor) {
  require_factor("position_interpolation", factor);
  ScaledFrequencies result{rotary_frequencies(dim, base), {}, base};
  for (double& frequency : result.inverse) frequency /= factor;
  return result;
}

}  // namespace ropewalk
