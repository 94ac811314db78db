#include "attention/score_terms.hpp"

#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"

namespace ropewalk {

void check_shapes(MatrixView out, std::span<const ScoreSource> sources, ConstMatrixView v,
                  const AttentionOptions& options) {
  require(!sources.empty(), "attention: there must be queries and keys");
  const std::size_t queries = sources[0].q.rows, keys = v.rows;
  for (const ScoreSource& source : sources) {
    require(source.q.cols == source.k.cols, "attention: q and k must have the same dim, got ",
            source.q.cols, " and ", source.k.cols);
    require(source.k.rows == keys, "attention: k and v must have the same length, got ",
            source.k.rows, " and ", keys);
    require(source.q.rows == queries && (source.first_key.empty() || source.first_key.size() == queries),
            "attention: every source must have ", queries, " queries");
  }
  require(sources.back().first_key.empty(), "attention: the last source must begin at key 0");
  require(out.rows == queries && out.cols == v.cols, "attention: out must be ", queries, " x ", v.cols,
          ", got ", out.rows, " x ", out.cols);
  const ConstMatrixView& bias = options.bias;
  require(!bias.data || (bias.rows == queries && bias.cols == keys), "attention: bias must be ",
          queries, " x ", keys, ", got ", bias.rows, " x ", bias.cols);
  require(options.distance_bias.empty() || options.distance_bias.size() + 1 == queries + keys,
          "attention: distance_bias must have queries + keys - 1 = ", queries + keys - 1,
          " values, got ", options.distance_bias.size());
  require(options.row_scale.empty() || options.row_scale.size() == queries,
          "attention: row_scale must have one value per query, ", queries, ", got ",
          options.row_scale.size());
}

KeyRange keys_of_source(std::span<const ScoreSource> sources, std::size_t s, std::size_t query,
                        KeyRange visible) {
  const auto first_key = [&](std::size_t source) -> std::size_t {
    return sources[source].first_key.empty() ? 0 : sources[source].first_key[query];
  };
  const std::size_t past_end = s == 0 ? visible.past_end : first_key(s - 1);
  return intersection(visible, {first_key(s), past_end});
}

void cap_scores(std::span<float> scores, const AttentionOptions& options) {
  if (options.softcap != 0.0f) softcap(scores, options.softcap);
}

void add_biases(std::span<float> scores, const AttentionOptions& options, std::size_t query,
                std::size_t queries, std::size_t first) {
  if (options.bias.data) add_bias(scores, options.bias.row(query).subspan(first, scores.size()));
  if (!options.distance_bias.empty()) {
    add_bias(scores, options.distance_bias.subspan(first + queries - 1 - query, scores.size()));
  }
}

SoftmaxState state_before_keys(const AttentionOptions& options) {
  if (options.sink == minus_infinity) return {};
  return {.maximum = options.sink, .sum = 1.0f};
}

void normalize(std::span<float> row, SoftmaxState state) {
  if (state.sum != 0.0f) scale(row, 1.0f / state.sum);
}

float logarithm_of_sum(SoftmaxState state) {
  return state.sum == 0.0f ? minus_infinity : state.maximum + static_cast<float>(logarithm(state.sum));
}

}  // namespace ropewalk
