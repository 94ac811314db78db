// Rotary frequencies extended for longer contexts, and what they cover.
#include "bindings/boundary.hpp"
#include "encodings/angle_coverage.hpp"
#include "encodings/llama3.hpp"
#include "encodings/longrope.hpp"
#include "encodings/ntk.hpp"
#include "encodings/ntk_by_parts.hpp"
#include "encodings/position_digits.hpp"
#include "encodings/position_interpolation.hpp"
#include "encodings/proportional.hpp"
#include "encodings/yarn.hpp"

namespace ropewalk::bindings {
namespace {

// inverse (dim / 2), base, ramp_from, ramp_to, then kept (dim / 2, or nothing)
template <class Work>
DoublesOrError scaled(Work work) {
  return guarded<DoublesOrError>([&] {
    const ScaledFrequencies result = work();
    std::vector<double> packed = result.inverse;
    packed.insert(packed.end(), {result.base, result.ramp_from, result.ramp_to});
    packed.insert(packed.end(), result.kept.begin(), result.kept.end());
    return doubles_out.hold(packed);
  });
}

template <class Work>
DoublesOrError doubles(Work work) {
  return guarded<DoublesOrError>([&] { return doubles_out.hold(work()); });
}

DoublesOrError position_interpolation_list(std::size_t dim, double base, double factor) {
  return scaled([&] { return position_interpolation(dim, base, factor); });
}

DoublesOrError ntk_list(std::size_t dim, double base, double factor, NtkForm form,
                        double exponent) {
  return scaled([&] { return ntk(dim, base, {factor, form, exponent}); });
}

DoublesOrError dynamic_ntk_number(double factor, double length, double original_length,
                                  DynamicNtkForm form) {
  return doubles(
      [&] { return std::vector{dynamic_ntk_factor(factor, length, original_length, form)}; });
}

DoublesOrError ntk_by_parts_list(std::size_t dim, double base, double factor,
                                 double original_length, double beta_fast, double beta_slow,
                                 ByPartsRamp ramp, bool truncate, BlendOf blend) {
  return scaled([&] {
    return ntk_by_parts(dim, base,
                        {factor, original_length, beta_fast, beta_slow, ramp, truncate, blend});
  });
}

// doubles: beta_0, beta_1, gamma_0, gamma_1
DoublesOrError part_ntk_list(std::size_t dim, double base, double factor, double original_length,
                             double ntk_factor, double extrapolation_factor) {
  return scaled([&] {
    const std::span<double> turns = doubles_in.take(4);
    return part_ntk(dim, base,
                    {factor, original_length, ntk_factor, extrapolation_factor, turns[0], turns[1],
                     turns[2], turns[3]});
  });
}

// cos_sin, softmax_scale
DoublesOrError yarn_temperature_numbers(double factor, double attention_factor, double mscale,
                                        double mscale_all_dim) {
  return doubles([&] {
    const auto temperature = yarn_temperature(factor, {attention_factor, mscale, mscale_all_dim});
    return std::vector{temperature.cos_sin, temperature.softmax_scale};
  });
}

DoublesOrError dynamic_yarn_number(double length, double original_length) {
  return doubles([&] { return std::vector{dynamic_yarn_factor(length, original_length)}; });
}

// doubles: the short list, the long list (short_count and long_count)
DoublesOrError longrope_list(std::size_t dim, double base, std::size_t short_count,
                             std::size_t long_count, double length, double original_length) {
  return scaled([&] {
    const std::span<double> short_factors = doubles_in.take(short_count);
    return longrope(dim, base, short_factors, doubles_in.take(long_count), length, original_length);
  });
}

DoublesOrError longrope_attention_number(double factor, double original_length) {
  return doubles([&] { return std::vector{longrope_attention_factor(factor, original_length)}; });
}

DoublesOrError llama3_list(std::size_t dim, double base, double factor, double original_length,
                           double low_freq_factor, double high_freq_factor) {
  return scaled([&] {
    return llama3(dim, base, {factor, original_length, low_freq_factor, high_freq_factor});
  });
}

DoublesOrError proportional_list(std::size_t dim, double base, double fraction, double factor) {
  return scaled([&] { return proportional(dim, base, fraction, factor); });
}

// doubles: trained, used (pairs each). Result: trained turns, turns, first unseen (pairs each)
DoublesOrError angle_coverage_list(std::size_t pairs, double trained_length, double length) {
  return doubles([&] {
    const std::span<double> trained = doubles_in.take(pairs);
    const auto coverage = angle_coverage(trained, doubles_in.take(pairs), trained_length, length);
    std::vector<double> packed;
    for (const auto& pair : coverage) packed.push_back(pair.trained_turns);
    for (const auto& pair : coverage) packed.push_back(pair.turns);
    for (const auto& pair : coverage) packed.push_back(pair.first_unseen);
    return packed;
  });
}

// beta, digits (dim / 2), dials (dim / 2)
DoublesOrError position_digit_list(double position, std::size_t dim, double base) {
  return doubles([&] {
    const PositionDigits result = position_digits(position, dim, base);
    std::vector<double> packed{result.beta};
    packed.insert(packed.end(), result.digits.begin(), result.digits.end());
    packed.insert(packed.end(), result.dials.begin(), result.dials.end());
    return packed;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary_scaling) {
  using namespace emscripten;
  enum_<NtkForm>("NtkForm", enum_value_type::string)
      .value("bloc97", NtkForm::bloc97)
      .value("su-old", NtkForm::su_old)
      .value("su-fixed", NtkForm::su_fixed)
      .value("su-mixed", NtkForm::su_mixed);
  enum_<DynamicNtkForm>("DynamicNtkForm", enum_value_type::string)
      .value("current", DynamicNtkForm::current)
      .value("vllm-constant", DynamicNtkForm::vllm_constant)
      .value("rounded", DynamicNtkForm::rounded);
  enum_<ByPartsRamp>("ByPartsRamp", enum_value_type::string)
      .value("coded", ByPartsRamp::coded)
      .value("published", ByPartsRamp::published);
  enum_<BlendOf>("BlendOf", enum_value_type::string)
      .value("frequencies", BlendOf::frequencies)
      .value("wavelengths", BlendOf::wavelengths);
  function("positionInterpolation", &position_interpolation_list);
  function("ntk", &ntk_list);
  function("dynamicNtkFactor", &dynamic_ntk_number);
  function("ntkByParts", &ntk_by_parts_list);
  function("partNtk", &part_ntk_list);
  function("yarnTemperature", &yarn_temperature_numbers);
  function("dynamicYarnFactor", &dynamic_yarn_number);
  function("longrope", &longrope_list);
  function("longropeAttentionFactor", &longrope_attention_number);
  function("llama3", &llama3_list);
  function("proportional", &proportional_list);
  function("angleCoverage", &angle_coverage_list);
  function("positionDigits", &position_digit_list);
}

}  // namespace ropewalk::bindings
