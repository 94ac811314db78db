#include "encodings/ntk.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "encodings/rotary.hpp"

namespace ropewalk {
namespace {

double bloc97_base(std::size_t dim, double base, double factor) {
  require(dim != 2, "ntk: bloc97's exponent dim / (dim - 2) needs a dim of at least 4, got 2");
  const double d = static_cast<double>(dim);
  return base * std::pow(factor, d / (d - 2.0));
}

// f_i exp(-a (i + 1)^e) with a such that the last pair is divided by factor. The powers are taken of
// quotients: for a large e those of pair and pairs would be infinite both.
ScaledFrequencies damped(std::size_t dim, double base, double factor, double exponent) {
  ScaledFrequencies result{rotary_frequencies(dim, base), {}, base};
  const double pairs = static_cast<double>(result.inverse.size());
  double counted = 0.0;
  for (double& frequency : result.inverse)
    frequency *= std::exp(-std::log(factor) * std::pow(++counted / pairs, exponent));
  return result;
}

}  // namespace

ScaledFrequencies ntk(std::size_t dim, double base, const NtkOptions& options) {
  require_factor("ntk", options.factor);
  switch (options.form) {
    case NtkForm::su_fixed:
      return damped(dim, base, options.factor, 1.0);
    case NtkForm::su_mixed:
      require(options.exponent >= 0.0 && std::isfinite(options.exponent),
              "ntk: exponent must be at least 0 and finite, got ", options.exponent);
      return damped(dim, base, options.factor, options.exponent);
    case NtkForm::su_old:
    case NtkForm::bloc97:
      break;
  }
  const double scaled = options.form == NtkForm::su_old ? base * options.factor
                                                        : bloc97_base(dim, base, options.factor);
  return {rotary_frequencies(dim, scaled), {}, scaled};
}

double dynamic_ntk_factor(double factor, double length, double original_length,
                          DynamicNtkForm form) {
  require_factor("dynamic_ntk_factor", factor);
  require_original_length("dynamic_ntk_factor", original_length);
  require(length >= 0.0 && std::isfinite(length),
          "dynamic_ntk_factor: length must be at least 0 and finite, got ", length);
  const double ratio = std::max(length, original_length) / original_length;
  switch (form) {
    case DynamicNtkForm::vllm_constant:
      return std::max(factor * factor - (factor - 1.0), 1.0);
    case DynamicNtkForm::rounded:
      return std::max(std::exp2(std::ceil(std::log2(ratio) + 1.0)) - 1.0, 1.0);
    case DynamicNtkForm::current:
      break;
  }
  return factor * ratio - (factor - 1.0);
}

}  // namespace ropewalk
