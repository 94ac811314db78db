// Longer contexts in the main binary: factors on scores and relative positions.
#include "attention/temperature.hpp"
#include "bindings/boundary.hpp"
#include "rotary/position_maps.hpp"

namespace ropewalk::bindings {
namespace {

// doubles: positions
Pointer llama4_list(std::size_t count, double scale, double floor_length, double offset) {
  return guarded([&] {
    return doubles_out.assign(llama4_factors(doubles_in.take(count), scale, floor_length, offset));
  });
}

// doubles: positions, scales, biases (if any)
Pointer ssmax_list(std::size_t count, std::size_t heads, bool has_biases) {
  return guarded([&] {
    const std::span<double> positions = doubles_in.take(count), scales = doubles_in.take(heads);
    return doubles_out.assign(
        ssmax_factors(positions, scales, doubles_in.take(has_biases ? heads : 0)));
  });
}

// doubles: query positions, key positions
Pointer relative_position_table(std::size_t kind, std::size_t queries, std::size_t keys,
                                double first, double second) {
  return guarded([&] {
    const PositionMap map{static_cast<PositionMapKind>(kind), first, second};
    const std::span<double> query_positions = doubles_in.take(queries);
    const std::span<double> key_positions = doubles_in.take(keys);
    const std::span<float> table = floats_out.reserve(queries * keys);
    auto cell = table.begin();
    for (const double query : query_positions) {
      for (const double key : key_positions) {
        *cell++ = static_cast<float>(relative_position(map, query, key));
      }
    }
    return table;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(length) {
  using namespace emscripten;
  function("llama4Factors", &llama4_list);
  function("ssmaxFactors", &ssmax_list);
  function("relativePositions", &relative_position_table);
}

}  // namespace ropewalk::bindings
