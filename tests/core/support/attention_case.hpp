// An attention call with all options that tests vary, its result in double, and a bound for the
// rounding errors of floats.
#pragma once

#include <algorithm>
#include <functional>

#include "attention/attention.hpp"
#include "attention/scratch.hpp"
#include "reference/attention.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

namespace ropewalk {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// The band as a sentence about one query and one key; the core has it as ranges.
inline bool sees(const Band& band, std::size_t query, std::size_t key) {
  const double at = double(query) + double(band.offset), distance = double(key) - at;
  return key < band.key_length &&
         (band.lookback == all_keys || -distance <= double(band.lookback)) &&
         (band.lookahead == all_keys || distance <= double(band.lookahead));
}

inline Band causal_top_left() { return {.lookahead = 0}; }
inline Band causal_bottom_right(std::size_t queries, std::size_t keys) {
  return {.offset = std::ptrdiff_t(keys) - std::ptrdiff_t(queries), .lookahead = 0};
}

struct AttentionCase {
  Matrix q, k, v;
  float scale = 1.0f, softcap = 0.0f, sink = -infinity;
  Band band;
  Matrix bias;                       // empty: none; one row: the same for every query
  double bias_terms = 0;             // the most that the terms of a bias add up to in magnitude
  std::vector<float> distance_bias;  // empty: none
  std::vector<float> row_scale;      // empty: none

  // Product of a rotated query and key. Empty: they are not rotated.
  using Product = std::function<reference::Sum(const Matrix& q, const Matrix& k, std::size_t query,
                                               std::size_t key)>;
  Product rotated_product;

  AttentionCase(std::size_t queries, std::size_t keys, std::size_t dim, std::size_t value_dim,
                std::uint64_t seed)
      : q(random_matrix(queries, dim, seed)),
        k(random_matrix(keys, dim, seed + 1)),
        v(random_matrix(keys, value_dim, seed + 2)),
        scale(static_cast<float>(1 / std::sqrt(double(std::max<std::size_t>(dim, 1))))) {}

  // One batch and one head.
  void attend(const AttentionResults& results, AttentionScratch& scratch,
              const AttentionRotary* rotary = nullptr) const {
    const auto view = [](const Matrix& rows) {
      return HeadsView::contiguous(rows.values.data(), 1, rows.rows, rows.cols);
    };
    const RowScale factors({row_scale});
    const Softcap cap(softcap);
    const Bias added(bias.values, {{1, 1, bias.rows, bias.cols}});
    const DistanceBias by_distance(distance_bias, 1, 1 - std::ptrdiff_t(q.rows) - band.offset);
    std::vector<const ScoreModifier*> modifiers;
    if (!row_scale.empty()) modifiers.push_back(&factors);
    if (softcap != 0.0f) modifiers.push_back(&cap);
    if (!bias.values.empty()) modifiers.push_back(&added);
    if (!distance_bias.empty()) modifiers.push_back(&by_distance);
    AttentionCall call;
    call.shape = {1, 1, 1, q.rows, k.rows, q.cols, v.cols};
    call.q = view(q);
    call.k = view(k);
    call.v = view(v);
    call.scale = scale;
    call.band = band;
    call.band.key_length = all_keys;
    const double length = double(std::min(band.key_length, k.rows));
    call.key_lengths = {&length, 1};
    call.modifiers = modifiers;
    call.sinks = {&sink, 1};
    call.rotary = rotary;
    ropewalk::attend(call, results, scratch);
  }

