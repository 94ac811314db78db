// The small network behind a learned continuous bias: a hidden layer with ReLU, an output per head.
#pragma once

#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Weights as a linear layer stores them: outputs x inputs. An empty bias is none.
struct BiasNetwork {
  ConstMatrixView hidden_weights;      // hidden x inputs
  std::span<const float> hidden_bias;  // hidden
  ConstMatrixView head_weights;        // heads x hidden
  std::span<const float> head_bias;    // heads, or empty

  // Throws std::invalid_argument when the layers do not fit each other or `inputs`.
  void check(std::size_t inputs) const;

  // heads: one value each.
  void operator()(std::span<const double> inputs, std::span<double> heads) const;
};

}  // namespace ropewalk
