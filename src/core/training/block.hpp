// A layer of the decoder and its parts. Each part adds its parameters to the list of the model, and
// keeps of a forward pass what its backward pass needs. As in training/layers.hpp, a backward
// function takes the x that its forward function was given, and adds to the gradients of
// parameters.
#pragma once

#include <string>
#include <vector>

#include "attention/attention.hpp"
#include "attention/scratch.hpp"
#include "training/linear.hpp"
#include "training/position.hpp"

namespace ropewalk {

struct BlockOptions {
  std::size_t width, hidden, heads;
  float norm_epsilon;
};

// What the blocks of a model share: the sequences of a pass, and buffers that each overwrites.
struct BlockPass {
  std::size_t batches = 0, length = 0;
  std::size_t lookback = all_keys;           // keys visible before a query's own
  const ScoreModifier* row_scale = nullptr;  // null: none
  AttentionScratch scratch;
  std::vector<float> y, d_h, d_hidden, d_by_head[4], d_q, d_k, d_v;

  std::size_t tokens() const { return batches * length; }
};

// y = rms_norm(x, gain)
class Norm {
 public:
  Norm(ParameterList& parameters, const std::string& gain, std::size_t width, float epsilon)
      : parameters_(&parameters), gain_(parameters.add(gain, 1, width)), epsilon_(epsilon) {}

  void initialize();
  void forward(MatrixView y, ConstMatrixView x) const;
  // d: the gradient of y, which becomes that of x.
  void backward(MatrixView d, ConstMatrixView x) const;

 private:
  ParameterList* parameters_;
  std::size_t gain_;
  float epsilon_;
};

// y = gelu(x W1) W2
class FeedForward {
 public:
  FeedForward(ParameterList& parameters, const std::string& prefix, const BlockOptions& options);

  Linear up, down;

  void forward(MatrixView y, ConstMatrixView x);
  void backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass) const;

 private:
  MatrixView before_gelu_;  // in `up`
  std::vector<float> after_gelu_;
};

// y = concat(heads of attention(x Wq, x Wk, x Wv)) Wo, causal, with scale 1 / sqrt(head width)
class Attention {
 public:
  // The scheme must outlive it.
  Attention(ParameterList& parameters, const std::string& prefix, const BlockOptions& options,
            LayerScheme& scheme);

  Linear query, key, value, output;

  void forward(MatrixView y, ConstMatrixView x, BlockPass& pass);
  void backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass);
  // The weights of the last forward(): batches x heads x length x length.
  void weights(std::span<float> weights, BlockPass& pass);

 private:
  // The call of a pass before the scheme completes it.
  AttentionCall call_of(const BlockPass& pass) const;

  std::size_t heads_, head_width_;
  LayerScheme* scheme_;
  std::vector<float> q_, k_, v_, attended_;   // by token
  std::vector<float> results_, log_sum_exp_;  // by head
};

//   x += attention(norm(x)),  x += feed_forward(norm(x))
class Block {
 public:
  Block(ParameterList& parameters, const std::string& prefix, const BlockOptions& options,
        LayerScheme& scheme);

  // branch: a factor on the initial weights that end a branch.
  void initialize(Random& random, double branch);
  // x (tokens x width) becomes the block's output, d_x the gradient of its input.
  void forward(MatrixView x, BlockPass& pass);
  void backward(MatrixView d_x, BlockPass& pass);

  Norm attention_norm;
  Attention attention;
  Norm feed_forward_norm;
  FeedForward feed_forward;

 private:
  std::vector<float> x_, h_, middle_, h2_;  // tokens x width
};

}  // namespace ropewalk
