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

std::vector<double> path_products(std::span<const float> q, ConstMatrixView k, ConstMatrixView w,
                                  std::span<const float> betas, std::size_t own) {
  std::vector<double> row(q.begin(), q.end()), products(own + 1);
  for (std::size_t n = own + 1; n-- > 0;) {
    double along = 0;
    for (std::size_t d = 0; d < row.size(); ++d) {
      products[n] += row[d] * k.row(n)[d];
      along += row[d] * w.row(n)[d];
    }
    for (std::size_t d = 0; d < row.size(); ++d) row[d] -= betas[n] * along * w.row(n)[d];
  }
  return products;
}

std::vector<double> stick_breaking(const std::vector<double>& scores) {
  std::vector<double> weights(scores.size());
  double rest = 1;
  for (std::size_t n = scores.size(); n-- > 0;) {
    weights[n] = rest / (1 + std::exp(-scores[n]));
    rest /= 1 + std::exp(scores[n]);
  }
  return weights;
}

}  // namespace ropewalk::reference
