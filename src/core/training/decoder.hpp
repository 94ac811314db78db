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

#include <optional>
#include <vector>

#include "training/block.hpp"

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

  bool is_training() const {
    return rotary.is_training() && lookback == all_keys && row_scale.empty();
  }
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
  // Adds the gradients of the parameters, given that of the logits of the last forward().
  // Throws std::invalid_argument on another shape than that of the logits, and unless that
  // forward() used the model as in training.
  void backward(ConstMatrixView d_logits);

  // The weights of one layer's attention for the last forward(), into batches x heads x length x
  // length.
  void attention_weights(std::size_t layer, std::span<float> weights);

 private:
  DecoderOptions options_;
  ParameterList& parameters_;
  std::size_t embedding_;
  PositionScheme position_;
  std::vector<Block> blocks_;
  Norm final_norm_;
  Linear head_;

  BlockPass pass_;
  bool has_training_use_ = true;  // of the last forward()
  std::vector<std::uint32_t> ids_;
  std::vector<float> row_scale_values_;
  std::optional<RowScale> row_scale_;
  std::vector<float> x_, normalized_, logits_, d_x_;
};

}  // namespace ropewalk
