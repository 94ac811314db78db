// A linear layer with a bias from the tokens of a layer's input to a few numbers of each, for
// schemes that read gates and positions from the text.
#pragma once

#include <optional>
#include <vector>

#include "content/prefix_sums.hpp"
#include "training/position.hpp"

namespace ropewalk {

class Projection {
 public:
  // Adds its parameters, (width x cols) and (cols), to the list. No name of a bias: none.
  Projection(const PositionSetup& setup, const std::string& weights, const std::string& bias,
             std::size_t cols);

  MatrixView weights() const { return parameters_->values(weights_); }
  std::span<float> bias() const { return parameters_->row(*bias_); }

  // tokens x cols, which stands until the next call.
  MatrixView forward(ConstMatrixView x);
  // Adds the gradients of the parameters, and of x.
  void backward(ConstMatrixView d_y, ConstMatrixView x, MatrixView d_x);

 private:
  ParameterList* parameters_;
  std::size_t weights_;
  std::optional<std::size_t> bias_;
  std::vector<float> y_, scratch_;
};

// FoX's gates, or those of CABLE: a bias of prefix sums of one number per token and head.
class PrefixGates {
 public:
  // The parameters are called Wf and bf with the terms of FoX, Wc and bc with those of CABLE.
  PrefixGates(const PositionSetup& setup, std::size_t layer, PrefixTerm kind);

  Projection projection;

  // factor multiplies the sums.
  const ScoreModifier& forward(ConstMatrixView h, const AttentionShape& shape, bool has_gradient,
                               double factor = 1.0);
  // After a backward call: adds the gradients of the parameters, and of h.
  void backward(ConstMatrixView h, MatrixView d_h);

 private:
  PrefixTerm kind_;
  AttentionShape shape_;
  std::vector<float> gates_;
  PrefixNumbers numbers_;
  std::optional<PrefixSumBias> bias_;
};

}  // namespace ropewalk
