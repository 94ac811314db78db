// Rotary frequencies extended for longer contexts, and what they cover.
#include "bindings/boundary.hpp"
#include "bindings/longer_contexts.hpp"
#include "rotary/analysis.hpp"

namespace ropewalk::bindings {
namespace {

std::size_t next_count() { return static_cast<std::size_t>(next()); }

ScaledFrequencies by_lists(std::size_t dim, double base) {
  const double length = next();
  const double original_length = next();
  const std::span<double> short_factors = doubles_in.take(next_count());
  const std::span<double> long_factors = doubles_in.take(next_count());
  return longrope(dim, base, short_factors, long_factors, length, original_length);
}

ScaledFrequencies scaled(Scaling scaling, std::size_t dim, double base) {
  switch (scaling) {
    case Scaling::part_ntk:
      return part_ntk(dim, base, {next(), next(), next(), next(), next(), next(), next(), next()});
    case Scaling::longrope:
      return by_lists(dim, base);
    case Scaling::llama3:
      return llama3(dim, base, {next(), next(), next(), next()});
    case Scaling::proportional:
      break;
    default:
      return scaled_in_both(scaling, dim, base);
  }
  const double fraction = next();
  return proportional(dim, base, fraction, next());
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
  register_longer_contexts<scaled>()
      .value("part-ntk", Scaling::part_ntk)
      .value("longrope", Scaling::longrope)
      .value("llama3", Scaling::llama3)
      .value("proportional", Scaling::proportional);
  enum_<DynamicNtkForm>("DynamicNtkForm", enum_value_type::string)
      .value("current", DynamicNtkForm::current)
      .value("vllm-constant", DynamicNtkForm::vllm_constant)
      .value("rounded", DynamicNtkForm::rounded);
  function("dynamicNtkFactor", &dynamic_factor);
  function("dynamicYarnFactor", &number_by<dynamic_yarn_factor>);
  function("longropeAttentionFactor", &number_by<longrope_attention_factor>);
  function("angleCoverage", &angle_coverage_list);
  function("positionDigits", &position_digit_list);
}

}  // namespace ropewalk::bindings