  bool sees(std::size_t query, std::size_t key) const {
    return ropewalk::sees(band, query, key) &&
           bias_of(query, key) + distance_bias_of(query, key) != -infinity;
  }
  double bias_of(std::size_t query, std::size_t key) const {
    return bias.values.empty() ? 0 : bias.at(bias.rows == q.rows ? query : 0, key);
  }
  double distance_bias_of(std::size_t query, std::size_t key) const {
    return distance_bias.empty() ? 0 : distance_bias[key + q.rows - 1 - query];
  }
  reference::Sum product(std::size_t query, std::size_t key) const {
    if (rotated_product) return rotated_product(q, k, query, key);
    return reference::dot(q.view().row(query), k.view().row(key));
  }
  double scale_of(std::size_t query) const {
    return row_scale.empty() ? scale : double(scale) * row_scale[query];
  }

  Matrix output(std::vector<float>* log_sum_exp = nullptr,
                const AttentionRotary* rotary = nullptr) const {
    AttentionScratch scratch;
    Matrix out(q.rows, v.cols, not_a_number);  // every value has to be written
    if (log_sum_exp) log_sum_exp->assign(q.rows, not_a_number);
    attend(
        {.output = out.values.data(), .log_sum_exp = log_sum_exp ? log_sum_exp->data() : nullptr},
        scratch, rotary);
    return out;
  }

  struct Steps {
    Matrix output, scores, capped, biased, weights;
    std::vector<float> entropy, log_sum_exp;
  };

  Steps steps(const AttentionRotary* rotary = nullptr) const {
    const Matrix cells(q.rows, k.rows, not_a_number);
    const std::vector<float> rows(q.rows, not_a_number);
    Steps kept{Matrix(q.rows, v.cols, not_a_number), cells, cells, cells, cells, rows, rows};
    AttentionScratch scratch;
    attend({kept.output.values.data(), kept.scores.values.data(), kept.capped.values.data(),
            kept.biased.values.data(), kept.weights.values.data(), kept.entropy.data(),
            kept.log_sum_exp.data()},
           scratch, rotary);
    return kept;
  }

  reference::AttentionTerms terms() const {
    reference::AttentionTerms terms;
    terms.scale = [&](std::size_t m) { return scale_of(m); };
    terms.softcap = softcap;
    terms.bias = [&](std::size_t m, std::size_t n) {
      return sees(m, n) ? bias_of(m, n) + distance_bias_of(m, n) : -double(infinity);
    };
    terms.sink = sink;
    return terms;
  }

  reference::AttentionResult expected() const {
    const auto value = [&](std::size_t m, std::size_t n) { return product(m, n).value; };
    return reference::attend(q.rows, value, v.view(), terms());
  }

  // Scaling (twice), every product and every sum rounds once, and the lanes and the rest are
  // summed: at most dim + 5 roundings of scale times the sum of |q k|. A rotation rounds each value
  // of q and of k by 1e-7 and three times more, of the length of its pair: both values of a pair,
  // so 2 x 5 x sqrt(2) roundings of the product of lengths.
  double score_error(std::size_t query, std::size_t key) const {
    const double roundings = double(q.cols + 5) + (rotated_product ? 15 : 0);
    return rounding * roundings * std::abs(scale_of(query)) * product(query, key).magnitude;
  }

  // The cap has slope 1 at most; its own relative error is below 4.5e-7.
  double capped_error(std::size_t query, std::size_t key, double capped) const {
    return score_error(query, key) + (softcap == 0 ? 0 : 4.5e-7 * std::abs(capped));
  }

  // Two additions, each of a magnitude below the sum of all three, and those within the bias.
  double biased_error(std::size_t query, std::size_t key, double capped) const {
    const double added = std::abs(bias_of(query, key)) + std::abs(distance_bias_of(query, key));
    return capped_error(query, key, capped) +
           2 * rounding * (std::abs(capped) + added + bias_terms);
  }

