#include "rotary/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk {

std::vector<double> blended(const std::vector<double>& trained, const std::vector<double>& kept,
                            double factor, BlendOf blend) {
  std::vector<double> inverse_frequencies(trained.size());
  for (std::size_t i = 0; i < inverse_frequencies.size(); ++i) {
    inverse_frequencies[i] = blend == BlendOf::frequencies
                                 ? trained[i] / factor * (1.0 - kept[i]) + trained[i] * kept[i]
                                 : trained[i] / ((1.0 - kept[i]) * factor + kept[i]);
  }
  return inverse_frequencies;
}

void require_factor(const char* function, double factor) {
  require(factor > 0.0 && std::isfinite(factor), function,
          ": factor must be positive and finite, got ", factor);
}

void require_original_length(const char* function, double original_length) {
  require(original_length > 1.0 && std::isfinite(original_length), function,
          ": original_length must be greater than 1 and finite, got ", original_length);
}

ScaledFrequencies position_interpolation(std::size_t dim, double base, double factor) {
  require_factor("position_interpolation", factor);
  ScaledFrequencies result{rotary_frequencies(dim, base), {}, base};
  for (double& frequency : result.inverse_frequencies) frequency /= factor;
  return result;
}

namespace {

double bloc97_base(std::size_t dim, double base, double factor) {
  require(dim != 2, "ntk: bloc97's exponent dim / (dim - 2) needs a dim of at least 4, got 2");
  const double d = static_cast<double>(dim);
  return base * portable::pow(factor, d / (d - 2.0));
}

// f_i exp(-a (i + 1)^e) with a such that the last pair is divided by factor. The powers are taken
// of quotients: for a large e those of pair and pairs would be infinite both.
ScaledFrequencies damped(std::size_t dim, double base, double factor, double exponent) {
  ScaledFrequencies result{rotary_frequencies(dim, base), {}, base};
  const double pairs = static_cast<double>(result.inverse_frequencies.size());
  double counted = 0.0;
  for (double& frequency : result.inverse_frequencies)
    frequency *= portable::exp(-portable::log(factor) * portable::pow(++counted / pairs, exponent));
  return result;
}

}  // namespace

ScaledFrequencies ntk(std::size_t dim, double base, const NtkOptions& options) {
  require_factor("ntk", options.factor);
  switch (options.form) {
    case NtkForm::su_fixed:
      return damped(dim, base, options.factor, 1.0);
    case NtkForm::su_mixed:
      require_at_least("ntk: exponent", 0.0, options.exponent);
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
  require_at_least("dynamic_ntk_factor: length", 0.0, length);
  const double ratio = std::max(length, original_length) / original_length;
  switch (form) {
    case DynamicNtkForm::vllm_constant:
      return std::max(factor * factor - (factor - 1.0), 1.0);
    case DynamicNtkForm::rounded:
      return std::max(portable::exp2(std::ceil(portable::log2(ratio) + 1.0)) - 1.0, 1.0);
    case DynamicNtkForm::current:
      break;
  }
  return factor * ratio - (factor - 1.0);
}

namespace {

constexpr double pi = std::numbers::pi;

struct Ramp {
  std::vector<double> kept;
  double from, to;
};

// The index, as a real number, of the pair that makes `turns` turns within the training length.
double index_of_turns(double turns, double dim, double base, double original_length) {
  return dim * portable::log(original_length / (turns * 2.0 * pi)) / (2.0 * portable::log(base));
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
  const std::vector<double> by_base =
      ntk(dim, base, {.factor = options.factor}).inverse_frequencies;
  const Ramp inner = coded_ramp(dim, base, length, options.beta_0, options.beta_1, true);
  const Ramp outer = coded_ramp(dim, base, length, options.gamma_0, options.gamma_1, true);
  ScaledFrequencies result{trained, outer.kept, base, outer.from, outer.to};
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const double ntk_share = inner.kept[i] * options.ntk_factor;
    const double mixed = trained[i] / options.factor * (1.0 - ntk_share) + by_base[i] * ntk_share;
    result.kept[i] *= options.extrapolation_factor;
    result.inverse_frequencies[i] = mixed * (1.0 - result.kept[i]) + trained[i] * result.kept[i];
  }
  return result;
}

namespace {

void require_not_negative(const char* name, double value) {
  require(value >= 0.0 && std::isfinite(value), "yarn_temperature: ", name,
          " must be at least 0 and finite, got ", value);
}

}  // namespace

double yarn_mscale(double factor, double mscale) {
  return factor <= 1.0 ? 1.0 : 0.1 * mscale * portable::log(factor) + 1.0;
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
  require_at_least("dynamic_yarn_factor: length", 0.0, length);
  return std::max(1.0, length / original_length);
}

namespace {

void require_divisors(const char* name, std::span<const double> divisors, std::size_t pairs) {
  require(divisors.size() == pairs, "longrope: ", name, " must have one divisor per pair, ", pairs,
          ", got ", divisors.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    require(divisors[i] > 0.0 && std::isfinite(divisors[i]), "longrope: ", name, "[", i,
            "] must be positive and finite, got ", divisors[i]);
  }
}

}  // namespace

ScaledFrequencies longrope(std::size_t dim, double base, std::span<const double> short_factors,
                           std::span<const double> long_factors, double length,
                           double original_length) {
  ScaledFrequencies result{rotary_frequencies(dim, base), {}, base};
  require_original_length("longrope", original_length);
  require_divisors("short_factor", short_factors, result.inverse_frequencies.size());
  require_divisors("long_factor", long_factors, result.inverse_frequencies.size());
  const auto divisors = length > original_length ? long_factors : short_factors;
  for (std::size_t i = 0; i < divisors.size(); ++i) result.inverse_frequencies[i] /= divisors[i];
  return result;
}

double longrope_attention_factor(double factor, double original_length) {
  require_factor("longrope_attention_factor", factor);
  require_original_length("longrope_attention_factor", original_length);
  return factor <= 1.0 ? 1.0
                       : std::sqrt(1.0 + portable::log(factor) / portable::log(original_length));
}

ScaledFrequencies llama3(std::size_t dim, double base, const Llama3Options& options) {
  const double low = options.low_freq_factor, high = options.high_freq_factor;
  require_factor("llama3", options.factor);
  require_original_length("llama3", options.original_length);
  require(low > 0.0 && high >= low && std::isfinite(high),
          "llama3: low_freq_factor must be positive and at most high_freq_factor, got ", low,
          " and ", high);
  const std::vector<double> trained = rotary_frequencies(dim, base);
  std::vector<double> kept(trained.size());
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const double turns = options.original_length * trained[i] / (2.0 * std::numbers::pi);
    const double step = turns < low ? 0.0 : 1.0;
    kept[i] = high > low ? std::clamp((turns - low) / (high - low), 0.0, 1.0) : step;
  }
  return {blended(trained, kept, options.factor), kept, base, high, low};
}

