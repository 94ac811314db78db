// Recurrent positions: a recurrent layer before attention gives order without a position vector.
//
//   h(t) = f(x(t) W + h(t-1) U + b), f = tanh or the identity
//
// Knows no largest length. Costs one step after another, length * hidden * (dim + hidden) products
// that cannot run side by side over the length, where a table costs length * dim.
//
// With x = 0, f the identity and U a fixed rotation, h is the sinusoid: the simplest case of a
// position that is the solution of an equation in time (Liu et al. 2020, FLOATER, section 3).
#pragma once

#include <cstdint>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

enum class Activation { tanh, identity };

// input: (dim, hidden)   hidden: (hidden, hidden)   bias: hidden numbers
struct RecurrentWeights {
  ConstMatrixView input, hidden;
  std::span<const float> bias;
};

// Every weight uniform in +-1/sqrt(hidden), from a seed: how such layers stand before training.
void untrained_recurrent(MatrixView input, MatrixView hidden, std::span<float> bias,
                         std::uint64_t seed);

// x: (length, dim)   initial: h(-1), hidden numbers   states: (length, hidden)
// The state is carried in double. Throws std::invalid_argument on shapes that do not fit.
void recurrent(MatrixView states, ConstMatrixView x, const RecurrentWeights& weights,
               std::span<const float> initial, Activation activation = Activation::tanh);

}  // namespace ropewalk
