#include "reference/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropewalk::reference {
namespace {

const double minus_infinity = -std::numeric_limits<double>::infinity();

void add_product(Sum& sum, float a, float b) {
  sum.value += double(a) * b;
  sum.magnitude += std::abs(double(a) * b);
}

}  // namespace

Sum dot(std::span<const float> a, std::span<const float> b) {
  Sum sum;
  for (std::size_t i = 0; i < a.size(); ++i) add_product(sum, a[i], b[i]);
  return sum;
}

std::vector<Sum> multiply(ConstMatrixView left, ConstMatrixView right) {
  std::vector<Sum> out(left.rows * right.cols);
  for (std::size_t r = 0; r < left.rows; ++r) {
    for (std::size_t c = 0; c < right.cols; ++c) {
      Sum& sum = out[r * right.cols + c];
      for (std::size_t d = 0; d < left.cols; ++d) add_product(sum, left.row(r)[d], right.row(d)[c]);
    }
  }
  return out;
}

std::vector<Sum> multiply_transposed(ConstMatrixView left, ConstMatrixView right) {
  std::vector<Sum> out;
  for (std::size_t r = 0; r < left.rows; ++r) {
    for (std::size_t c = 0; c < right.rows; ++c) out.push_back(dot(left.row(r), right.row(c)));
  }
  return out;
}

std::vector<double> softmax(const std::vector<double>& row) {
  const double whole = log_sum_exp(row);
  std::vector<double> weights(row.size(), 0.0);
  if (whole == minus_infinity) return weights;
  for (std::size_t i = 0; i < row.size(); ++i) weights[i] = std::exp(row[i] - whole);
  return weights;
}

double log_sum_exp(const std::vector<double>& row) {
  double top = minus_infinity, sum = 0;
  for (const double value : row) top = std::max(top, value);
  if (top == minus_infinity) return top;
  for (const double value : row) sum += std::exp(value - top);
  return top + std::log(sum);
}

}  // namespace ropewalk::reference
