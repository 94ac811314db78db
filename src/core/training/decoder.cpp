#include "training/decoder.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "base/require.hpp"
#include "kernels/rows.hpp"
#include "kernels/softmax.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t max_weights = std::size_t{1} << 29;  // 2 GiB

DecoderOptions completed(DecoderOptions options) {
  require(options.vocabulary > 0 && options.width > 0 && options.layers > 0 && options.heads > 0,
          "decoder: vocabulary, width, layers and heads must be at least 1, got ",
          options.vocabulary, ", ", options.width, ", ", options.layers, " and ", options.heads);
  require(options.head_width > 0 || options.width % options.heads == 0,
          "decoder: width must be a multiple of heads, got ", options.width, " and ",
          options.heads);
  if (options.hidden == 0) options.hidden = 4 * options.width;
  if (options.head_width == 0) options.head_width = options.width / options.heads;
  if (options.key_heads == 0) options.key_heads = options.heads;
  if (options.embedding_width == 0) options.embedding_width = options.width;
  require(options.heads % options.key_heads == 0,
          "decoder: heads must be a multiple of key_heads, got ", options.heads, " and ",
          options.key_heads);
  const bool is_before = options.norm_place == NormPlace::before;
  require(is_before || !options.is_parallel,
          "decoder: norm_place must be before with parallel layers");
  require(is_before || !options.keeps_norm_as_residual,
          "decoder: norm_place must be before where the norm is kept as residual");
  require(options.is_parallel || !options.shares_norm,
          "decoder: shares_norm must be false unless layers are parallel");
  return options;
}

// Schemes that learn know one head width and as many key heads as heads.
PositionOptions checked_position(const DecoderOptions& options) {
  const bool is_plain =
      options.key_heads == options.heads && options.heads * options.head_width == options.width;
  const std::vector<PositionKind> kinds = position_kinds();
  if (is_plain || options.position.kind >= kinds.size()) return options.position;
  const char* const name = kinds[options.position.kind].name;
  constexpr std::string_view fitting[] = {"none", "sinusoidal", "learned", "rope", "alibi"};
  require(std::ranges::find(fitting, name) != std::end(fitting),
          "decoder: key_heads and head_width must be left out with position ", name);
  return options.position;
}

Linear make_head(ParameterList& parameters, const DecoderOptions& options, std::size_t embedding) {
  if (options.is_tied) return {parameters, embedding};
  return {parameters,
          {"Wout", options.has_head_bias ? "Wout.b" : ""},
          options.embedding_width,
          options.vocabulary,
          false,
          options.weight_order};
}

std::vector<Block> make_blocks(ParameterList& parameters, const DecoderOptions& options,
                               const PositionScheme& position) {
  std::vector<Block> blocks;
  for (std::size_t l = 0; l < options.layers; ++l)
    blocks.emplace_back(parameters, options, position, l);
  return blocks;
}

}  // namespace

Decoder::Decoder(const DecoderOptions& options, ParameterList& parameters)
    : options_(completed(options)),
      parameters_(parameters),
      embedding_(parameters.add("E", options_.vocabulary, options_.embedding_width)),
      position_(checked_position(options_),
                {options_.width, options_.heads, options_.layers, options_.key_heads,
                 options_.head_width},
                parameters) {
  parameters.allow_quantized(embedding_);
  if (options_.has_embedding_norm)
    embedding_norm_.emplace(parameters, "ge", options_.embedding_width, options_);
  const bool is_projected = options_.embedding_width != options_.width;
  const auto project = [&](const char* name, std::size_t inputs, std::size_t outputs) {
    return Linear(parameters, {name}, inputs, outputs, false, options_.weight_order);
  };
  if (is_projected) project_in_ = project("Win", options_.embedding_width, options_.width);
  blocks_ = make_blocks(parameters, options_, position_);
  if (options_.has_final_norm) final_norm_.emplace(parameters, "gf", options_.width, options_);
  if (is_projected) project_out_ = project("Wproject", options_.width, options_.embedding_width);
  head_.emplace(make_head(parameters, options_, embedding_));
}

