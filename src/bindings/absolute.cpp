// Absolute positions: tables.
#include "encodings/sinusoidal.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

// doubles: positions
FloatsOrError sinusoidal_table(std::size_t positions, std::size_t dim, double base,
                               SinusoidLayout layout, SinusoidSpacing spacing, SinusoidOrder order) {
  return guarded<FloatsOrError>([&] {
    const std::span<float> table = floats_out.reserve(positions * dim);
    sinusoidal({table.data(), positions, dim}, doubles_in.take(positions),
               {base, layout, spacing, order});
    return table;
  });
}

FloatsOrError sinusoidal_shift_map(std::size_t dim, double offset, double base) {
  return guarded<FloatsOrError>([&] {
    const std::span<float> map = floats_out.reserve(dim * dim);
    sinusoidal_shift({map.data(), dim, dim}, offset, {.base = base});
    return map;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(absolute) {
  using namespace emscripten;
  enum_<SinusoidLayout>("SinusoidLayout", enum_value_type::string)
      .value("interleaved", SinusoidLayout::interleaved)
      .value("concatenated", SinusoidLayout::concatenated);
  enum_<SinusoidSpacing>("SinusoidSpacing", enum_value_type::string)
      .value("dim/2", SinusoidSpacing::half_dim)
      .value("dim/2-1", SinusoidSpacing::half_dim_minus_one);
  enum_<SinusoidOrder>("SinusoidOrder", enum_value_type::string)
      .value("sin-first", SinusoidOrder::sin_first)
      .value("cos-first", SinusoidOrder::cos_first);
  function("sinusoidal", &sinusoidal_table);
  function("sinusoidalShift", &sinusoidal_shift_map);
}

}  // namespace ropewalk::bindings
