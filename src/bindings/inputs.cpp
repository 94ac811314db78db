// At the input of a transformer: learned tables, recurrent layers, combining tables with tokens.
#include "bindings/boundary.hpp"
#include "input/combine.hpp"
#include "input/learned.hpp"

namespace ropewalk::bindings {
namespace {

ConstMatrixView floats(std::size_t rows, std::size_t cols) {
  return {floats_in.take(rows * cols).data(), rows, cols};
}

// A seed is a whole number from 0 to 2^53; JavaScript has no larger ones.
Pointer untrained_learned_table(std::size_t rows, std::size_t dim, double seed, double deviation) {
  return guarded([&] {
    const std::span<float> table = floats_out.reserve(rows * dim);
    untrained_table({table.data(), rows, dim}, static_cast<std::uint64_t>(seed), deviation);
    return table;
  });
}

// floats: table, rows x dim; doubles: positions
Pointer learned_rows(std::size_t rows, std::size_t dim, std::size_t positions) {
  return guarded([&] {
    const ConstMatrixView table = floats(rows, dim);
    const std::span<float> found = floats_out.reserve(positions * dim);
    look_up({found.data(), positions, dim}, table, doubles_in.take(positions));
    return found;
  });
}

// The result: input weights, hidden weights, bias, one after another.
Pointer untrained_recurrent_weights(std::size_t dim, std::size_t hidden, double seed) {
  return guarded([&] {
    const std::span<float> all = floats_out.reserve((dim + hidden + 1) * hidden);
    const std::span<float> square = all.subspan(dim * hidden), bias = all.last(hidden);
    untrained_recurrent({all.data(), dim, hidden}, {square.data(), hidden, hidden}, bias,
                        static_cast<std::uint64_t>(seed));
    return all;
  });
}

// floats: x, outer x length x dim; input weights, hidden weights, bias; initial state
Pointer recurrent_states(std::size_t outer, std::size_t length, std::size_t dim, std::size_t hidden,
                         Activation activation) {
  return guarded([&] {
    const std::span<const float> x = floats_in.take(outer * length * dim);
    const ConstMatrixView input = floats(dim, hidden), square = floats(hidden, hidden);
    const RecurrentWeights weights{input, square, floats_in.take(hidden)};
    const std::span<const float> initial = floats_in.take(hidden);
    const std::span<float> states = floats_out.reserve(outer * length * hidden);
    for (std::size_t o = 0; o < outer; ++o) {
      recurrent({states.data() + o * length * hidden, length, hidden},
                {x.data() + o * length * dim, length, dim}, weights, initial, activation);
    }
    return states;
  });
}

// floats: tokens, outer x length x dim; table, length x width
Pointer combined(std::size_t outer, std::size_t length, std::size_t dim, std::size_t width,
                 Combination by) {
  return guarded([&] {
    const std::span<const float> tokens = floats_in.take(outer * length * dim);
    const ConstMatrixView table = floats(length, width);
    const std::size_t out_dim = by == Combination::concatenate ? dim + width : dim;
    const std::span<float> out = floats_out.reserve(outer * length * out_dim);
    for (std::size_t o = 0; o < outer; ++o) {
      combine({out.data() + o * length * out_dim, length, out_dim},
              {tokens.data() + o * length * dim, length, dim}, table, by);
    }
    return out;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(inputs) {
  using namespace emscripten;
  enum_<Activation>("Activation", enum_value_type::string)
      .value("tanh", Activation::tanh)
      .value("identity", Activation::identity);
  enum_<Combination>("Combination", enum_value_type::string)
      .value("add", Combination::add)
      .value("multiply", Combination::multiply)
      .value("concatenate", Combination::concatenate);
  function("learnedTable", &untrained_learned_table);
  function("learnedRows", &learned_rows);
  function("recurrentWeights", &untrained_recurrent_weights);
  function("recurrent", &recurrent_states);
  function("combine", &combined);
}

}  // namespace ropewalk::bindings