void Decoder::initialize(Random& random) {
  fill_normal(parameters_.values(embedding_), random, 0.5);
  const double branch = 1.0 / std::sqrt(2.0 * static_cast<double>(blocks_.size()));
  for (Block& block : blocks_) block.initialize(random, branch);
  if (final_norm_) final_norm_->initialize();
  if (!options_.is_tied) head_->initialize(random);
  position_.initialize(random);
}

std::vector<KvCache> Decoder::caches(std::size_t capacity) const {
  std::vector<KvCache> all;
  for (std::size_t l = 0; l < options_.layers; ++l)
    all.emplace_back(
        KvCacheShape{1, options_.key_heads, options_.head_width, options_.head_width, capacity},
        std::nullopt, std::nullopt);
  return all;
}

MatrixView Decoder::forward(const Sequences& sequences, const DecoderUse& use) {
  const std::size_t tokens = sequences.batches * sequences.length;
  require(sequences.tokens.size() == tokens, "decoder: tokens must have ", tokens, " values, got ",
          sequences.tokens.size());
  const std::size_t past = use.caches.empty() ? 0 : use.caches[0].length();
  if (!use.caches.empty()) {
    const std::size_t capacity = use.caches[0].shape().capacity;
    require(past + sequences.length <= capacity, "decoder: tokens must be at most ", capacity,
            " with those before them, got ", past + sequences.length);
  }
  require(use.last_rows == all_keys || sequences.batches == 1,
          "decoder: batches must be 1 for the logits of the last tokens, got ", sequences.batches);
  pass_.batches = sequences.batches;
  pass_.length = sequences.length;
  pass_.lookback = use.lookback;
  pass_.caches = use.caches;
  pass_.kept_layer = use.kept_layer;
  pass_.keeps_unrotated = use.keeps_unrotated;
  has_training_use_ = use.is_training();
  ids_.assign(sequences.tokens.begin(), sequences.tokens.end());
  row_scale_values_.assign(use.row_scale.begin(), use.row_scale.end());
  pass_.row_scale = nullptr;
  if (!row_scale_values_.empty())
    pass_.row_scale = &row_scale_.emplace(RowLists<float>{row_scale_values_});
  position_.begin(sequences.batches, sequences.length, sequences.positions, use.rotary, past);

  const MatrixView x = embed(tokens);
  if (position_.input()) position_.input()->forward(x);
  for (Block& block : blocks_) block.forward(x, pass_);
  const std::size_t first = tokens - std::min(tokens, use.last_rows);
  return logits_of({x.row(first).data(), tokens - first, x.cols});
}

MatrixView Decoder::embed(std::size_t tokens) {
  const MatrixView x = resized(x_, tokens, options_.width);
  const MatrixView embedded =
      project_in_ ? resized(embedded_, tokens, options_.embedding_width) : x;
  if (const auto rows = parameters_.quantized(embedding_))
    embedding_forward(embedded, *rows, ids_);
  else
    embedding_forward(embedded, parameters_.values(embedding_), ids_);
  if (options_.embedding_factor != 1.0)
    scale(all_of(embedded), static_cast<float>(options_.embedding_factor));
  if (embedding_norm_) embedding_norm_->forward(embedded, embedded);
  if (project_in_) project_in_->forward(x, embedded);
  return x;
}

MatrixView Decoder::logits_of(ConstMatrixView x) {
  ConstMatrixView last = x;
  if (final_norm_) {
    final_norm_->forward(resized(normalized_, x.rows, x.cols), x);
    last = {normalized_.data(), x.rows, x.cols};
  }
  if (project_out_) {
    project_out_->forward(resized(projected_, x.rows, options_.embedding_width), last);
    last = {projected_.data(), x.rows, options_.embedding_width};
  }
  const MatrixView logits = resized(logits_, x.rows, options_.vocabulary);
  head_->forward(logits, last);
  if (options_.logit_factor != 1.0)
    scale(all_of(logits), static_cast<float>(options_.logit_factor));
  if (options_.logit_cap != 0.0) softcap(all_of(logits), static_cast<float>(options_.logit_cap));
  return logits;
}

