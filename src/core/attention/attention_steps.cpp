#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/attention.hpp"
#include "attention/score_terms.hpp"
#include "kernels/dot.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {
namespace {

void keep(MatrixView step, std::size_t query, std::span<const float> row) {
  if (step.data) std::ranges::copy(row, step.row(query).begin());
}

float row_entropy(std::span<const float> weights) {
  double entropy = 0.0;
  for (const float weight : weights) {
    if (weight != 0.0f) entropy -= double(weight) * std::log(double(weight));
  }
  return static_cast<float>(entropy);
}

}  // namespace

void attend_in_steps(MatrixView out, const AttentionSteps& steps, ConstMatrixView q,
                     ConstMatrixView k, ConstMatrixView v, const AttentionOptions& options) {
  check_shapes(out, q, k, v, options);
  std::vector<float> row(k.rows);
  for (std::size_t query = 0; query < q.rows; ++query) {
    for (std::size_t key = 0; key < k.rows; ++key) {
      row[key] = options.scale * dot(q.row(query), k.row(key));
    }
    keep(steps.scores, query, row);

    add_biases(row, options, query, q.rows, 0);
    const KeyRange seen = visible_keys(options.causal, query, q.rows, k.rows);
    std::fill(row.begin() + seen.past_end, row.end(), minus_infinity);
    keep(steps.biased, query, row);

    SoftmaxState state;
    softmax_step(state, row);
    if (state.sum != 0.0f) scale(row, 1.0f / state.sum);
    keep(steps.weights, query, row);
    if (!steps.entropy.empty()) steps.entropy[query] = row_entropy(row);

    const std::span<float> result = out.row(query);
    std::ranges::fill(result, 0.0f);
    for (std::size_t key = 0; key < k.rows; ++key) {
      if (row[key] != 0.0f) add_scaled(result, v.row(key), row[key]);
    }
  }
}

}  // namespace ropewalk