  // Bound of the relative error of each weight of a row.
  double weight_error(std::size_t query, const reference::AttentionResult& exact) const {
    const bool has_sink = sink != -infinity;
    double worst = 0, low = has_sink ? sink : infinity, high = sink;
    for (std::size_t key = 0; key < k.rows; ++key) {
      if (!sees(query, key)) continue;
      worst = std::max(worst, biased_error(query, key, exact.capped[query][key]));
      low = std::min(low, exact.biased[query][key]);
      high = std::max(high, exact.biased[query][key]);
    }
    return high < low ? 0 : softmax_error(worst, high - low, k.rows + 1, 2 + k.rows / 64);
  }
};

inline void compare_outputs(Comparison& comparison, const AttentionCase& problem,
                            const Matrix& actual, const reference::AttentionResult& exact) {
  for (std::size_t m = 0; m < problem.q.rows; ++m) {
    // The weighted sum adds as many roundings again as there are keys.
    const double relative = problem.weight_error(m, exact) + rounding * double(problem.k.rows + 8);
    for (std::size_t d = 0; d < problem.v.cols; ++d) {
      double magnitude = 0, largest = 0;
      for (std::size_t n = 0; n < problem.k.rows; ++n) {
        if (!problem.sees(m, n)) continue;
        magnitude += exact.weights[m][n] * std::abs(problem.v.at(n, d));
        largest = std::max<double>(largest, std::abs(problem.v.at(n, d)));
      }
      const double lost = least_weight * double(problem.k.rows) * largest;  // weights flushed to 0
      comparison.add(actual.at(m, d), exact.output[m][d], relative * magnitude + lost);
    }
  }
}

// The logarithm of a denominator whose terms are all off by weight_error, and its own rounding.
inline void compare_log_sum_exp(Comparison& comparison, const AttentionCase& problem,
                                const std::vector<float>& actual,
                                const reference::AttentionResult& exact) {
  for (std::size_t m = 0; m < problem.q.rows; ++m) {
    const double expected = exact.log_sum_exp[m];
    const double bound = problem.weight_error(m, exact) +
                         4 * rounding * (std::abs(expected) + std::log(problem.k.rows + 2));
    comparison.add(actual[m], expected, bound);
  }
}

// Every step, and what follows from them.
inline void compare_steps(Comparison& comparison, const AttentionCase& problem,
                          const AttentionCase::Steps& steps,
                          const reference::AttentionResult& exact) {
  compare_outputs(comparison, problem, steps.output, exact);
  compare_log_sum_exp(comparison, problem, steps.log_sum_exp, exact);
  for (std::size_t m = 0; m < problem.q.rows; ++m) {
    const double relative = problem.weight_error(m, exact);
    double entropy_error = rounding * exact.entropy[m];
    for (std::size_t n = 0; n < problem.k.rows; ++n) {
      const double capped = exact.capped[m][n], weight = exact.weights[m][n];
      // Keys after the query may be rotated by other angles, where no query sees them.
      if (!problem.rotated_product || problem.sees(m, n)) {
        comparison.add(steps.scores.at(m, n), exact.scores[m][n], problem.score_error(m, n));
        comparison.add(steps.capped.at(m, n), capped, problem.capped_error(m, n, capped));
      }
      comparison.add(steps.biased.at(m, n), exact.biased[m][n], problem.biased_error(m, n, capped));
      comparison.add(steps.weights.at(m, n), weight, relative * weight + least_weight);
      if (weight > 0) entropy_error += relative * weight * (1 + std::abs(std::log(weight)));
    }
    comparison.add(steps.entropy[m], exact.entropy[m],
                   entropy_error + 100 * least_weight * double(problem.k.rows));
  }
}

// The tiled path and the steps beside the reference.
inline void compare_paths(Comparison& comparison, const AttentionCase& problem,
                          const AttentionRotary* rotary = nullptr) {
  const auto exact = problem.expected();
  std::vector<float> log_sum_exp;
  compare_outputs(comparison, problem, problem.output(&log_sum_exp, rotary), exact);
  compare_log_sum_exp(comparison, problem, log_sum_exp, exact);
  compare_steps(comparison, problem, problem.steps(rotary), exact);
}

}  // namespace ropewalk
