// Exact softmax attention of one head, and the same with everything it computes on the way.
//
//   out = softmax(softcap(scale q kT) + bias) v       (Vaswani et al. 2017, equation 1)
//
// q: (queries, dim)   k: (keys, dim)   v: (keys, value_dim)   out: (queries, value_dim)
//
// Error, with u = 2^-24 and a row's scores spread over [low, high]: each score is off by at most
// e = (dim + 5) u scale sum |q k|, and each weight relatively by 2 e + 4.5 u (high - low) + 1.2 keys u +
// 2e-6; the output is off by at most that, and keys u more, of sum weight |v|. These are worst cases:
// roundings of random sign leave about the root of their number. tests/core/support has the terms.
//
// A row that sees no key becomes zero. A NaN reaches the rows that see it and no other: a weight of
// exactly zero takes nothing from its value.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "attention/band.hpp"
#include "base/matrix_view.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {

// Queries and keys that make the scores of some distances. Schemes that rotate near and far pairs
// differently (ReRoPE, Self-Extend, dual chunk attention) have several, nearest first: query i takes
// keys from first_key[i] on from this one, nearer ones excepted. Empty first_key: from key 0.
struct ScoreSource {
  ConstMatrixView q, k;
  std::span<const std::uint32_t> first_key = {};
};

struct AttentionOptions {
  float scale = 1.0f;  // 1 / sqrt(dim) is the usual one
  std::span<const float> row_scale = {};  // one more factor per query (log-n); empty: 1
  float softcap = 0.0f;                   // scores become cap tanh(score / cap); 0: off
  Band band = {};
  ConstMatrixView bias = {};                  // (queries, keys) with any stride, also 0; empty: none
  std::span<const float> distance_bias = {};  // [key - query + queries - 1]; empty: none
  // A score without a key: it takes part in the softmax and gives nothing (attention sink).
  float sink = -std::numeric_limits<float>::infinity();
};

// Buffers that calls reuse. Their size does not grow with queries * keys: a few hundred kilobytes
// and eight bytes per query.
struct AttentionScratch {
  std::vector<float> keys, values, scores, other_scores, rows_before, copied_values;
  std::vector<std::uint32_t> extreme_blocks;  // where values begin that not all are summable
  std::vector<SoftmaxState> rows;
};

// Tiled, with an online softmax: memory is O(tile) beside the operands, time O(queries * keys), and
// tiles outside the band are never computed. log_sum_exp, when not empty, receives per query the
// logarithm of its softmax denominator. Throws std::invalid_argument on shapes that do not fit.
void attend(MatrixView out, std::span<const ScoreSource> sources, ConstMatrixView v,
            const AttentionOptions& options, AttentionScratch& scratch,
            std::span<float> log_sum_exp = {});

// Where the steps go; each is (queries, keys) or one value per query. Empty: not wanted.
struct AttentionSteps {
  MatrixView scores;              // scale q kT
  MatrixView capped;              // after the softcap
  MatrixView biased;              // with bias; -infinity where masked
  MatrixView weights;             // softmax of biased
  std::span<float> entropy;       // -sum(w ln w) of a row of weights, in nats
  std::span<float> log_sum_exp;   // ln of the softmax denominator
};

// The same output row by row, keeping the steps: memory O(queries * keys) for the caller.
void attend_in_steps(MatrixView out, const AttentionSteps& steps, std::span<const ScoreSource> sources,
                     ConstMatrixView v, const AttentionOptions& options);

}  // namespace ropewalk
