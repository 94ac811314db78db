// The stick-breaking weights that may take the place of softmax.
#pragma once

#include <span>

namespace ropewalk {

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

}  // namespace ropewalk
