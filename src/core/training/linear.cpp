#include "training/linear.hpp"

#include <cmath>

#include "kernels/softmax.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"

namespace ropewalk {

Linear::Linear(ParameterList& parameters, const Names& names, std::size_t rows, std::size_t cols,
               bool decays)
    : parameters_(&parameters), weights_(parameters.add(names.weights, rows, cols, decays)) {
  if (!names.bias.empty()) bias_ = parameters.add(names.bias, 1, cols);
}

void Linear::initialize(Random& random, double factor) {
  fill_normal(weights(), random, factor / std::sqrt(static_cast<double>(weights().rows)));
}

void Linear::forward(MatrixView y, ConstMatrixView x) const {
  linear_forward(y, x, weights(), parameters_->scratch());
  for (std::size_t r = 0; bias_ && r < y.rows; ++r) add(y.row(r), bias());
}

MatrixView Linear::forward(ConstMatrixView x) {
  const std::size_t cols = weights().cols;
  y_.resize(x.rows * cols);
  const MatrixView y(y_.data(), x.rows, cols);
  forward(y, x);
  return y;
}

void Linear::backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) const {
  for (std::size_t r = 0; bias_ && r < d_y.rows; ++r)
    add(parameters_->gradients(*bias_).row(0), d_y.row(r));
  linear_backward(d_x, parameters_->gradients(weights_), d_y, x, weights(), parameters_->scratch());
}

void Linear::accumulate_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) const {
  std::vector<float> more(x.rows * x.cols);
  const MatrixView d_more(more.data(), x.rows, x.cols);
  backward(d_more, d_y, x);
  for (std::size_t r = 0; r < x.rows; ++r) add(d_x.row(r), d_more.row(r));
}

}  // namespace ropewalk
