// A layer of the decoder and its parts. Each part adds its parameters to the list of the model, and
// keeps of a forward pass what its backward pass needs. As in training/layers.hpp, a backward
// function takes the x that its forward function was given, and adds to the gradients of
// parameters.
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

// What the blocks of a model share: the sequences of a pass, and buffers that each overwrites.
struct BlockPass {
  std::size_t batches = 0, length = 0;
  std::size_t lookback = all_keys;           // keys visible before a query's own
  const ScoreModifier* row_scale = nullptr;  // null: none
  std::span<KvCache> caches = {};            // of each layer, which the pass extends; empty: none
  bool keeps_unrotated = false;              // queries and keys as they were before the scheme
  AttentionScratch scratch;
  std::vector<float> y, branch, d_h, d_hidden, d_gate, d_attended, d_by_head[4], d_q, d_k, d_v;

  std::size_t tokens() const { return batches * length; }
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

  void forward(MatrixView y, ConstMatrixView x);
  void backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass) const;

 private:
  Activation activation_;
  MatrixView before_, gate_;  // in `up` and `gate`
  std::vector<float> activated_, product_;
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
  void forward(MatrixView y, ConstMatrixView x, BlockPass& pass);
  void backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass);
  // The weights of the last forward(): batches x heads x length x keys.
  void weights(std::span<float> weights, BlockPass& pass);

  // Queries and keys of a forward() by token: before the scheme, with keeps_unrotated only; and as
  // the scheme made them, rotated unless it has a position map.
  struct Operands {
    std::vector<float> unrotated_q, unrotated_k, q, k, v;
  };
  const Operands& operands() const { return operands_; }

 private:
  // The call of a pass before the scheme completes it.
  AttentionCall call_of(const BlockPass& pass);

  ParameterList* parameters_;
  std::size_t heads_, key_heads_, head_width_;
  const PositionScheme* position_;
  std::size_t layer_;
  float scale_;
  double clip_;
  std::optional<Softcap> softcap_;
  std::optional<std::size_t> sinks_;
  std::vector<const ScoreModifier*> modifiers_;  // of the last call
  Operands operands_;
  std::vector<float> attended_;               // by token
  std::vector<float> results_, log_sum_exp_;  // by head
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

  std::optional<Norm> attention_norm, attention_end_norm;
  Attention attention;
  std::optional<Norm> feed_forward_norm, feed_forward_end_norm;
  FeedForward feed_forward;

 private:
  // x becomes its sum with the result y of a branch that read h; y is overwritten.
  void add_branch(MatrixView x, MatrixView y, ConstMatrixView h, const std::optional<Norm>& norm);

  NormPlace place_;
  bool keeps_norm_, is_parallel_;
  float residual_factor_;
  std::vector<float> x_, h_, middle_, h2_;  // tokens x width
};

}  // namespace ropewalk
