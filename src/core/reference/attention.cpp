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

AttentionGradients attend_backward(const AttentionResult& result, ConstMatrixView v,
                                   const AttentionTerms& terms, ConstMatrixView d_output) {
  const std::size_t queries = result.weights.size();
  const Rows cells(queries, std::vector<double>(v.rows));
  AttentionGradients d{cells, cells, Rows(v.rows, std::vector<double>(v.cols)), 0};
  for (std::size_t m = 0; m < queries; ++m) {
    const std::vector<double>& weights = result.weights[m];
    std::vector<double> d_weights(v.rows);
    double delta = 0;
    for (std::size_t n = 0; n < v.rows; ++n) {
      if (weights[n] == 0) continue;
      for (std::size_t c = 0; c < v.cols; ++c) {
        d_weights[n] += double(d_output.row(m)[c]) * v.row(n)[c];
        d.v[n][c] += weights[n] * d_output.row(m)[c];
      }
      delta += weights[n] * d_weights[n];
    }
    for (std::size_t n = 0; n < v.rows; ++n) {
      if (weights[n] == 0) continue;
      const double tanh = terms.softcap == 0 ? 0 : result.capped[m][n] / terms.softcap;
      d.biased[m][n] = weights[n] * (d_weights[n] - delta);
      d.products[m][n] = terms.scale(m) * (1 - tanh * tanh) * d.biased[m][n];
    }
    if (terms.sink != minus_infinity)
      d.sink -= std::exp(terms.sink - result.log_sum_exp[m]) * delta;
  }
  return d;
}

}  // namespace ropewalk::reference
