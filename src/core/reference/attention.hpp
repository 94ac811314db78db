// softmax(softcap(scale q kT) + bias) v of one head in double, with the whole score matrix in
// memory.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk::reference {

using OfPair = std::function<double(std::size_t query, std::size_t key)>;
using Rows = std::vector<std::vector<double>>;

struct AttentionTerms {
  std::function<double(std::size_t query)> scale = [](std::size_t) { return 1.0; };
  double softcap = 0;                                          // 0: off
  OfPair bias = [](std::size_t, std::size_t) { return 0.0; };  // -infinity hides the key
  double sink = -std::numeric_limits<double>::infinity();
};

struct AttentionResult {
  Rows scores, capped, biased, weights, output;
  std::vector<double> entropy, log_sum_exp;
};

// product(query, key) is q kT. A hidden key is hidden whatever its score; a row that sees no key is
// zero.
AttentionResult attend(std::size_t queries, const OfPair& product, ConstMatrixView v,
                       const AttentionTerms& terms);

// Gradients of the sum of out * d_output, by the chain rule on whole matrices.
struct AttentionGradients {
  Rows products, biased;  // of product(query, key), and of the scores after every bias
  Rows v;
  double sink = 0;
};

// result is what attend() returned for the same arguments.
AttentionGradients attend_backward(const AttentionResult& result, ConstMatrixView v,
                                   const AttentionTerms& terms, ConstMatrixView d_output);

// PaTH: q H[own] ... H[n + 1] k[n] for n = 0 ... own. w: one row per key.
std::vector<double> path_products(std::span<const float> q, ConstMatrixView k, ConstMatrixView w,
                                  std::span<const float> betas, std::size_t own);

// Weights of keys from the farthest to the nearest.
std::vector<double> stick_breaking(const std::vector<double>& scores);

}  // namespace ropewalk::reference
