#include <algorithm>
#include <cmath>
#include <vector>

#include "attention/attention.hpp"
#include "attention/score_terms.hpp"
#include "base/elementary.hpp"
#include "kernels/dot.hpp"

namespace ropewalk {
namespace {

void keep(MatrixView step, std::size_t query, std::span<const float> row) {
  if (step.data) std::ranges::copy(row, step.row(query).begin());
}

float row_entropy(std::span<const float> weights) {
  double entropy = 0.0;
  for (const float weight : weights) {
    if (weight != 0.0f) entropy -= double(weight) * logarithm(double(weight));
  }
  return static_cast<float>(entropy);
}

void score_row(std::span<float> row, std::span<const ScoreSource> sources, std::size_t query,
               const AttentionOptions& options) {
  const float factor = options.row_scale.empty() ? options.scale : options.scale * options.row_scale[query];
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const KeyRange keys = keys_of_source(sources, s, query, {0, row.size()});
    for (std::size_t key = keys.first; key < keys.past_end; ++key) {
      row[key] = factor * dot(sources[s].q.row(query), sources[s].k.row(key));
    }
  }
}

}  // namespace

void attend_in_steps(MatrixView out, const AttentionSteps& steps, std::span<const ScoreSource> sources,
                     ConstMatrixView v, const AttentionOptions& options) {
  check_shapes(out, sources, v, options);
  std::vector<float> row(v.rows);
  for (std::size_t query = 0; query < out.rows; ++query) {
    score_row(row, sources, query, options);
    keep(steps.scores, query, row);
    cap_scores(row, options);
    keep(steps.capped, query, row);
    add_biases(row, options, query, out.rows, 0);
    const KeyRange seen = visible_keys(options.band, query, v.rows);
    std::fill_n(row.begin(), seen.first, minus_infinity);
    std::fill(row.begin() + seen.past_end, row.end(), minus_infinity);
    keep(steps.biased, query, row);

    SoftmaxState state = state_before_keys(options);
    softmax_step(state, row);
    normalize(row, state);
    keep(steps.weights, query, row);
    if (!steps.entropy.empty()) steps.entropy[query] = row_entropy(row);
    if (!steps.log_sum_exp.empty()) steps.log_sum_exp[query] = logarithm_of_sum(state);

    const std::span<float> result = out.row(query);
    std::ranges::fill(result, 0.0f);
    for (std::size_t key = 0; key < v.rows; ++key) {
      if (row[key] != 0.0f) add_scaled(result, v.row(key), row[key]);
    }
  }
}

}  // namespace ropewalk
