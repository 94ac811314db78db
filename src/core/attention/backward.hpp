// Gradients of attention, tiled like attention itself: weights are computed again from the scores
// and each row's log-sum-exp, so that memory is O(tile) beside operands and gradients.
//
//   out = P v, P = softmax(S)      d_v = PT d_out
//                                  d_S = P (d_out vT - delta), delta = row sums of d_out out
//   S = scale q kT                 d_q = scale d_S k,  d_k = scale d_ST q
//
// (Dao et al. 2022, algorithm 4.) Between the last two lines the call's modifiers are passed in
// reverse, and each adds the gradient of its own values; then rotations are undone. The gradients
// of shared keys and values are sums over their heads.
//
// A product scheme, and a weighting in place of the softmax, take rows as a whole: the tile is then
// as wide as there are keys. A weighting needs no log_sum_exp.
//
// A row that sees no key contributes nothing. Operands must be finite.
#pragma once

#include "attention/attention.hpp"

namespace ropewalk {

// What attend() returned for the call, and the gradient of its output; all contiguous.
struct AttentionOutcome {
  const float* output = nullptr;       // (batches, heads, queries, value_dim)
  const float* log_sum_exp = nullptr;  // (batches, heads, queries); null with a weighting
  const float* d_output = nullptr;     // as output
};

// Where gradients go, contiguous, in the shapes of q, k, v. Those three are overwritten.
struct AttentionGradients {
  float *q = nullptr, *k = nullptr, *v = nullptr;
  float* sinks = nullptr;  // (heads), added to; null: not wanted
};

// The call must not rotate q and k in place (AttentionRotary::q and k null).
// Throws as check_call(), and on a call without a gradient.
void attend_backward(const AttentionCall& call, const AttentionOutcome& outcome,
                     const AttentionGradients& gradients, AttentionScratch& scratch);

}  // namespace ropewalk
