#include "encodings/ntk_by_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "encodings/ntk.hpp"
#include "encodings/rotary.hpp"

namespace ropewalk {
namespace {

constexpr double pi = std::numbers::pi;

struct Ramp {
  std::vector<double> kept;
  double from, to;
};

// The index, as a real number, of the pair that makes `turns` turns within the trained length.
double index_of_turns(double turns, double dim, double base, double original_length) {
  return dim * logarithm(original_length / (turns * 2.0 * pi)) / (2.0 * logarithm(base));
}

Ramp coded_ramp(std::size_t dim, double base, double original_length, double fast, double slow,
                bool truncate) {
  const double d = static_cast<double>(dim);
  double from = index_of_turns(fast, d, base, original_length);
  double to = index_of_turns(slow, d, base, original_length);
  if (truncate) {
    from = std::floor(from);
    to = std::ceil(to);
  }
  from = std::max(from, 0.0);
  to = std::min(to, d - 1.0);
  if (from == to) to += 0.001;  // as every implementation does, so that the slope stays finite
  Ramp ramp{std::vector<double>(dim / 2), from, to};
  for (std::size_t i = 0; i < ramp.kept.size(); ++i) {
    ramp.kept[i] = 1.0 - std::clamp((static_cast<double>(i) - from) / (to - from), 0.0, 1.0);
  }
  return ramp;
}

Ramp published_ramp(const std::vector<double>& trained, const ByPartsOptions& options) {
  Ramp ramp{std::vector<double>(trained.size()), options.beta_fast, options.beta_slow};
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const double turns = options.original_length * trained[i] / (2.0 * pi);
    const double share = (turns - options.beta_slow) / (options.beta_fast - options.beta_slow);
    ramp.kept[i] = std::clamp(share, 0.0, 1.0);
  }
  return ramp;
}

void require_ramp(const char* function, const char* ends, double base, double original_length,
                  double fast, double slow, bool may_be_equal) {
  require_original_length(function, original_length);
  require(base > 1.0, function, ": base must be greater than 1, got ", base);
  require(slow > 0.0 && std::isfinite(fast) && (fast > slow || (may_be_equal && fast == slow)),
          function, ": ", ends, " must run from more turns to fewer, both positive, got ", fast,
          " and ", slow);
}

}  // namespace

ScaledFrequencies ntk_by_parts(std::size_t dim, double base, const ByPartsOptions& options) {
  const bool coded = options.ramp == ByPartsRamp::coded;
  require_factor("ntk_by_parts", options.factor);
  require_ramp("ntk_by_parts", "beta_fast to beta_slow", base, options.original_length,
               options.beta_fast, options.beta_slow, coded);
  const std::vector<double> trained = rotary_frequencies(dim, base);
  const Ramp ramp = coded ? coded_ramp(dim, base, options.original_length, options.beta_fast,
                                       options.beta_slow, options.truncate)
                          : published_ramp(trained, options);
  return {blended(trained, ramp.kept, options.factor, options.blend), ramp.kept, base, ramp.from,
          ramp.to};
}

ScaledFrequencies part_ntk(std::size_t dim, double base, const PartNtkOptions& options) {
  require_factor("part_ntk", options.factor);
  const double length = options.original_length;
  require_ramp("part_ntk", "beta_0 to beta_1", base, length, options.beta_0, options.beta_1, true);
  require_ramp("part_ntk", "gamma_0 to gamma_1", base, length, options.gamma_0, options.gamma_1,
               true);
  const std::vector<double> trained = rotary_frequencies(dim, base);
  const std::vector<double> by_base = ntk(dim, base, {.factor = options.factor}).inverse;
  const Ramp inner = coded_ramp(dim, base, length, options.beta_0, options.beta_1, true);
  const Ramp outer = coded_ramp(dim, base, length, options.gamma_0, options.gamma_1, true);
  ScaledFrequencies result{trained, outer.kept, base, outer.from, outer.to};
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const double ntk_share = inner.kept[i] * options.ntk_factor;
    const double mixed = trained[i] / options.factor * (1.0 - ntk_share) + by_base[i] * ntk_share;
    result.kept[i] *= options.extrapolation_factor;
    result.inverse[i] = mixed * (1.0 - result.kept[i]) + trained[i] * result.kept[i];
  }
  return result;
}

}  // namespace ropewalk
