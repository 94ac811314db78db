// The kernels again, in the order of kernels/: plain loops in double, one value after another.
#pragma once

#include <span>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk::reference {

// A sum of products, and the sum of their magnitudes: rounding grows with the latter.
struct Sum {
  double value = 0;
  double magnitude = 0;
};

Sum dot(std::span<const float> a, std::span<const float> b);

// left right, or left rightT, row by row.
std::vector<Sum> multiply(ConstMatrixView left, ConstMatrixView right);
std::vector<Sum> multiply_transposed(ConstMatrixView left, ConstMatrixView right);

// exp(row - max) / sum; zeros when every value is -infinity.
std::vector<double> softmax(const std::vector<double>& row);

// ln of the sum of exp(row); -infinity when every value is.
double log_sum_exp(const std::vector<double>& row);

}  // namespace ropewalk::reference
