// Biases that a small network computes from continuous distances: the network itself, which Swin v2
// uses too (bias/windows.hpp), and FIRE.
#pragma once

#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// One hidden layer with ReLU and one output per head.
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

// FIRE: functional interpolation for relative positions (Li et al. 2024, section 3).
//
//   bias_h(m, n) = network(psi(m - n) / (psi(max(m, |multiplier * threshold|)) + eps))_h
//   psi(x) = ln(|c x| + 1)
//
// The distance is measured against the query's own position, so any length maps to [0, 1]; the
// threshold keeps early queries from being stretched. c, the multiplier and the network are
// learned. Keys after the query use |m - n|; a causal mask hides them.

struct FireOptions {
  double c = 0.1;
  double threshold = 512.0;
  double multiplier = 1.0;
  double epsilon = 1e-6;
};

// The input of the network: the distance divided by the query's position.
double fire_input(double query, double key, const FireOptions& options = {});

// bias is (heads * queries) x keys, one head after another. network takes 1 input.
// Throws std::invalid_argument on shapes that do not fit.
void fire(MatrixView bias, std::span<const double> queries, std::span<const double> keys,
          const BiasNetwork& network, const FireOptions& options = {});

// Added to; those of an empty head_bias, and of c and the threshold, stay as they are where null.
struct FireGradients {
  MatrixView hidden_weights;  // hidden x 1
  std::span<float> hidden_bias;
  MatrixView head_weights;     // heads x hidden
  std::span<float> head_bias;  // heads, or empty
  double *c = nullptr, *threshold = nullptr;
};

// The gradients of what fire() reads, given that of the bias. ReLU has the gradient 0 at 0, and
// where a query's position is the threshold, that of the threshold is the mean of both sides
// (PyTorch).
void fire_backward(const FireGradients& gradients, ConstMatrixView d_bias,
                   std::span<const double> queries, std::span<const double> keys,
                   const BiasNetwork& network, const FireOptions& options = {});

}  // namespace ropewalk