void Decoder::generate(std::vector<std::uint32_t>& tokens, std::size_t count, const DecoderUse& use,
                       MatrixView probabilities, const Sampling& sampling, Random random) {
  require(!tokens.empty(), "decoder: tokens must have at least 1 value to continue, got 0");
  for (std::size_t i = 0; i < count; ++i) {
    DecoderUse so_far = use;
    so_far.row_scale = use.row_scale.first(std::min(use.row_scale.size(), tokens.size()));
    const MatrixView logits = forward({1, tokens.size(), tokens}, so_far);
    const std::span<float> last = logits.row(tokens.size() - 1);
    tokens.push_back(static_cast<std::uint32_t>(sample(last, sampling, random)));
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
  require_gradients();
  const MatrixView d_x = resized(d_x_, tokens, options_.width);
  // logits = norm(x) Wout
  head_->backward(d_x, d_logits, resized(normalized_, tokens, options_.width));
  final_norm_->backward(d_x, resized(x_, tokens, options_.width));
  for (std::size_t l = blocks_.size(); l-- > 0;) blocks_[l].backward(d_x, pass_);
  // x = E[token] (+ what the scheme adds)
  if (position_.input()) position_.input()->backward(d_x);
  embedding_backward(parameters_.gradients(embedding_), d_x, ids_);
}

void Decoder::require_gradients() const {
  const auto need = [](bool condition, const char* rule) {
    require(condition, "decoder: ", rule, " for a backward pass");
  };
  need(parameters_.has_floats_only(), "precision must be float32");
  need(options_.norm_place == NormPlace::before, "norm_place must be before");
  need(!options_.keeps_norm_as_residual, "keeps_norm_as_residual must be false");
  need(options_.query_key_norm == HeadNorm::none, "query_key_norm must be none");
  need(!options_.is_parallel, "is_parallel must be false");
  need(!options_.has_sinks, "has_sinks must be false");
  need(
      options_.score_cap == 0.0 && options_.logit_cap == 0.0 && options_.query_key_value_cap == 0.0,
      "caps must be 0");
  need(options_.residual_factor == 1.0 && options_.embedding_factor == 1.0 &&
           options_.logit_factor == 1.0,
       "factors must be 1");
  need(options_.activation == Activation::silu || options_.activation == Activation::gelu_tanh,
       "activation must be silu or the tanh form of gelu");
  need(options_.has_final_norm, "has_final_norm must be true");
  need(!options_.has_embedding_norm && options_.embedding_width == options_.width,
       "embeddings must have the width of the model and no norm");
}

void Decoder::require_kept(std::size_t layer) const {
  require(layer < blocks_.size(), "decoder: layer must be below ", blocks_.size(), ", got ", layer);
  require(pass_.keeps(layer), "decoder: layer must be ", pass_.kept_layer,
          ", whose values were kept, got ", layer);
}

std::size_t Decoder::weight_count(std::size_t length) const {
  const double count = double(options_.heads) * double(length) * double(length);
  require(count < double(max_weights), "decoder: tokens must have fewer than ", max_weights,
          " attention weights in a layer, got ", count);
  return static_cast<std::size_t>(count);
}

void Decoder::attention_weights(std::size_t layer, std::span<float> weights) {
  require_kept(layer);
  const std::size_t keys = pass_.caches.empty() ? pass_.length : pass_.caches[layer].length();
  const std::size_t count = pass_.tokens() * options_.heads * keys;
  require(weights.size() == count, "decoder: weights must have ", count, " values, got ",
          weights.size());
  blocks_[layer].attention_weights(weights, pass_);
}

const Operands& Decoder::operands(std::size_t layer) const {
  require_kept(layer);
  return blocks_[layer].operands();
}

}  // namespace ropewalk
