#include "training/projection.hpp"

#include "kernels/softmax.hpp"
#include "training/layers.hpp"

namespace ropewalk {

Projection::Projection(const PositionSetup& setup, const std::string& weights,
                       const std::string& bias, std::size_t cols)
    : parameters_(&setup.parameters), weights_(parameters_->add(weights, setup.shape.width, cols)) {
  if (!bias.empty()) bias_ = parameters_->add(bias, 1, cols);
}

MatrixView Projection::forward(ConstMatrixView x) {
  const std::size_t cols = weights().cols;
  y_.resize(x.rows * cols);
  const MatrixView y(y_.data(), x.rows, cols);
  linear_forward(y, x, weights(), scratch_);
  for (std::size_t r = 0; bias_ && r < y.rows; ++r) add(y.row(r), bias());
  return y;
}

void Projection::backward(ConstMatrixView d_y, ConstMatrixView x, MatrixView d_x) {
  if (bias_) {
    const std::span<float> d_bias = parameters_->gradients(*bias_).row(0);
    for (std::size_t r = 0; r < d_y.rows; ++r) add(d_bias, d_y.row(r));
  }
  std::vector<float> d_more(x.rows * x.cols);
  const MatrixView more(d_more.data(), x.rows, x.cols);
  linear_backward(more, parameters_->gradients(weights_), d_y, x, weights(), scratch_);
  for (std::size_t r = 0; r < x.rows; ++r) add(d_x.row(r), more.row(r));
}

PrefixGates::PrefixGates(const PositionSetup& setup, std::size_t layer, PrefixTerm kind)
    : projection(setup, layer_prefix(layer) + (kind == PrefixTerm::log_sigmoid ? "Wf" : "Wc"),
                 layer_prefix(layer) + (kind == PrefixTerm::log_sigmoid ? "bf" : "bc"),
                 setup.shape.heads),
      kind_(kind) {}

const ScoreModifier& PrefixGates::forward(ConstMatrixView h, const AttentionShape& shape,
                                          bool has_gradient, double factor) {
  shape_ = shape;
  const MatrixView by_token = projection.forward(h);
  gates_.resize(by_token.rows * by_token.cols);
  split_heads(gates_, by_token, shape.heads, shape.keys);
  numbers_.form(gates_, shape.batches * shape.heads, kind_, has_gradient, factor);
  return bias_.emplace(numbers_.sums(), numbers_.d_sums());
}

void PrefixGates::backward(ConstMatrixView h, MatrixView d_h) {
  std::vector<float> d_gates(gates_.size()), by_token(gates_.size());
  numbers_.backward(d_gates);
  const MatrixView d_y(by_token.data(), h.rows, shape_.heads);
  join_heads(d_y, d_gates, shape_.heads, shape_.keys);
  projection.backward(d_y, h, d_h);
}

}  // namespace ropewalk
