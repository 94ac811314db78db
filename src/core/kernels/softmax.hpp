// Softmax of rows that arrive in pieces, the stick-breaking weights that may take its place, and
// the element-wise loops that go with them.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// The state of a row after some of its scores: their maximum, and the sum of exp(score -
// maximum).
struct SoftmaxState {
  float maximum = -std::numeric_limits<float>::infinity();
  float sum = 0.0f;
};

// Replaces the next scores of a row by exp(score - maximum so far). Returns the factor for earlier
// exponentials of the row, since the maximum may have increased; 1 if there are none. A masked
// score is -infinity; a row with only masked scores keeps sum 0. NaN stays NaN. (Milakov and
// Gimelshein 2018, algorithm 3.)
float softmax_step(SoftmaxState& state, std::span<float> scores);

// The same for each row; factors receives what softmax_step returns.
void softmax_steps(std::span<SoftmaxState> states, MatrixView rows, std::span<float> factors);

// Scores become weights, exp(score - log_sum_exp), and the gradient of the weights that of the
// scores: weight (d_weight - delta), 0 where the weight is.
void softmax_backward(std::span<float> scores, std::span<float> d_weights, float log_sum_exp,
                      float delta);

// Stick-breaking weights of rows whose keys arrive in pieces, the nearest piece first. `rest` is
// what the pieces so far have left of the stick, 1 at first.
//
// Leaves in place of each score z_j the weight sigmoid(z_j) rest prod over later j' of the piece of
// (1 - sigmoid(z_j')). Returns what is left: rest times the product of all 1 - sigmoid(z_j), in the
// end the remainder of the row. Where less than 1e-20 of the stick is left, nothing is: weights are
// exactly 0, in whichever pieces the keys arrive. -infinity is a score that is masked. (Tan et al.
// 2024, equations 2 and 3.)
float stick_breaking_step(std::span<float> scores, float rest);

// The same of a whole row, with the gradient of the weights, which becomes that of the scores:
//   d_z_j = w_j (1 - s_j) d_w_j - s_j (sum over i < j of w_i d_w_i),  s = sigmoid(z)
void stick_breaking_backward(std::span<float> scores, std::span<float> d_weights);

// Scores become cap tanh(score / cap), cap > 0; relative error below 4.5e-7 for every score: seven
// roundings and 2.1e-8.
void softcap(std::span<float> scores, float cap);

// The functions below take pointers and counts: WebAssembly passes spans through memory, which
// costs more than the loop over a short row.

// to += terms, to += factor * terms, row *= factor.
void add(std::span<float> to, std::span<const float> terms);
void add_scaled(float* to, const float* terms, std::size_t count, float factor);
inline void add_scaled(std::span<float> to, std::span<const float> terms, float factor) {
  assert(to.size() == terms.size());
  add_scaled(to.data(), terms.data(), to.size(), factor);
}
void scale(float* row, std::size_t count, float factor);
inline void scale(std::span<float> row, float factor) { scale(row.data(), row.size(), factor); }

// A number as the sum of two floats, with 48 significant bits.
struct FloatPair {
  float head, tail;
};

// scores += own - terms, where each term is heads[i] + tails[i]: for small differences of large
// numbers, such as prefix sums.
void add_differences(std::span<float> scores, FloatPair own, std::span<const float> heads,
                     std::span<const float> tails);

// scores[i] -= (first_distance - i) (own + gates[i]); no gates: own alone.
void subtract_slopes(std::span<float> scores, float first_distance, float own,
                     std::span<const float> gates);

// to[i] = x[i] exp(a[i] - b[i]) for a[i] - b[i] <= 80, the difference formed in double. Factors
// below 1e-18 count as 0.
void decayed(std::span<float> to, std::span<const float> x, std::span<const double> a,
             std::span<const double> b);

// x[i] *= factors[i]. Results below 1e-18 become 0.
void decay_further(std::span<float> x, std::span<const float> factors);

// scores += bias; a bias of -infinity gives -infinity even where the score is NaN or infinity.
void add_bias(float* scores, const float* bias, std::size_t count);
inline void add_bias(std::span<float> scores, std::span<const float> bias) {
  assert(scores.size() == bias.size());
  add_bias(scores.data(), bias.data(), scores.size());
}

// Masks scores with -infinity: a byte that is not 0 is true; true_attends says which are kept.
void hide(std::span<float> scores, std::span<const std::uint8_t> mask, bool true_attends);

}  // namespace ropewalk
