#include "training/decoder.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/require.hpp"
#include "kernels/softmax.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"

namespace ropewalk {
namespace {

DecoderOptions completed(DecoderOptions options) {
  require(options.vocabulary > 0 && options.width > 0 && options.layers > 0 && options.heads > 0,
          "decoder: vocabulary, width, layers and heads must be at least 1, got ",
          options.vocabulary, ", ", options.width, ", ", options.layers, " and ", options.heads);
  require(options.width % options.heads == 0, "decoder: width must be a multiple of heads, got ",
          options.width, " and ", options.heads);
  if (options.hidden == 0) options.hidden = 4 * options.width;
  return options;
}

std::vector<Block> make_blocks(ParameterList& parameters, const DecoderOptions& options,
                               const PositionScheme& position) {
  std::vector<Block> blocks;
  for (std::size_t l = 0; l < options.layers; ++l) {
    blocks.emplace_back(
        parameters, layer_prefix(l),
        BlockOptions{options.width, options.hidden, options.heads, options.norm_epsilon},
        position.layer(l));
  }
  return blocks;
}

}  // namespace

Decoder::Decoder(const DecoderOptions& options, ParameterList& parameters)
    : options_(completed(options)),
      parameters_(parameters),
      embedding_(parameters.add("E", options_.vocabulary, options_.width)),
      position_(options_.position, {options_.width, options_.heads, options_.layers}, parameters),
      blocks_(make_blocks(parameters, options_, position_)),
      final_norm_(parameters, "gf", options_.width, options_.norm_epsilon),
      head_(parameters, {"Wout"}, options_.width, options_.vocabulary) {}

void Decoder::initialize(Random& random) {
  fill_normal(parameters_.values(embedding_), random, 0.5);
  const double branch = 1.0 / std::sqrt(2.0 * static_cast<double>(blocks_.size()));
  for (Block& block : blocks_) block.initialize(random, branch);
  final_norm_.initialize();
  head_.initialize(random);
  position_.initialize(random);
}

MatrixView Decoder::forward(const Sequences& sequences, const DecoderUse& use) {
  const std::size_t tokens = sequences.batches * sequences.length;
  require(sequences.tokens.size() == tokens, "decoder: tokens must have ", tokens, " values, got ",
          sequences.tokens.size());
  pass_.batches = sequences.batches;
  pass_.length = sequences.length;
  pass_.lookback = use.lookback;
  has_training_use_ = use.is_training();
  ids_.assign(sequences.tokens.begin(), sequences.tokens.end());
  row_scale_values_.assign(use.row_scale.begin(), use.row_scale.end());
  pass_.row_scale = nullptr;
  if (!row_scale_values_.empty())
    pass_.row_scale = &row_scale_.emplace(RowLists<float>{row_scale_values_});
  position_.begin(sequences.batches, sequences.length, sequences.positions, use.rotary);

  const MatrixView x = resized(x_, tokens, options_.width);
  const MatrixView normalized = resized(normalized_, tokens, options_.width);
  const MatrixView logits = resized(logits_, tokens, options_.vocabulary);
  embedding_forward(x, parameters_.values(embedding_), ids_);
  if (position_.input()) position_.input()->forward(x);
  for (Block& block : blocks_) block.forward(x, pass_);
  final_norm_.forward(normalized, x);
  head_.forward(logits, normalized);
  return logits;
}

void Decoder::generate(std::vector<std::uint32_t>& tokens, std::size_t count, const DecoderUse& use,
                       MatrixView probabilities) {
  require(!tokens.empty(), "decoder: tokens must have at least 1 value to continue, got 0");
  for (std::size_t i = 0; i < count; ++i) {
    DecoderUse so_far = use;
    so_far.row_scale = use.row_scale.first(std::min(use.row_scale.size(), tokens.size()));
    const MatrixView logits = forward({1, tokens.size(), tokens}, so_far);
    const std::span<float> last = logits.row(tokens.size() - 1);
    tokens.push_back(static_cast<std::uint32_t>(std::ranges::max_element(last) - last.begin()));
    SoftmaxState state;
    softmax_step(state, last);
    std::ranges::transform(last, probabilities.row(i).begin(),
                           [&](float exponential) { return exponential / state.sum; });
  }
}

void Decoder::backward(ConstMatrixView d_logits) {
  const std::size_t tokens = pass_.tokens();
  require_shape("decoder: gradient of the logits", d_logits, tokens, options_.vocabulary);
  require(has_training_use_, "decoder: use must be that of training for a backward pass");
  const MatrixView d_x = resized(d_x_, tokens, options_.width);
  // logits = norm(x) Wout
  head_.backward(d_x, d_logits, resized(normalized_, tokens, options_.width));
  final_norm_.backward(d_x, resized(x_, tokens, options_.width));
  for (std::size_t l = blocks_.size(); l-- > 0;) blocks_[l].backward(d_x, pass_);
  // x = E[token] (+ what the scheme adds)
  if (position_.input()) position_.input()->backward(d_x);
  embedding_backward(parameters_.gradients(embedding_), d_x, ids_);
}

void Decoder::attention_weights(std::size_t layer, std::span<float> weights) {
  require(layer < blocks_.size(), "decoder: layer must be below ", blocks_.size(), ", got ", layer);
  const std::size_t count = pass_.tokens() * options_.heads * pass_.length;
  require(weights.size() == count, "decoder: weights must have ", count, " values, got ",
          weights.size());
  blocks_[layer].attention.weights(weights, pass_);
}

}  // namespace ropewalk
