#include "reference/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropewalk::reference {
namespace {

std::vector<double> softmax(std::vector<double> row) {
  const double top = *std::max_element(row.begin(), row.end());
  if (top == -std::numeric_limits<double>::infinity()) return std::vector<double>(row.size(), 0.0);
  double sum = 0;
  for (double& value : row) sum += value = std::exp(value - top);
  for (double& value : row) value /= sum;
  return row;
}

}  // namespace

AttentionResult attend(ConstMatrixView q, ConstMatrixView k, ConstMatrixView v, double scale,
                       const std::function<double(std::size_t, std::size_t)>& bias) {
  AttentionResult result;
  for (std::size_t m = 0; m < q.rows; ++m) {
    std::vector<double> scores(k.rows), output(v.cols);
    for (std::size_t n = 0; n < k.rows; ++n) {
      for (std::size_t d = 0; d < q.cols; ++d) scores[n] += double(q.row(m)[d]) * k.row(n)[d];
      scores[n] = scores[n] * scale + bias(m, n);
    }
    std::vector<double> weights = softmax(scores);
    for (std::size_t n = 0; n < k.rows; ++n) {
      if (weights[n] == 0) continue;
      for (std::size_t d = 0; d < v.cols; ++d) output[d] += weights[n] * v.row(n)[d];
    }
    result.scores.push_back(std::move(scores));
    result.weights.push_back(std::move(weights));
    result.output.push_back(std::move(output));
  }
  return result;
}

}  // namespace ropewalk::reference
