// Position vectors from trained parameters: a learned table, a recurrent layer, and Fourier
// features, whose networks the caller owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Learned positions (BERT, BART, GPT-2): one trainable row per position.
//
//   p(m) = row m of a table of max_length x dim numbers
//
// A position at or beyond max_length has no row and throws; it is never wrapped or clamped.

// The initial values of a table: normal numbers of mean 0 from a seed (BERT: deviation 0.02).
// Throws std::invalid_argument when the deviation is negative or not finite.
void untrained_table(MatrixView table, std::uint64_t seed, double deviation);

// rows (positions x dim) = the table's rows at these positions. Throws std::invalid_argument on
// unequal widths, or a position that is not a whole number from 0 to table.rows - 1.
void look_up(MatrixView rows, ConstMatrixView table, std::span<const double> positions);

// Recurrent positions: a recurrent layer before attention gives order without a position vector.
//
//   h(t) = f(x(t) W + h(t-1) U + b), f = tanh or the identity
//
// Works at any length. Its steps cannot run in parallel and need length * hidden * (dim + hidden)
// products, where a table needs length * dim.
//
// With x = 0, f the identity and U a fixed rotation, h is the sinusoid: the simplest case of a
// position that is the solution of an equation in time (Liu et al. 2020, FLOATER, section 3).

enum class Activation { tanh, identity };

// input: (dim, hidden)   hidden: (hidden, hidden)   bias: hidden numbers
struct RecurrentWeights {
  ConstMatrixView input, hidden;
  std::span<const float> bias;
};

// The initial weights: uniform in +-1/sqrt(hidden), from a seed.
void untrained_recurrent(MatrixView input, MatrixView hidden, std::span<float> bias,
                         std::uint64_t seed);

// x: (length, dim)   initial: h(-1), hidden numbers   states: (length, hidden)
// The state is carried in double. Throws std::invalid_argument on shapes that do not fit.
void recurrent(MatrixView states, ConstMatrixView x, const RecurrentWeights& weights,
               std::span<const float> initial, Activation activation = Activation::tanh);

// Fourier features (Jaegle et al. 2021, Perceiver, section 3.2): sines and cosines of a coordinate
// in [-1, 1] on every axis, at `bands` frequencies spread evenly from 1 to half its resolution.
//
//   sin(pi f_b x_a), cos(pi f_b x_a)    f_b = 1 + (resolution_a / 2 - 1) b / (bands - 1)
//
// A row holds the coordinates themselves, all sines (axis by axis, band by band), all cosines.

struct FourierOptions {
  std::size_t bands = 1;
  bool with_coordinates = true;
  bool sines_only = false;
};

// Values of a row: (with_coordinates ? axes : 0) + axes * bands * (sines_only ? 1 : 2).
std::size_t fourier_width(std::size_t axes, const FourierOptions& options);

// coordinates: points x axes, row after row   resolution: one per axis   table: (points, width).
// Throws std::invalid_argument on no axes or bands, or shapes that do not fit.
void fourier_features(MatrixView table, std::span<const double> coordinates,
                      std::span<const double> resolution, const FourierOptions& options);

}  // namespace ropewalk
