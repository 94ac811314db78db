// Exact softmax attention of one head, and the same with everything it computes on the way.
//
//   softmax(scale q kT + bias) v        (Vaswani et al. 2017, equation 1)
//
// q: (queries, dim)   k: (keys, dim)   v: (keys, value_dim)   out: (queries, value_dim)
// A row that sees no key becomes zero. A NaN reaches the rows that see it and no other.
#pragma once

#include <span>
#include <vector>

#include "attention/mask.hpp"
#include "base/matrix_view.hpp"

namespace ropewalk {

struct AttentionOptions {
  float scale = 1.0f;  // 1 / sqrt(dim) is the usual one
  Causal causal = Causal::none;
  ConstMatrixView bias;                  // (queries, keys) with any stride, also 0; empty: none
  std::span<const float> distance_bias;  // [key - query + queries - 1]; empty: none
};

// Buffers that calls reuse: a few hundred kilobytes, whatever the lengths.
struct AttentionScratch {
  std::vector<float> queries, keys, values, scores, sums;
};

// Tiled, with an online softmax: memory is O(tile) beside the operands, time O(queries * keys).
// Throws std::invalid_argument on shapes that do not fit.
void attend(MatrixView out, ConstMatrixView q, ConstMatrixView k, ConstMatrixView v,
            const AttentionOptions& options, AttentionScratch& scratch);

// Where the steps go; each is (queries, keys) or, for entropy, one value per query. Empty: not wanted.
struct AttentionSteps {
  MatrixView scores;         // scale q kT
  MatrixView biased;         // scores + bias; -infinity where masked
  MatrixView weights;        // softmax of biased
  std::span<float> entropy;  // -sum(w ln w) of a row of weights, in nats
};

// The same output row by row, keeping the steps: memory O(queries * keys) for the caller.
void attend_in_steps(MatrixView out, const AttentionSteps& steps, ConstMatrixView q,
                     ConstMatrixView k, ConstMatrixView v, const AttentionOptions& options);

}  // namespace ropewalk
