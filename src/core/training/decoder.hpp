// A small decoder-only transformer with pre-normalization, and its gradient.
//
//   x = E[token] (+ what the scheme adds at the input)
//   for each layer:  h = rms_norm(x, g1),  x += concat(heads of attention(h Wq, h Wk, h Wv)) Wo
//                    x += gelu(rms_norm(x, g2) W1) W2
//   logits = rms_norm(x, gf) Wout
//
// Attention is causal, with scale 1 / sqrt(head width). Weights are in x out and act on row
// vectors; there are no biases. Parameters by name: E (vocabulary x width), blocks.<layer>.{g1, Wq,
// Wk, Wv, Wo, g2, W1, W2}, gf, Wout, and those of the scheme (training/position.hpp). Wq to Wo, W1
// and W2 decay.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "attention/attention.hpp"
#include "training/parameters.hpp"
#include "training/position.hpp"

namespace ropewalk {

struct DecoderOptions {
  std::size_t vocabulary = 0, width = 64, layers = 2, heads = 4;
  std::size_t hidden = 0;  // of the feed-forward layers; 0: four times the width
  float norm_epsilon = 1e-6f;
  PositionOptions position;
};

// Sequences of equal length, row by row. positions: see PositionScheme::begin().
struct Sequences {
  std::size_t batches = 0, length = 0;
  std::span<const std::uint32_t> tokens;
  std::span<const double> positions = {};
};

// How the use of a trained model differs from its training.
struct DecoderUse {
  RotaryUse rotary = {};
  std::size_t lookback = all_keys;        // keys visible before a query's own
  std::span<const float> row_scale = {};  // one more factor on the scores of each place
};

class Decoder {
 public:
  // Adds its parameters to the list, which must outlive it.
  // Throws std::invalid_argument on sizes of 0, or heads that do not divide the width.
  Decoder(const DecoderOptions& options, ParameterList& parameters);

  // Matrices are normal with variance 1 / rows, those that end a branch also divided by
  // sqrt(2 layers); E has deviation 0.5, gains are 1.
  void initialize(Random& random);
  std::size_t heads() const { return options_.heads; }
  std::size_t vocabulary() const { return options_.vocabulary; }

  // Returns the logits (batches * length x vocabulary), valid until the next call.
  // Throws std::invalid_argument on tokens outside the vocabulary.
  MatrixView forward(const Sequences& sequences, const DecoderUse& use = {});
  // Appends `count` tokens, each with the largest logit after those before it (the first of
  // equals). Row i of probabilities (count x vocabulary) is the softmax that token i was chosen
  // from. use.row_scale has one factor per place of the whole text.
  void generate(std::vector<std::uint32_t>& tokens, std::size_t count, const DecoderUse& use,
                MatrixView probabilities);
  // Adds the gradients of the parameters, given that of the logits of the last forward(), which had
  // no use of its own.
  void backward(ConstMatrixView d_logits);

  // The weights of one layer's attention for the last forward(), into batches x heads x length x
  // length.
  void attention_weights(std::size_t layer, std::span<float> weights);

 private:
  struct Block {
    std::size_t g1, wq, wk, wv, wo, g2, w1, w2;  // of the list
    // Kept for backward(); tokens x width, but for the two marked ones.
    std::vector<float> x, h, q, k, v, attended, middle, h2;
    std::vector<float> output, log_sum_exp;      // of attention, by head
    std::vector<float> before_gelu, after_gelu;  // tokens x hidden
  };

  std::size_t tokens() const { return batches_ * length_; }
  std::size_t head_width() const { return options_.width / options_.heads; }
  // Not inlined: to grow a vector takes much code.
  [[gnu::noinline]] MatrixView matrix(std::vector<float>& numbers, std::size_t cols) const;
  // Layers from a member to a member: y = x w, and the norm. Their gradients take the x that was
  // given; that of the norm replaces d.
  void project(std::vector<float>& y, std::vector<float>& x, std::size_t weights);
  void project_backward(std::vector<float>& d_x, std::size_t weights, std::vector<float>& d_y,
                        std::vector<float>& x);
  void normalize(std::vector<float>& y, std::vector<float>& x, std::size_t gain);
  void normalize_backward(std::vector<float>& d, std::size_t gain, std::vector<float>& x);

  // The call of a layer's attention before its scheme completes it.
  AttentionCall call_of(Block& block, std::size_t layer);
  // Compute one layer: x_ becomes its output, d_x_ the gradient of its input.
  void forward(Block& block, std::size_t layer);
  void backward(Block& block, std::size_t layer);
  void backward_attention(Block& block, std::size_t layer);

  DecoderOptions options_;
  ParameterList& parameters_;
  std::size_t embedding_, final_gain_, head_;
  std::vector<Block> blocks_;
  PositionScheme position_;

  std::size_t batches_ = 0, length_ = 0;
  std::vector<std::uint32_t> ids_;
  DecoderUse use_;
  std::vector<float> row_scale_values_;
  std::optional<RowScale> row_scale_;
  const ScoreModifier* row_scale_modifier_ = nullptr;
  std::vector<float> x_, normalized_, logits_;
  std::vector<float> d_x_, d_h_, d_more_, d_hidden_, d_heads_[4], d_q_, d_k_, d_v_, scratch_;
  AttentionScratch attention_scratch_;
};

}  // namespace ropewalk
