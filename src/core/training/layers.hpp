// The layers of a small transformer, each with its gradient.
//
// A matrix has one row per token. x is the input, y the output; d_ names the gradient of the loss
// with respect to a tensor. A backward function takes d_y and the inputs of its forward function;
// it writes the gradients of inputs and adds to the gradients of parameters. Matrices are separate
// unless a function says otherwise. All functions throw std::invalid_argument on shapes that do not
// fit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"
#include "kernels/quantized_rows.hpp"

namespace ropewalk {

// Linear layer without bias.   x: rows x in   w: in x out   y: rows x out
//   y = x w     d_x = d_y wT     d_w += xT d_y
// d_x.data is null where d_x is not wanted. scratch holds packed matrices: it grows, and calls can
// share it.
void linear_forward(MatrixView y, ConstMatrixView x, ConstMatrixView w,
                    std::vector<float>& scratch);
// The same with weights in fewer bits.
void linear_forward(MatrixView y, ConstMatrixView x, const ConstQuantizedRows& w,
                    std::vector<float>& scratch);
// The same with w: out x in, as PyTorch stores it.
void linear_transposed_forward(MatrixView y, ConstMatrixView x, ConstMatrixView w,
                               std::vector<float>& scratch);
void linear_transposed_forward(MatrixView y, ConstMatrixView x, const ConstQuantizedRows& w,
                               std::vector<float>& scratch);
void linear_backward(MatrixView d_x, MatrixView d_w, ConstMatrixView d_y, ConstMatrixView x,
                     ConstMatrixView w, std::vector<float>& scratch);
void linear_transposed_backward(MatrixView d_x, MatrixView d_w, ConstMatrixView d_y,
                                ConstMatrixView x, ConstMatrixView w, std::vector<float>& scratch);

// Embedding: row i of y is row ids[i] of the table.
//   d_table[ids[i]] += d_y[i], in the order of i
// Throws, before it writes, where an id has no row.
void embedding_forward(MatrixView y, ConstMatrixView table, std::span<const std::uint32_t> ids);
void embedding_forward(MatrixView y, const ConstQuantizedRows& table,
                       std::span<const std::uint32_t> ids);
void embedding_backward(MatrixView d_table, ConstMatrixView d_y,
                        std::span<const std::uint32_t> ids);

// Between two orders of the values of all heads: by token, (batches * length) x (heads * width), as
// linear layers have them; and by head, (batches, heads, length, width), as attention's results
// come. Both copy all values. The width of a head is the columns by token over the heads.
void join_heads(MatrixView by_token, std::span<const float> by_head, std::size_t heads,
                std::size_t length);
void split_heads(std::span<float> by_head, ConstMatrixView by_token, std::size_t heads,
                 std::size_t length);

// RMSNorm (Zhang and Sennrich 2019, equation 4), with epsilon as in Llama.
//   n = x r,  r = 1 / sqrt(mean(x^2) + epsilon) by row     y = n gain
//   d_x = r (a - n mean(a n)),  a = d_y gain               d_gain += sum over rows of d_y n
// y may be x, and d_x may be d_y or x.
void rms_norm_forward(MatrixView y, ConstMatrixView x, std::span<const float> gain, float epsilon);
void rms_norm_backward(MatrixView d_x, std::span<float> d_gain, ConstMatrixView d_y,
                       ConstMatrixView x, std::span<const float> gain, float epsilon);

// LayerNorm (Ba, Kiros, Hinton 2016, equation 4), with the variance divided by the width.
//   n = (x - mean(x)) r,  r = 1 / sqrt(var(x) + epsilon) by row     y = n gain + bias
//   d_x = r (a - mean(a) - n mean(a n)),  a = d_y gain
//   d_gain += sum over rows of d_y n,  d_bias += sum over rows of d_y
// y may be x, and d_x may be d_y or x.
void layer_norm_forward(MatrixView y, ConstMatrixView x, std::span<const float> gain,
                        std::span<const float> bias, float epsilon);
void layer_norm_backward(MatrixView d_x, std::span<float> d_gain, std::span<float> d_bias,
                         ConstMatrixView d_y, ConstMatrixView x, std::span<const float> gain,
                         float epsilon);

// GELU in its tanh form (Hendrycks and Gimpel 2016), element by element.
//   y = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))     d_x = d_y dy/dx
// y may be x, and d_x may be d_y or x.
void gelu_forward(MatrixView y, ConstMatrixView x);
void gelu_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x);

// A causal convolution of each column by itself, within sequences of equal length.
//   y[t] = sum over j of w[j] x[t - (taps - 1) + j]        w: taps x columns, the last tap is of t
void causal_convolution_forward(MatrixView y, ConstMatrixView x, ConstMatrixView w,
                                std::size_t length);
void causal_convolution_backward(MatrixView d_x, MatrixView d_w, ConstMatrixView d_y,
                                 ConstMatrixView x, ConstMatrixView w, std::size_t length);

// y = x / sqrt(sum of x^2 + 1e-6), row by row. d_x may be d_y.
void unit_rows_forward(MatrixView y, ConstMatrixView x);
void unit_rows_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x);

// Cross-entropy, the mean by weight: natural logarithm, one target and one weight per row.
//   loss = sum over rows of w (-ln softmax(logits)[target]) / sum of w
//   d_logits = w / (sum of w) (softmax(logits) - one_hot(target))
// A row of weight 0 does not count, whatever its logits are. Where all weights are 0, so are loss
// and d_logits. d_logits may be logits. Throws, before it writes, where a target has no column or
// a weight is negative or not finite.
double cross_entropy_forward(ConstMatrixView logits, std::span<const std::uint32_t> targets,
                             std::span<const float> weights);
void cross_entropy_backward(MatrixView d_logits, ConstMatrixView logits,
                            std::span<const std::uint32_t> targets, std::span<const float> weights);
// The loss of each row by itself, -ln softmax(logits)[target], in nats.
void token_losses(std::span<double> losses, ConstMatrixView logits,
                  std::span<const std::uint32_t> targets);

}  // namespace ropewalk
