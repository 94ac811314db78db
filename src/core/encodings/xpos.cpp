#include "encodings/xpos.hpp"

#include <cassert>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"

namespace ropewalk {

std::vector<double> xpos_decays(std::size_t pairs, double gamma) {
  require(gamma > 0.0 && std::isfinite(gamma), "xpos: gamma must be positive and finite, got ",
          gamma);
  std::vector<double> decays(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    decays[i] = (static_cast<double>(i) / static_cast<double>(pairs) + gamma) / (1.0 + gamma);
  }
  return decays;
}

void scale_xpos(DoubleMatrixView cos, DoubleMatrixView sin, std::span<const double> positions,
                XposRole role, const XposOptions& options) {
  assert(positions.size() == cos.rows);
  require(options.scale_base > 0.0 && std::isfinite(options.scale_base),
          "xpos: scale_base must be positive and finite, got ", options.scale_base);
  std::vector<double> logs = xpos_decays(cos.cols, options.gamma);
  for (double& value : logs) value = logarithm(value);
  // Between e^-87 and e^87 every product with a value of ordinary size is a normal float.
  const double farthest = logs.empty() ? 0.0 : 87.0 / -logs.front() * options.scale_base;
  const double sign = role == XposRole::query ? 1.0 : -1.0;
  for (std::size_t r = 0; r < cos.rows; ++r) {
    const double distance = positions[r] - options.centre;
    require(std::abs(distance) <= farthest, "xpos: positions must lie within ", farthest,
            " of centre, got ", positions[r], " with centre ", options.centre);
    for (std::size_t i = 0; i < cos.cols; ++i) {
      const double scale = exponential(sign * logs[i] * (distance / options.scale_base));
      cos.row(r)[i] *= scale;
      sin.row(r)[i] *= scale;
    }
  }
}

}  // namespace ropewalk
