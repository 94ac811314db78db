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

// How weights are stored: y = x w, or y = x wT as PyTorch has it.
enum class WeightOrder { in_by_out, out_by_in };

//   y = x w + b     d_x = d_y wT     d_w += xT d_y     d_b += sum over rows of d_y
// Matrices have a row per token; w stands for wT where weights are stored out x in.
class Linear {
 public:
  struct Names {
    std::string weights, bias = "";  // no name: no bias
  };

  // Adds its parameters, (inputs x outputs) or the reverse and (outputs), to the list, which must
  // outlive it.
  Linear(ParameterList& parameters, const Names& names, std::size_t inputs, std::size_t outputs,
         bool decays = false, WeightOrder order = WeightOrder::in_by_out);
  // With weights that the list has already, out x in: those of the embedding as output.
  Linear(ParameterList& parameters, std::size_t weights)
      : parameters_(&parameters), weights_(weights), order_(WeightOrder::out_by_in) {}

  // Weights become normal with variance factor^2 / inputs.
  void initialize(Random& random, double factor = 1.0);
  // Where they are stored as floats.
  MatrixView weights() const { return parameters_->values(weights_); }
  std::span<float> bias() const { return parameters_->row(*bias_); }
  std::size_t inputs() const { return is_transposed() ? stored().cols : stored().rows; }
  std::size_t outputs() const { return is_transposed() ? stored().rows : stored().cols; }

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
  bool is_transposed() const { return order_ == WeightOrder::out_by_in; }
  const Parameter& stored() const { return parameters_->all()[weights_]; }

  ParameterList* parameters_;
  std::size_t weights_;
  std::optional<std::size_t> bias_;
  WeightOrder order_;
  std::vector<float> y_;
};

}  // namespace ropewalk
