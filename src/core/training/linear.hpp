// The linear layer of a model: weights in its list of parameters, with or without a bias.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "training/parameters.hpp"

namespace ropewalk {

// The vector as a matrix of this size. Not inlined: to grow a vector takes much code.
[[gnu::noinline]] MatrixView resized(std::vector<float>& numbers, std::size_t rows,
                                     std::size_t cols);

//   y = x w + b     d_x = d_y wT     d_w += xT d_y     d_b += sum over rows of d_y
// Matrices have a row per token.
class Linear {
 public:
  struct Names {
    std::string weights, bias = "";  // no name: no bias
  };

  // Adds its parameters, (rows x cols) and (cols), to the list, which must outlive it.
  Linear(ParameterList& parameters, const Names& names, std::size_t rows, std::size_t cols,
         bool decays = false);

  // Weights become normal with variance factor^2 / rows.
  void initialize(Random& random, double factor = 1.0);
  MatrixView weights() const { return parameters_->values(weights_); }
  std::span<float> bias() const { return parameters_->row(*bias_); }

  void forward(MatrixView y, ConstMatrixView x) const;
  // The same into memory of its own, which stands until the next call.
  MatrixView forward(ConstMatrixView x);
  // The same with y by head, see split_heads().
  void forward_by_head(std::vector<float>& y, ConstMatrixView x, std::size_t heads,
                       std::size_t length);
  // Writes d_x.
  void backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) const;
  // Adds to d_x.
  void accumulate_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) const;
  void accumulate_backward_by_head(MatrixView d_x, std::span<const float> d_y, ConstMatrixView x,
                                   std::size_t heads, std::size_t length) const;

 private:
  ParameterList* parameters_;
  std::size_t weights_;
  std::optional<std::size_t> bias_;
  std::vector<float> y_;
};

}  // namespace ropewalk
