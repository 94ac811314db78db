// Rotary positions: frequencies and rotation.
#include "encodings/rotary.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

DoublesOrError rotary_frequency_list(std::size_t dim, double base) {
  return guarded<DoublesOrError>([&] {
    return doubles_out.hold(rotary_frequencies(dim, base));
  });
}

// floats: x, outer x length x dim; doubles: positions (length), frequencies (pairs)
FloatsOrError rotate_rows(std::size_t outer, std::size_t length, std::size_t dim, std::size_t pairs,
                          double attention_factor, RotaryLayout layout) {
  return guarded<FloatsOrError>([&] {
    const std::span<double> positions = doubles_in.take(length);
    const RotaryTable table = rotary_table(positions, doubles_in.take(pairs), attention_factor);
    const std::span<float> x = floats_in.take(outer * length * dim);
    for (std::size_t o = 0; o < outer; ++o) {
      rotate({x.data() + o * length * dim, length, dim}, table, layout);
    }
    return x;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary) {
  using namespace emscripten;
  enum_<RotaryLayout>("RotaryLayout", enum_value_type::string)
      .value("interleaved", RotaryLayout::interleaved)
      .value("half-split", RotaryLayout::half_split);
  function("rotaryFrequencies", &rotary_frequency_list);
  function("rotate", &rotate_rows);
}

}  // namespace ropewalk::bindings