ScaledFrequencies proportional(std::size_t dim, double base, double fraction, double factor) {
  require(fraction > 0.0 && fraction <= 1.0,
          "proportional: fraction must be greater than 0 and at most 1, got ", fraction);
  ScaledFrequencies result = position_interpolation(dim, base, factor);
  const double rotated_pairs = std::floor(fraction * static_cast<double>(dim) / 2.0);
  require(rotated_pairs >= 1.0, "proportional: at least one pair must be rotated, got fraction ",
          fraction, " of dim ", dim);
  const std::span<double> frequencies(result.inverse_frequencies);
  std::ranges::fill(frequencies.subspan(static_cast<std::size_t>(rotated_pairs)), 0.0);
  return result;
}

namespace {

using Options = std::span<const double>;

template <NtkForm form>
ScaledFrequencies ntk_by_options(std::size_t dim, double base, Options given) {
  return ntk(dim, base, {given[0], form, form == NtkForm::su_mixed ? given[1] : 0.0});
}

template <ByPartsRamp ramp>
ScaledFrequencies by_parts_by_options(std::size_t dim, double base, Options given) {
  return ntk_by_parts(dim, base,
                      {given[0], given[1], given[2], given[3], ramp, given[4] != 0.0,
                       given[5] != 0.0 ? BlendOf::wavelengths : BlendOf::frequencies});
}

// `given`: length, original_length, the length of the short list, then both lists.
ScaledFrequencies longrope_by_options(std::size_t dim, double base, Options given) {
  const Options lists = given.subspan(3);
  const auto count = std::min(static_cast<std::size_t>(given[2]), lists.size());
  return longrope(dim, base, lists.first(count), lists.subspan(count), given[0], given[1]);
}

struct Scheme {
  const char* name;
  std::size_t options;  // how many it takes at least
  ScaledFrequencies (*scaled)(std::size_t dim, double base, Options given);
};

constexpr Scheme schemes[] = {
    {"linear", 1,
     [](std::size_t dim, double base, Options given) {
       return position_interpolation(dim, base, given[0]);
     }},
    {"bloc97", 1, ntk_by_options<NtkForm::bloc97>},
    {"su-old", 1, ntk_by_options<NtkForm::su_old>},
    {"su-fixed", 1, ntk_by_options<NtkForm::su_fixed>},
    {"su-mixed", 2, ntk_by_options<NtkForm::su_mixed>},
    {"by-parts-coded", 6, by_parts_by_options<ByPartsRamp::coded>},
    {"by-parts-published", 6, by_parts_by_options<ByPartsRamp::published>},
    {"part-ntk", 8,
     [](std::size_t dim, double base, Options given) {
       return part_ntk(
           dim, base,
           {given[0], given[1], given[2], given[3], given[4], given[5], given[6], given[7]});
     }},
    {"longrope", 3, longrope_by_options},
    {"llama3", 4,
     [](std::size_t dim, double base, Options given) {
       return llama3(dim, base, {given[0], given[1], given[2], given[3]});
     }},
    {"proportional", 2,
     [](std::size_t dim, double base, Options given) {
       return proportional(dim, base, given[0], given[1]);
     }},
};

}  // namespace

const char* scaling_name(std::size_t scheme) {
  return scheme < std::size(schemes) ? schemes[scheme].name : nullptr;
}

ScaledFrequencies scaled_frequencies(std::size_t scheme, std::size_t dim, double base,
                                     std::span<const double> options) {
  require(scheme < std::size(schemes), "scaled_frequencies: there is no scheme ", scheme);
  const auto& [name, count, scaled] = schemes[scheme];
  require(options.size() >= count, name, ": options must have ", count, " numbers, got ",
          options.size());
  return scaled(dim, base, options);
}

}  // namespace ropewalk
