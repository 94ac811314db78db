// Softmax of rows that arrive in pieces, and the element-wise loops that go with it.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// What is known of a row after some of its scores: their maximum, and the sum of exp(score -
// maximum).
struct SoftmaxState {
  float maximum = -std::numeric_limits<float>::infinity();
  float sum = 0.0f;
};

// Takes the next scores of a row and leaves exp(score - maximum so far) in their place.
// Returns what earlier exponentials of the row have to be multiplied by, since the maximum may have
// risen; 1 while there are none. -infinity is a score that is masked; a row of nothing else keeps
// sum 0. NaN stays NaN. (Milakov and Gimelshein 2018, algorithm 3.)
float softmax_step(SoftmaxState& state, std::span<float> scores);

// The same for each row; factors receives what softmax_step returns.
void softmax_steps(std::span<SoftmaxState> states, MatrixView rows, std::span<float> factors);

// Scores become weights, exp(score - log_sum_exp), and the gradient of the weights that of the
// scores: weight (d_weight - delta), 0 where the weight is.
void softmax_backward(std::span<float> scores, std::span<float> d_weights, float log_sum_exp,
                      float delta);

// Scores become cap tanh(score / cap), cap > 0; relative error below 4.5e-7 for every score: seven
// roundings and 2.1e-8.
void softcap(std::span<float> scores, float cap);

// Below, the caller takes spans apart: WebAssembly passes them through memory, which costs more
// than the loop over a short row.

// to += terms, to += factor * terms, row *= factor.
void add(std::span<float> to, std::span<const float> terms);
void add_scaled(float* to, const float* terms, std::size_t count, float factor);
inline void add_scaled(std::span<float> to, std::span<const float> terms, float factor) {
  assert(to.size() == terms.size());
  add_scaled(to.data(), terms.data(), to.size(), factor);
}
void scale(float* row, std::size_t count, float factor);
inline void scale(std::span<float> row, float factor) { scale(row.data(), row.size(), factor); }

// A number as the sum of two floats, with 48 bits of it.
struct FloatPair {
  float head, tail;
};

// scores += sign (own - terms), each term heads[i] + tails[i]: differences of numbers that are
// large beside them, such as prefix sums.
void add_differences(std::span<float> scores, FloatPair own, std::span<const float> heads,
                     std::span<const float> tails, float sign);

// scores += bias, where -infinity hides whatever it meets, NaN and infinity too.
void add_bias(float* scores, const float* bias, std::size_t count);
inline void add_bias(std::span<float> scores, std::span<const float> bias) {
  assert(scores.size() == bias.size());
  add_bias(scores.data(), bias.data(), scores.size());
}

// Scores become -infinity where the mask is not what attends: a byte that is not 0 is true.
void hide(std::span<float> scores, std::span<const std::uint8_t> mask, bool true_attends);

}  // namespace ropewalk
