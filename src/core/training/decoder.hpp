// A decoder-only transformer and its gradient.
//
//   x = E[token] (+ what the scheme adds at the input)
//   for each layer:  h = norm(x, g1),  x += concat(heads of attention(h Wq, h Wk, h Wv)) Wo
//                    x += activation(norm(x, g2) W1) W2
//   logits = norm(x, gf) Wout
//
// Attention is causal. DecoderOptions has the other forms of each part; its defaults are a
// pre-normalized model with RMS norms, no biases and a matrix Wout of its own.
//
// Parameters by name: E (vocabulary x width), blocks.<layer>.{g1, Wq, Wk, Wv, Wo, g2, W1, W2}, gf,
// Wout, and those of the position scheme (training/position.hpp). Other forms add blocks.<layer>.
// {Wg: of the gate; g3, g4: norms at the end of attention and of the feed-forward part; gq, gk: of
// queries and keys; sinks}, ge (norm of the embedding), Win and Wproject (embeddings of another
// width). A bias is "<name>.b". Wq to Wo, Wg, W1 and W2 decay.
#pragma once

#include <optional>
#include <vector>

#include "training/block.hpp"
#include "training/sampling.hpp"

namespace ropewalk {

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
  // Of each layer, from Decoder::caches(): the sequences continue those of the caches, which then
  // have them too. Only for given positions.
  std::span<KvCache> caches = {};
  std::size_t last_rows = all_keys;  // logits of so many last tokens alone; of one sequence
  std::size_t kept_layer = 0;        // over caches: that of attention_weights() and operands()
  bool keeps_unrotated = false;      // for operands()

  bool is_training() const {
    return rotary.is_training() && lookback == all_keys && row_scale.empty() && caches.empty() &&
           last_rows == all_keys;
  }
};

class Decoder {
 public:
  // Adds its parameters to the list, which must outlive it.
  // Throws std::invalid_argument on sizes of 0, heads that do not divide the width unless a head
  // has a width of its own, key heads that do not divide heads, and forms that exclude each other.
  Decoder(const DecoderOptions& options, ParameterList& parameters);

  // Matrices are normal with variance 1 / rows, those that end a branch also divided by
  // sqrt(2 layers); E has deviation 0.5, gains are 1.
  void initialize(Random& random);
  std::size_t heads() const { return options_.heads; }
  std::size_t vocabulary() const { return options_.vocabulary; }
  const DecoderOptions& options() const { return options_; }

  // Positions for each layer in place of the model's own; drops_input: also at the input.
  void give_positions(std::span<const GivenPosition> layers, bool drops_input) {
    position_.give(layers, drops_input);
  }
  // Empty caches of all layers for texts of up to `capacity` tokens.
  std::vector<KvCache> caches(std::size_t capacity) const;

  // Returns the logits (batches * length x vocabulary), valid until the next call.
  // Throws std::invalid_argument on tokens outside the vocabulary or beyond a cache's capacity.
  MatrixView forward(const Sequences& sequences, const DecoderUse& use = {});
  // Appends `count` tokens, each chosen by sample() after those before it. Row i of probabilities
  // (count x vocabulary) is the softmax at that place, at temperature 1. use.row_scale has one
  // factor per place of the whole text.
  void generate(std::vector<std::uint32_t>& tokens, std::size_t count, const DecoderUse& use,
                MatrixView probabilities, const Sampling& sampling = {}, Random random = Random(0));
  // Adds the gradients of the parameters, given that of the logits of the last forward().
  // Throws std::invalid_argument on another shape than that of the logits, and unless that
  // forward() used the model as in training; and as require_gradients().
  void backward(ConstMatrixView d_logits);
  // Throws std::invalid_argument where parameters are not floats, and for a form without a
  // gradient, which it names: norms other than before a part, norms of queries and keys, parallel
  // layers, factors, caps and sinks, the exact form of gelu, relu, embeddings with a norm or of
  // another width.
  void require_gradients() const;

  // Weights of one layer for a text of this length. Throws std::invalid_argument on more than
  // memory holds.
  std::size_t weight_count(std::size_t length) const;
  // The weights of one layer's attention for the last forward(), into batches x heads x length x
  // keys: as many keys as tokens, with those of its caches. Throws std::invalid_argument on a layer
  // that forward() did not keep.
  void attention_weights(std::size_t layer, std::span<float> weights);
  // Queries and keys of one layer in the last forward(); throws as attention_weights() does.
  const Operands& operands(std::size_t layer) const;

 private:
  void require_kept(std::size_t layer) const;
  // Rows of x for ids_, without what the scheme adds.
  MatrixView embed(std::size_t tokens);
  MatrixView logits_of(ConstMatrixView x);

  DecoderOptions options_;
  ParameterList& parameters_;
  std::size_t embedding_;
  PositionScheme position_;
  std::optional<Norm> embedding_norm_;
  std::optional<Linear> project_in_;
  std::vector<Block> blocks_;
  std::optional<Norm> final_norm_;
  std::optional<Linear> project_out_;
  std::optional<Linear> head_;

  BlockPass pass_;
  bool has_training_use_ = true;  // of the last forward()
  std::vector<std::uint32_t> ids_;
  std::vector<float> row_scale_values_;
  std::optional<RowScale> row_scale_;
  std::vector<float> embedded_, x_, normalized_, projected_, logits_, d_x_;
};

}  // namespace ropewalk
