// Longer contexts in both binaries: scaled frequencies, YaRN's temperature and log-n factors.
#pragma once

#include "attention/temperature.hpp"
#include "bindings/boundary.hpp"
#include "rotary/scaling.hpp"

namespace ropewalk::bindings {

// Both binaries have the schemes up to by_parts_published, the main binary has all.
enum class Scaling {
  linear,
  bloc97,
  su_old,
  su_fixed,
  su_mixed,
  by_parts_coded,
  by_parts_published,
  part_ntk,
  longrope,
  llama3,
  proportional
};

// The next number of the call. Call it only in braced lists, which are evaluated in order.
inline double next() { return doubles_in.take(1)[0]; }

inline ScaledFrequencies by_parts(std::size_t dim, double base, ByPartsRamp ramp) {
  ByPartsOptions options{next(), next(), next(), next(), ramp};
  options.truncate = next() != 0.0;
  options.blend = next() != 0.0 ? BlendOf::wavelengths : BlendOf::frequencies;
  return ntk_by_parts(dim, base, options);
}

inline ScaledFrequencies scaled_in_both(Scaling scaling, std::size_t dim, double base) {
  switch (scaling) {
    case Scaling::linear:
      return position_interpolation(dim, base, next());
    case Scaling::bloc97:
      return ntk(dim, base, {next(), NtkForm::bloc97});
    case Scaling::su_old:
      return ntk(dim, base, {next(), NtkForm::su_old});
    case Scaling::su_fixed:
      return ntk(dim, base, {next(), NtkForm::su_fixed});
    case Scaling::su_mixed:
      return ntk(dim, base, {next(), NtkForm::su_mixed, next()});
    case Scaling::by_parts_coded:
      return by_parts(dim, base, ByPartsRamp::coded);
    default:
      return by_parts(dim, base, ByPartsRamp::published);
  }
}

// doubles: the options of the scheme in their order; lists follow their length.
// Result: inverse_frequencies (dim / 2), base, ramp_from, ramp_to, then kept (dim / 2, or nothing)
template <ScaledFrequencies (*scaled)(Scaling, std::size_t, double)>
Pointer scaled_frequencies(Scaling scaling, std::size_t dim, double base) {
  return guarded([&] {
    const ScaledFrequencies result = scaled(scaling, dim, base);
    const double ends[] = {result.base, result.ramp_from, result.ramp_to};
    return doubles_out.assign({result.inverse_frequencies, ends, result.kept});
  });
}

// cos_sin, softmax_scale
inline Pointer yarn_temperature_numbers(double factor, double attention_factor, double mscale,
                                        double mscale_all_dim) {
  return guarded([&] {
    const auto temperature = yarn_temperature(factor, {attention_factor, mscale, mscale_all_dim});
    return doubles_out.assign({temperature.cos_sin, temperature.softmax_scale});
  });
}

// doubles: positions
inline Pointer log_n_list(std::size_t count, double original_length, LogNForm form, double length) {
  return guarded([&] {
    return doubles_out.assign(log_n_factors(doubles_in.take(count), original_length, form, length));
  });
}

// Registers what both binaries have; `scaled` computes the schemes of the binary. Returns the enum
// of the schemes, to which the main binary adds its own.
template <ScaledFrequencies (*scaled)(Scaling, std::size_t, double)>
emscripten::enum_<Scaling> register_longer_contexts() {
  using namespace emscripten;
  enum_<LogNForm>("LogNForm", enum_value_type::string)
      .value("length", LogNForm::length)
      .value("position", LogNForm::position)
      .value("clipped", LogNForm::clipped);
  function("scaledFrequencies", &scaled_frequencies<scaled>);
  function("yarnTemperature", &yarn_temperature_numbers);
  function("logN", &log_n_list);
  return enum_<Scaling>("Scaling", enum_value_type::string)
      .value("linear", Scaling::linear)
      .value("bloc97", Scaling::bloc97)
      .value("su-old", Scaling::su_old)
      .value("su-fixed", Scaling::su_fixed)
      .value("su-mixed", Scaling::su_mixed)
      .value("by-parts-coded", Scaling::by_parts_coded)
      .value("by-parts-published", Scaling::by_parts_published);
}

}  // namespace ropewalk::bindings
