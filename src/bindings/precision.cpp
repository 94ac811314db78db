// Rotary positions in narrow number formats.
#include "rotary/precision.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

// doubles: values
Pointer rounded_list(std::size_t count, NumberFormat format) {
  return guarded([&] {
    const std::span<double> values = doubles_in.take(count);
    for (double& value : values) value = rounded_to(format, value);
    return values;
  });
}

// doubles: positions, frequencies. Result: angles, cos, sin (positions x pairs each)
Pointer rounded_table(std::size_t positions, std::size_t pairs, NumberFormat position,
                      NumberFormat frequency, NumberFormat angle, NumberFormat table) {
  return guarded([&] {
    const std::span<double> at = doubles_in.take(positions);
    const RoundedTable result =
        rounded_rotary_table(at, doubles_in.take(pairs), {position, frequency, angle, table});
    return doubles_out.assign({result.angles, result.cos, result.sin});
  });
}

// doubles: query, key (2 pairs each), positions, frequencies
Pointer rounded_scores(std::size_t positions, std::size_t pairs, double distance,
                       RotaryLayout layout, NumberFormat position, NumberFormat frequency,
                       NumberFormat angle, NumberFormat table, NumberFormat vectors) {
  return guarded([&] {
    const std::span<double> query = doubles_in.take(2 * pairs), key = doubles_in.take(2 * pairs);
    const std::span<double> at = doubles_in.take(positions);
    return doubles_out.assign(rounded_rotary_scores(query, key, at, distance,
                                                    doubles_in.take(pairs), layout,
                                                    {position, frequency, angle, table, vectors}));
  });
}

// doubles: positions, frequencies. Result: positions x pairs
Pointer angle_errors(std::size_t positions, std::size_t pairs, AngleMethod method) {
  return guarded([&] {
    const std::span<double> at = doubles_in.take(positions);
    return doubles_out.assign(rotary_angle_errors(method, at, doubles_in.take(pairs)));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(precision) {
  using namespace emscripten;
  enum_<NumberFormat>("NumberFormat", enum_value_type::string)
      .value("f64", NumberFormat::f64)
      .value("f32", NumberFormat::f32)
      .value("f16", NumberFormat::f16)
      .value("bf16", NumberFormat::bf16);
  enum_<AngleMethod>("AngleMethod", enum_value_type::string)
      .value("double-product", AngleMethod::double_product)
      .value("float-product", AngleMethod::float_product)
      .value("running-product", AngleMethod::running_product)
      .value("recurrence", AngleMethod::recurrence);
  function("roundedTo", &rounded_list);
  function("roundedRotaryTable", &rounded_table);
  function("roundedRotaryScores", &rounded_scores);
  function("rotaryAngleErrors", &angle_errors);
}

}  // namespace ropewalk::bindings
