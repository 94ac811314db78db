// A layer of the decoder and its parts. Each part adds its parameters to the list of the model. As
// in training/layers.hpp, a backward function takes the x that its forward function was given, and
// adds to the gradients of parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attention/attention.hpp"
#include "attention/kv_cache.hpp"
#include "attention/scratch.hpp"
#include "training/decoder_options.hpp"
#include "training/position.hpp"

namespace ropewalk {

// Queries and keys by token: before the scheme, with keeps_unrotated only; and as the scheme made
// them, rotated unless it has a position map.
struct Operands {
  std::vector<float> unrotated_q, unrotated_k, q, k, v;
};

// What a layer computes in a forward pass and its backward pass reads.
struct LayerValues {
  std::vector<float> x, h, middle, h2;  // tokens x width
  Operands operands;
  std::vector<float> attended;                          // by token
  std::vector<float> results, log_sum_exp;              // by head
  std::vector<float> before, gate, activated, product;  // tokens x hidden
};

// What the blocks of a model share: the sequences of a pass, and buffers that each overwrites.
struct BlockPass {
  std::size_t batches = 0, length = 0;
  std::size_t lookback = all_keys;           // keys visible before a query's own
  const ScoreModifier* row_scale = nullptr;  // null: none
  std::span<KvCache> caches = {};            // of each layer, which the pass extends; empty: none
  bool keeps_unrotated = false;              // queries and keys as they were before the scheme
  std::size_t kept_layer = 0;                // see keeps()
  LayerValues shared;                        // of layers that do not keep theirs
  AttentionScratch scratch;
  std::vector<float> y, branch, d_h, d_hidden, d_gate, d_attended, d_by_head[4], d_q, d_k, d_v;

  std::size_t tokens() const { return batches * length; }
  // No backward pass follows one over caches: a single layer keeps its values then.
  bool keeps(std::size_t layer) const { return caches.empty() || layer == kept_layer; }
};

// y = rms_norm(x, gain), or layer_norm(x, gain, bias)
class Norm {
 public:
  // Adds its gain, and of a layer norm the bias "<gain>.b".
  Norm(ParameterList& parameters, const std::string& gain, std::size_t width,
       const DecoderOptions& options);

  void initialize();
  void forward(MatrixView y, ConstMatrixView x) const;
  // d: the gradient of y, which becomes that of x.
  void backward(MatrixView d, ConstMatrixView x) const;

 private:
  ParameterList* parameters_;
  std::size_t gain_;
  std::optional<std::size_t> bias_;
  float epsilon_;
};

// The norm of queries or of keys, in place.
class QueryKeyNorm {
 public:
  QueryKeyNorm(ParameterList& parameters, const std::string& name, std::size_t heads,
               std::size_t head_width, const DecoderOptions& options);

  void initialize();
  void forward(MatrixView x) const;

 private:
  std::vector<Norm> norms_;  // one for each head, or for all
  std::size_t width_;        // of what one of them normalizes
};

// y = activation(x W1) W2, or gated (activation(x Wg) * (x W1)) W2
class FeedForward {
 public:
  FeedForward(ParameterList& parameters, const std::string& prefix, const DecoderOptions& options);

  std::optional<Linear> gate;
  Linear up, down;

  void forward(MatrixView y, ConstMatrixView x, LayerValues& values) const;
  void backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass,
                LayerValues& values) const;

 private:
  Activation activation_;
};

// y = concat(heads of attention(x Wq, x Wk, x Wv)) Wo, causal
class Attention {
 public:
  // The position must outlive it.
  Attention(ParameterList& parameters, const std::string& prefix, const DecoderOptions& options,
            const PositionScheme& position, std::size_t layer);

  Linear query, key, value, output;
  std::optional<QueryKeyNorm> query_norm, key_norm;

  void initialize();
  void forward(MatrixView y, ConstMatrixView x, BlockPass& pass, LayerValues& values);
  void backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass,
                LayerValues& values);
  // The weights of the last forward(): batches x heads x length x keys.
  void weights(std::span<float> weights, BlockPass& pass, const LayerValues& values);

 private:
  // The call of a pass before the scheme completes it.
  AttentionCall call_of(const BlockPass& pass, const Operands& operands);

  ParameterList* parameters_;
  std::size_t heads_, key_heads_, head_width_;
  const PositionScheme* position_;
  std::size_t layer_;
  float scale_;
  double clip_;
  std::optional<Softcap> softcap_;
  std::optional<std::size_t> sinks_;
  std::vector<const ScoreModifier*> modifiers_;  // of the last call
};

//   x += attention(norm(x)),  x += feed_forward(norm(x))
// and the other forms of DecoderOptions.
class Block {
 public:
  Block(ParameterList& parameters, const DecoderOptions& options, const PositionScheme& position,
        std::size_t layer);

  // branch: a factor on the initial weights that end a branch.
  void initialize(Random& random, double branch);
  // x (tokens x width) becomes the block's output, d_x the gradient of its input.
  void forward(MatrixView x, BlockPass& pass);
  void backward(MatrixView d_x, BlockPass& pass);
  // Of the last forward() that kept the values of this layer.
  void attention_weights(std::span<float> weights, BlockPass& pass) {
    attention.weights(weights, pass, values_);
  }
  const Operands& operands() const { return values_.operands; }

  std::optional<Norm> attention_norm, attention_end_norm;
  Attention attention;
  std::optional<Norm> feed_forward_norm, feed_forward_end_norm;
  FeedForward feed_forward;

 private:
  // x becomes its sum with the result y of a branch that read h; y is overwritten.
  void add_branch(MatrixView x, MatrixView y, ConstMatrixView h, const std::optional<Norm>& norm);

  std::size_t layer_;
  NormPlace place_;
  bool keeps_norm_, is_parallel_;
  float residual_factor_;
  LayerValues values_;
};

}  // namespace ropewalk
