#include "training/linear.hpp"

#include <cmath>

#include "kernels/rows.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"

namespace ropewalk {

MatrixView resized(std::vector<float>& numbers, std::size_t rows, std::size_t cols) {
  // A product that wraps around would be a size, too: the largest one throws.
  const bool fits = cols == 0 || rows <= numbers.max_size() / cols;
  numbers.resize(fits ? rows * cols : numbers.max_size() + 1);
  return {numbers.data(), rows, cols};
}

Linear::Linear(ParameterList& parameters, const Names& names, std::size_t inputs,
               std::size_t outputs, bool decays, WeightOrder order)
    : parameters_(&parameters),
      weights_(order == WeightOrder::in_by_out
                   ? parameters.add(names.weights, inputs, outputs, decays)
                   : parameters.add(names.weights, outputs, inputs, decays)),
      order_(order) {
  parameters.allow_quantized(weights_);
  if (!names.bias.empty()) bias_ = parameters.add(names.bias, 1, outputs);
}

void Linear::initialize(Random& random, double factor) {
  fill_normal(weights(), random, factor / std::sqrt(static_cast<double>(inputs())));
}

void Linear::forward(MatrixView y, ConstMatrixView x) const {
  const auto multiply = [&](const auto& w) {
    if (is_transposed())
      linear_transposed_forward(y, x, w, parameters_->scratch());
    else
      linear_forward(y, x, w, parameters_->scratch());
  };
  if (const auto rows = parameters_->quantized(weights_))
    multiply(*rows);
  else
    multiply(weights());
  for (std::size_t r = 0; bias_ && r < y.rows; ++r) add(y.row(r), bias());
}

MatrixView Linear::forward(ConstMatrixView x) {
  const MatrixView y = resized(y_, x.rows, outputs());
  forward(y, x);
  return y;
}

void Linear::forward_by_head(std::vector<float>& y, ConstMatrixView x, std::size_t heads,
                             std::size_t length) {
  const MatrixView by_token = forward(x);
  y.resize(by_token.rows * by_token.cols);
  split_heads(y, by_token, heads, length);
}

void Linear::backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) const {
  for (std::size_t r = 0; bias_ && r < d_y.rows; ++r)
    add(parameters_->gradients(*bias_).row(0), d_y.row(r));
  const auto multiply = is_transposed() ? linear_transposed_backward : linear_backward;
  multiply(d_x, parameters_->gradients(weights_), d_y, x, weights(), parameters_->scratch());
}

void Linear::accumulate_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) const {
  std::vector<float> more;
  const MatrixView d_more = resized(more, x.rows, x.cols);
  backward(d_more, d_y, x);
  for (std::size_t r = 0; r < x.rows; ++r) add(d_x.row(r), d_more.row(r));
}

void Linear::accumulate_backward_by_head(MatrixView d_x, std::span<const float> d_y,
                                         ConstMatrixView x, std::size_t heads,
                                         std::size_t length) const {
  std::vector<float> numbers;
  const MatrixView by_token = resized(numbers, x.rows, outputs());
  join_heads(by_token, d_y, heads, length);
  accumulate_backward(d_x, by_token, x);
}

}  // namespace ropewalk
