#include "encodings/yarn.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "encodings/rotary_scaling.hpp"

namespace ropewalk {
namespace {

void require_not_negative(const char* name, double value) {
  require(value >= 0.0 && std::isfinite(value), "yarn_temperature: ", name,
          " must be at least 0 and finite, got ", value);
}

}  // namespace

double yarn_mscale(double factor, double mscale) {
  return factor <= 1.0 ? 1.0 : 0.1 * mscale * logarithm(factor) + 1.0;
}

YarnTemperature yarn_temperature(double factor, const YarnTemperatureOptions& options) {
  require_factor("yarn_temperature", factor);
  require_not_negative("attention_factor", options.attention_factor);
  require_not_negative("mscale", options.mscale);
  require_not_negative("mscale_all_dim", options.mscale_all_dim);
  const double all_dim = yarn_mscale(factor, options.mscale_all_dim);
  YarnTemperature temperature{yarn_mscale(factor), 1.0};
  if (options.mscale > 0.0 && options.mscale_all_dim > 0.0) {
    temperature.cos_sin = yarn_mscale(factor, options.mscale) / all_dim;
  }
  if (options.attention_factor > 0.0) temperature.cos_sin = options.attention_factor;
  if (options.mscale_all_dim > 0.0) temperature.softmax_scale = all_dim * all_dim;
  return temperature;
}

double dynamic_yarn_factor(double length, double original_length) {
  require_original_length("dynamic_yarn_factor", original_length);
  require(length >= 0.0 && std::isfinite(length),
          "dynamic_yarn_factor: length must be at least 0 and finite, got ", length);
  return std::max(1.0, length / original_length);
}

}  // namespace ropewalk
