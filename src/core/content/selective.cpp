#include "content/selective.hpp"

#include <algorithm>
#include <vector>

#include "base/require.hpp"

namespace ropewalk {
namespace {

// Whether the query of row m masks the key n for later queries, if its score is positive.
bool may_mask(ConstMatrixView gates, std::size_t m, std::size_t n, bool spares_first) {
  const std::size_t first = gates.cols - gates.rows;
  return n != first + m && !(spares_first && n == first);
}

void check_selective(ConstMatrixView bias, ConstMatrixView gates) {
  require_shape("selective_bias: bias", bias, gates.rows, gates.cols);
  require(gates.cols >= gates.rows, "selective_bias: there must be at least ", gates.rows,
          " keys, got ", gates.cols);
}

}  // namespace

void selective_bias(MatrixView bias, ConstMatrixView gates, bool spares_first) {
  check_selective(bias, gates);
  std::vector<double> sums(gates.cols);
  for (std::size_t m = 0; m < gates.rows; ++m) {
    for (std::size_t n = 0; n < gates.cols; ++n) {
      bias.row(m)[n] -= static_cast<float>(sums[n]);
      if (may_mask(gates, m, n, spares_first)) sums[n] += std::max(0.0, double(gates.row(m)[n]));
    }
  }
}

void selective_bias_backward(MatrixView d_gates, ConstMatrixView d_bias, ConstMatrixView gates,
                             bool spares_first) {
  check_selective(d_bias, gates);
  require_shape("selective_bias: gradient of gates", d_gates, gates.rows, gates.cols);
  std::vector<double> sums(gates.cols);  // of the rows after m
  for (std::size_t m = gates.rows; m-- > 0;) {
    for (std::size_t n = 0; n < gates.cols; ++n) {
      if (gates.row(m)[n] > 0.0f && may_mask(gates, m, n, spares_first))
        d_gates.row(m)[n] -= static_cast<float>(sums[n]);
      sums[n] += double(d_bias.row(m)[n]);
    }
  }
}

}  // namespace ropewalk
