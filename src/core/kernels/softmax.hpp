// Softmax of rows that arrive in pieces.
#pragma once

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

}  // namespace ropewalk
