#include "reference/attention.hpp"

#include <cmath>

#include "reference/kernels.hpp"

namespace ropewalk::reference {
namespace {

const double minus_infinity = -std::numeric_limits<double>::infinity();

double entropy_of(const std::vector<double>& weights) {
  double entropy = 0;
  for (const double weight : weights) {
    if (weight > 0) entropy -= weight * std::log(weight);
  }
  return entropy;
}

}  // namespace

AttentionResult attend(std::size_t queries, const OfPair& product, ConstMatrixView v,
                       const AttentionTerms& terms) {
  AttentionResult result;
  for (std::size_t m = 0; m < queries; ++m) {
    std::vector<double> scores, capped, biased, output(v.cols);
    for (std::size_t n = 0; n < v.rows; ++n) {
      scores.push_back(terms.scale(m) * product(m, n));
      const double cap = terms.softcap;
      capped.push_back(cap == 0 ? scores[n] : cap * std::tanh(scores[n] / cap));
      const double bias = terms.bias(m, n);
      biased.push_back(bias == minus_infinity ? bias : capped[n] + bias);
    }
    std::vector<double> with_sink = biased;
    with_sink.push_back(terms.sink);
    result.log_sum_exp.push_back(log_sum_exp(with_sink));
    std::vector<double> weights = softmax(with_sink);
    weights.pop_back();
    for (std::size_t n = 0; n < v.rows; ++n) {
      if (weights[n] == 0) continue;
      for (std::size_t d = 0; d < v.cols; ++d) output[d] += weights[n] * v.row(n)[d];
    }
    result.entropy.push_back(entropy_of(weights));
    result.scores.push_back(std::move(scores));
    result.capped.push_back(std::move(capped));
    result.biased.push_back(std::move(biased));
    result.weights.push_back(std::move(weights));
    result.output.push_back(std::move(output));
  }
  return result;
}

}  // namespace ropewalk::reference
