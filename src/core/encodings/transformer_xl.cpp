#include "encodings/transformer_xl.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "kernels/dot.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {

void transformer_xl_bias(MatrixView bias, ConstMatrixView q, ConstMatrixView k, ConstMatrixView r,
                         std::span<const float> u, std::span<const float> v,
                         const RelativeIndex& index, float scale) {
  require(u.size() == q.cols && v.size() == q.cols && k.cols == q.cols,
          "transformer_xl: k, u and v must have q's dim ", q.cols, ", got ", k.cols, ", ", u.size(),
          " and ", v.size());
  require(bias.rows == q.rows && bias.cols == k.rows, "transformer_xl: the bias must be ", q.rows,
          " x ", k.rows, ", got ", bias.rows, " x ", bias.cols);
  std::vector<float> moved(q.rows * q.cols);
  const MatrixView q_plus_v(moved.data(), q.rows, q.cols);
  for (std::size_t m = 0; m < q.rows; ++m) {
    std::ranges::copy(q.row(m), q_plus_v.row(m).begin());
    add(q_plus_v.row(m), v);
  }
  for (std::size_t n = 0; n < k.rows; ++n) {
    const float content = scale * dot(u, k.row(n));
    for (std::size_t m = 0; m < q.rows; ++m) bias.row(m)[n] = content;
  }
  add_query_products(bias, q_plus_v, r, index, scale);
}

}  // namespace ropewalk
