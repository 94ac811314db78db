// Rotary frequencies extended for longer contexts, and what they cover.
#include "attention/temperature.hpp"
#include "bindings/boundary.hpp"
#include "rotary/analysis.hpp"
#include "rotary/scaling.hpp"

namespace ropewalk::bindings {
namespace {

// A place in the core's list of schemes.
enum class Scaling : unsigned {};

// doubles: the options of the scheme in their order; lists follow their length.
// Result: inverse_frequencies (dim / 2), base, ramp_from, ramp_to, then kept (dim / 2, or nothing)
Pointer scaled_frequencies_of(Scaling scaling, std::size_t dim, double base) {
  return guarded([&] {
    const std::span<const double> options = doubles_in.take(doubles_in.count());
    const auto scheme = static_cast<std::size_t>(scaling);
    const ScaledFrequencies result = scaled_frequencies(scheme, dim, base, options);
    const double ends[] = {result.base, result.ramp_from, result.ramp_to};
    return doubles_out.assign({result.inverse_frequencies, ends, result.kept});
  });
}

// cos_sin, softmax_scale
Pointer yarn_temperature_numbers(double factor, double attention_factor, double mscale,
                                 double mscale_all_dim) {
  return guarded([&] {
    const auto temperature = yarn_temperature(factor, {attention_factor, mscale, mscale_all_dim});
    return doubles_out.assign({temperature.cos_sin, temperature.softmax_scale});
  });
}

// doubles: positions
Pointer log_n_list(std::size_t count, double original_length, LogNForm form, double length) {
  return guarded([&] {
    return doubles_out.assign(log_n_factors(doubles_in.take(count), original_length, form, length));
  });
}

Pointer dynamic_factor(DynamicNtkForm form, double factor, double length, double original_length) {
  return guarded([&] {
    return doubles_out.assign({dynamic_ntk_factor(factor, length, original_length, form)});
  });
}

template <double (*rule)(double, double)>
Pointer number_by(double given, double original_length) {
  return guarded([&] { return doubles_out.assign({rule(given, original_length)}); });
}

// doubles: trained, used (pairs each). Result: trained turns, turns, first unseen (pairs each)
Pointer angle_coverage_list(std::size_t pairs, double original_length, double length) {
  return guarded([&] {
    const std::span<double> trained = doubles_in.take(pairs);
    const auto coverage = angle_coverage(trained, doubles_in.take(pairs), original_length, length);
    const std::span<double> packed = doubles_out.reserve(3 * pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
      packed[i] = coverage[i].trained_turns;
      packed[pairs + i] = coverage[i].turns;
      packed[2 * pairs + i] = coverage[i].first_unseen;
    }
    return packed;
  });
}

// beta, digits (dim / 2), angles (dim / 2)
Pointer position_digit_list(double position, std::size_t dim, double base) {
  return guarded([&] {
    const PositionDigits result = position_digits(position, dim, base);
    const std::span<double> packed = doubles_out.reserve(1 + dim);
    packed[0] = result.beta;
    std::ranges::copy(result.angles, std::ranges::copy(result.digits, packed.begin() + 1).out);
    return packed;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary_scaling) {
  using namespace emscripten;
  enum_<Scaling> schemes("Scaling", enum_value_type::string);
  for (unsigned at = 0; const char* const name = scaling_name(at); ++at)
    schemes.value(name, Scaling{at});
  enum_<DynamicNtkForm>("DynamicNtkForm", enum_value_type::string)
      .value("current", DynamicNtkForm::current)
      .value("vllm-constant", DynamicNtkForm::vllm_constant)
      .value("rounded", DynamicNtkForm::rounded);
  enum_<LogNForm>("LogNForm", enum_value_type::string)
      .value("length", LogNForm::length)
      .value("position", LogNForm::position)
      .value("clipped", LogNForm::clipped);
  function("scaledFrequencies", &scaled_frequencies_of);
  function("yarnTemperature", &yarn_temperature_numbers);
  function("logN", &log_n_list);
  function("dynamicNtkFactor", &dynamic_factor);
  function("dynamicYarnFactor", &number_by<dynamic_yarn_factor>);
  function("longropeAttentionFactor", &number_by<longrope_attention_factor>);
  function("angleCoverage", &angle_coverage_list);
  function("positionDigits", &position_digit_list);
}

}  // namespace ropewalk::bindings
