// Frequencies extended for longer contexts, as both binaries have them.
#pragma once

#include "bindings/boundary.hpp"
#include "rotary/scaling.hpp"

namespace ropewalk::bindings {

// Those up to by_parts_published are in both binaries.
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

// The next number that JavaScript put in. Only for braces, which keep the order of their elements.
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

}  // namespace ropewalk::bindings
