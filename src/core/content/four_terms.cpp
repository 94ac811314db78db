#include "content/four_terms.hpp"

#include <vector>

#include "base/require.hpp"
#include "kernels/dot.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {
namespace {

// rows times weights, or the rows themselves.
class Projection {
 public:
  Projection(ConstMatrixView rows, ConstMatrixView weights) : view_(rows) {
    if (!weights.data) return;
    require(weights.rows == rows.cols, "four_terms: weights must have ", rows.cols, " rows, got ",
            weights.rows);
    projected_.resize(rows.rows * weights.cols);
    const MatrixView out(projected_.data(), rows.rows, weights.cols);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      for (std::size_t c = 0; c < rows.cols; ++c)
        add_scaled(out.row(r), weights.row(c), rows.row(r)[c]);
    }
    view_ = out;
  }

  ConstMatrixView view() const { return view_; }

 private:
  std::vector<float> projected_;
  ConstMatrixView view_;
};

void products(MatrixView out, const Projection& queries, const Projection& keys, float scale) {
  const ConstMatrixView q = queries.view(), k = keys.view();
  require(q.cols == k.cols, "four_terms: both weights must have the same columns, got ", q.cols,
          " and ", k.cols);
  for (std::size_t m = 0; m < q.rows; ++m) {
    for (std::size_t n = 0; n < k.rows; ++n) out.row(m)[n] = scale * dot(q.row(m), k.row(n));
  }
}

}  // namespace

void four_terms(const FourTerms& terms, ConstMatrixView x, ConstMatrixView p,
                ConstMatrixView query_weights, ConstMatrixView key_weights, float scale) {
  require_shape("four_terms: p", p, x.rows, x.cols);
  const Projection xq(x, query_weights), pq(p, query_weights);
  const Projection xk(x, key_weights), pk(p, key_weights);
  products(terms.content_content, xq, xk, scale);
  products(terms.content_position, xq, pk, scale);
  products(terms.position_content, pq, xk, scale);
  products(terms.position_position, pq, pk, scale);
}

}  // namespace ropewalk
