// Position ids: randomized, Abacus, coupled.
#include "input/position_ids.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

Pointer randomized(std::size_t length, double range, double seed) {
  return guarded([=] {
    return doubles_out.assign(randomized_positions(length, static_cast<std::uint64_t>(range),
                                                   static_cast<std::uint64_t>(seed)));
  });
}

// doubles: slopes, numbers of later keys, of earlier keys
Pointer alibi_of_randomized(std::size_t heads, std::size_t later, std::size_t earlier) {
  return guarded([=] {
    const std::span<double> slopes = doubles_in.take(heads), after = doubles_in.take(later);
    const std::span<float> bias = floats_out.reserve(heads * (later + 1) * (later + 1));
    randomized_alibi(bias, slopes, after, doubles_in.take(earlier));
    return bias;
  });
}

// doubles: tokens, ids of digits
Pointer abacus(std::size_t tokens, std::size_t length, std::size_t digits, double offset) {
  return guarded([=] {
    const std::span<double> row = doubles_in.take(tokens);
    const std::span<double> positions = doubles_out.reserve(tokens);
    abacus_positions(positions, row, doubles_in.take(digits), length, offset);
    return positions;
  });
}

Pointer coupled(std::size_t first, std::size_t second, std::size_t sum, double start,
                bool reverses_operands, bool reverses_sum, bool counts_up) {
  return guarded([=] {
    return doubles_out.assign(
        coupled_positions({first, second, sum, start, reverses_operands, reverses_sum, counts_up}));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(position_ids) {
  using emscripten::function;
  function("randomizedPositions", &randomized);
  function("randomizedAlibi", &alibi_of_randomized);
  function("abacusPositions", &abacus);
  function("coupledPositions", &coupled);
}

}  // namespace ropewalk::bindings
