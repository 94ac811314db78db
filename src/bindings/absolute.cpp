// Absolute positions: tables.
#include "bindings/boundary.hpp"
#include "input/counting.hpp"
#include "input/sinusoidal.hpp"

namespace ropewalk::bindings {
namespace {

// A table of one row per position. doubles: positions
template <class Fill>
Pointer table_of(std::size_t positions, std::size_t dim, Fill fill) {
  return guarded([&] {
    const std::span<float> table = floats_out.reserve(positions * dim);
    fill(MatrixView(table.data(), positions, dim), doubles_in.take(positions));
    return table;
  });
}

Pointer integer_column(std::size_t positions) { return table_of(positions, 1, integer_positions); }

Pointer unit_interval_column(std::size_t positions, std::size_t length) {
  return table_of(positions, 1, [&](MatrixView column, std::span<const double> given) {
    unit_interval(column, given, length);
  });
}

Pointer binary_table(std::size_t positions, std::size_t bits, BitOrder order) {
  return table_of(positions, bits, [&](MatrixView table, std::span<const double> given) {
    binary(table, given, order);
  });
}

Pointer sine_wave_table(std::size_t positions, std::size_t dim, WaveSpacing spacing, double base) {
  return table_of(positions, dim, [&](MatrixView table, std::span<const double> given) {
    sine_waves(table, given, {spacing, base});
  });
}

Pointer sinusoidal_table(std::size_t positions, std::size_t dim, double base, SinusoidLayout layout,
                         SinusoidSpacing spacing, SinusoidOrder order, double zero_at) {
  return table_of(positions, dim, [&](MatrixView table, std::span<const double> given) {
    sinusoidal(table, given, {base, layout, spacing, order, zero_at});
  });
}

Pointer sinusoidal_shift_map(std::size_t dim, double offset, double base) {
  return guarded([&] {
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
      .value("half-split", SinusoidLayout::half_split);
  enum_<SinusoidSpacing>("SinusoidSpacing", enum_value_type::string)
      .value("dim/2", SinusoidSpacing::half_dim)
      .value("dim/2-1", SinusoidSpacing::half_dim_minus_one);
  enum_<SinusoidOrder>("SinusoidOrder", enum_value_type::string)
      .value("sin-first", SinusoidOrder::sin_first)
      .value("cos-first", SinusoidOrder::cos_first);
  enum_<BitOrder>("BitOrder", enum_value_type::string)
      .value("lowest-first", BitOrder::lowest_first)
      .value("highest-first", BitOrder::highest_first);
  enum_<WaveSpacing>("WaveSpacing", enum_value_type::string)
      .value("halving", WaveSpacing::halving)
      .value("dim-1", WaveSpacing::endpoint_included)
      .value("dim", WaveSpacing::endpoint_excluded);
  function("integerPositions", &integer_column);
  function("unitInterval", &unit_interval_column);
  function("binary", &binary_table);
  function("sineWaves", &sine_wave_table);
  function("sinusoidal", &sinusoidal_table);
  function("sinusoidalShift", &sinusoidal_shift_map);
}

}  // namespace ropewalk::bindings
