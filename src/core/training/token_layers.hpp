// Layers that schemes with positions from the text put before their gates, each with its gradient.
// As in training/layers.hpp a backward function writes the gradient of its input and adds to those
// of parameters.
#pragma once

#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// A causal convolution of each column by itself, within sequences of equal length.
//   y[t] = sum over j of w[j] x[t - (taps - 1) + j]        w: taps x columns, the last tap is of t
void causal_convolution_forward(MatrixView y, ConstMatrixView x, ConstMatrixView w,
                                std::size_t length);
void causal_convolution_backward(MatrixView d_x, MatrixView d_w, ConstMatrixView d_y,
                                 ConstMatrixView x, ConstMatrixView w, std::size_t length);

// Of silu (kernels/activations.hpp). d_x may be d_y.
void silu_backward(std::span<float> d_x, std::span<const float> d_y, std::span<const float> x);

// y = x / sqrt(sum of x^2 + 1e-6), row by row. d_x may be d_y.
void unit_rows_forward(MatrixView y, ConstMatrixView x);
void unit_rows_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x);

}  // namespace ropewalk
