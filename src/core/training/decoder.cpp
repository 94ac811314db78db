#include "training/decoder.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "attention/backward.hpp"
#include "attention/temperature.hpp"
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

}  // namespace

Decoder::Decoder(const DecoderOptions& options, ParameterList& parameters)
    : options_(completed(options)),
      parameters_(parameters),
      embedding_(parameters.add("E", options_.vocabulary, options_.width)),
      blocks_(options_.layers),
      position_(options_.position, {options_.width, options_.heads, options_.layers}, parameters) {
  const std::size_t width = options_.width, hidden = options_.hidden;
  for (std::size_t l = 0; l < blocks_.size(); ++l) {
    Block& block = blocks_[l];
    const std::string prefix = layer_prefix(l);
    const auto add = [&](const char* name, std::size_t rows, std::size_t cols) {
      return parameters.add(prefix + name, rows, cols, rows > 1);
    };
    block.g1 = add("g1", 1, width);
    block.wq = add("Wq", width, width);
    block.wk = add("Wk", width, width);
    block.wv = add("Wv", width, width);
    block.wo = add("Wo", width, width);
    block.g2 = add("g2", 1, width);
    block.w1 = add("W1", width, hidden);
    block.w2 = add("W2", hidden, width);
  }
  final_gain_ = parameters.add("gf", 1, width);
  head_ = parameters.add("Wout", width, options_.vocabulary);
}

void Decoder::initialize(Random& random) {
  const auto fill = [&](std::size_t index, double deviation) {
    for (float& value : all_of(parameters_.values(index)))
      value = static_cast<float>(deviation * random.normal());
  };
  const auto fill_matrix = [&](std::size_t index, double factor = 1.0) {
    fill(index, factor / std::sqrt(static_cast<double>(parameters_.values(index).rows)));
  };
  const double branch = 1.0 / std::sqrt(2.0 * static_cast<double>(blocks_.size()));
  fill(embedding_, 0.5);
  for (const Block& block : blocks_) {
    for (const std::size_t gain : {block.g1, block.g2})
      std::ranges::fill(parameters_.row(gain), 1.0f);
    for (const std::size_t weights : {block.wq, block.wk, block.wv, block.w1}) fill_matrix(weights);
    fill_matrix(block.wo, branch);
    fill_matrix(block.w2, branch);
  }
  std::ranges::fill(parameters_.row(final_gain_), 1.0f);
  fill_matrix(head_);
  position_.initialize(random);
}

MatrixView Decoder::matrix(std::vector<float>& numbers, std::size_t cols) const {
  numbers.resize(tokens() * cols);
  return {numbers.data(), tokens(), cols};
}

MatrixView Decoder::forward(const Sequences& sequences, const DecoderUse& use) {
  batches_ = sequences.batches;
  length_ = sequences.length;
  require(sequences.tokens.size() == tokens(), "decoder: tokens must have ", tokens(),
          " values, got ", sequences.tokens.size());
  ids_.assign(sequences.tokens.begin(), sequences.tokens.end());
  use_ = use;
  row_scale_values_.assign(use.row_scale.begin(), use.row_scale.end());
  row_scale_.reset();
  if (!row_scale_values_.empty()) {
    row_scale_modifier_ =
        &row_scale_.emplace(row_scale_values_, BroadcastShape({1, 1, length_, 1}));
  }
  position_.begin(batches_, length_, sequences.positions, use.rotary);

  const MatrixView x = matrix(x_, options_.width);
  embedding_forward(x, parameters_.values(embedding_), ids_);
  if (position_.input()) position_.input()->forward(x);
  for (std::size_t l = 0; l < blocks_.size(); ++l) forward(blocks_[l], l);
  normalize(normalized_, x_, final_gain_);
  project(logits_, normalized_, head_);
  return matrix(logits_, options_.vocabulary);
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

void Decoder::project(std::vector<float>& y, std::vector<float>& x, std::size_t weights) {
  const MatrixView w = parameters_.values(weights);
  linear_forward(matrix(y, w.cols), matrix(x, w.rows), w, scratch_);
}

void Decoder::project_backward(std::vector<float>& d_x, std::size_t weights,
                               std::vector<float>& d_y, std::vector<float>& x) {
  const MatrixView w = parameters_.values(weights);
  linear_backward(matrix(d_x, w.rows), parameters_.gradients(weights), matrix(d_y, w.cols),
                  matrix(x, w.rows), w, scratch_);
}

void Decoder::normalize(std::vector<float>& y, std::vector<float>& x, std::size_t gain) {
  rms_norm_forward(matrix(y, options_.width), matrix(x, options_.width), parameters_.row(gain),
                   options_.norm_epsilon);
}

void Decoder::normalize_backward(std::vector<float>& d, std::size_t gain, std::vector<float>& x) {
  const MatrixView d_x = matrix(d, options_.width);
  rms_norm_backward(d_x, parameters_.gradients(gain).row(0), d_x, matrix(x, options_.width),
                    parameters_.row(gain), options_.norm_epsilon);
}

AttentionCall Decoder::call_of(Block& block, std::size_t layer) {
  const std::size_t heads = options_.heads;
  const std::size_t score_width = position_.layer(layer).score_width();
  const auto heads_of = [&](std::vector<float>& numbers, std::size_t own_width) {
    return HeadsView{numbers.data(), length_ * heads * own_width, own_width, heads * own_width};
  };
  AttentionCall call;
  call.shape = {batches_, heads, heads, length_, length_, score_width, head_width()};
  call.q = heads_of(block.q, score_width);
  call.k = heads_of(block.k, score_width);
  call.v = heads_of(block.v, head_width());
  call.scale = default_scale(head_width());
  call.band = {.lookback = use_.lookback, .lookahead = 0};
  if (row_scale_) call.modifiers = {&row_scale_modifier_, 1};
  return call;
}

void Decoder::forward(Block& block, std::size_t layer) {
  const std::size_t width = options_.width, hidden = options_.hidden;
  block.x.assign(x_.begin(), x_.end());
  normalize(block.h, x_, block.g1);
  project(block.q, block.h, block.wq);
  project(block.k, block.h, block.wk);
  project(block.v, block.h, block.wv);
  LayerScheme& scheme = position_.layer(layer);
  const MatrixView h = matrix(block.h, width);
  scheme.transform({block.q, block.k}, h);

  block.output.resize(tokens() * width);
  block.log_sum_exp.resize(tokens() * options_.heads);
  AttentionCall call = call_of(block, layer);
  scheme.prepare(call, h);
  scheme.attach(call, nullptr);
  attend(call,
         {.output = block.output.data(),
          .log_sum_exp = call.weighting ? nullptr : block.log_sum_exp.data()},
         attention_scratch_);
  join_heads(matrix(block.attended, width), block.output, options_.heads, length_);
  project(d_x_, block.attended, block.wo);
  add(x_, d_x_);

  block.middle.assign(x_.begin(), x_.end());
  normalize(block.h2, x_, block.g2);
  project(block.before_gelu, block.h2, block.w1);
  gelu_forward(matrix(block.after_gelu, hidden), matrix(block.before_gelu, hidden));
  project(d_x_, block.after_gelu, block.w2);
  add(x_, d_x_);
}

void Decoder::backward(ConstMatrixView d_logits) {
  const MatrixView d_x = matrix(d_x_, options_.width);
  linear_backward(d_x, parameters_.gradients(head_), d_logits, matrix(normalized_, options_.width),
                  parameters_.values(head_), scratch_);
  normalize_backward(d_x_, final_gain_, x_);
  for (std::size_t l = blocks_.size(); l-- > 0;) backward(blocks_[l], l);
  if (position_.input()) position_.input()->backward(d_x);
  embedding_backward(parameters_.gradients(embedding_), d_x, ids_);
}

void Decoder::backward(Block& block, std::size_t layer) {
  project_backward(d_hidden_, block.w2, d_x_, block.after_gelu);
  const MatrixView d_hidden = matrix(d_hidden_, options_.hidden);
  gelu_backward(d_hidden, d_hidden, matrix(block.before_gelu, options_.hidden));
  project_backward(d_h_, block.w1, d_hidden_, block.h2);
  normalize_backward(d_h_, block.g2, block.middle);
  add(d_x_, d_h_);

  project_backward(d_h_, block.wo, d_x_, block.attended);
  backward_attention(block, layer);
  normalize_backward(d_h_, block.g1, block.x);
  add(d_x_, d_h_);
}

// d_h_ holds the gradient of what attention returned, and receives that of its input.
void Decoder::backward_attention(Block& block, std::size_t layer) {
  const std::size_t width = options_.width, heads = options_.heads;
  LayerScheme& scheme = position_.layer(layer);
  const std::size_t score_cols = heads * scheme.score_width();
  auto& [d_q_by_head, d_k_by_head, d_v_by_head, d_output] = d_heads_;
  d_q_by_head.resize(tokens() * score_cols);
  d_k_by_head.resize(tokens() * score_cols);
  d_v_by_head.resize(tokens() * width);
  d_output.resize(tokens() * width);
  split_heads(d_output, matrix(d_h_, width), heads, length_);
  AttentionCall call = call_of(block, layer);
  scheme.attach(call, d_q_by_head.data());
  attend_backward(call, {block.output.data(), block.log_sum_exp.data(), d_output.data()},
                  {d_q_by_head.data(), d_k_by_head.data(), d_v_by_head.data()}, attention_scratch_);
  join_heads(matrix(d_q_, score_cols), d_q_by_head, heads, length_);
  join_heads(matrix(d_k_, score_cols), d_k_by_head, heads, length_);
  join_heads(matrix(d_v_, width), d_v_by_head, heads, length_);
  scheme.transform_backward({d_q_, d_k_}, {block.q, block.k});

  project_backward(d_h_, block.wq, d_q_, block.h);
  project_backward(d_more_, block.wk, d_k_, block.h);
  add(d_h_, d_more_);
  project_backward(d_more_, block.wv, d_v_, block.h);
  add(d_h_, d_more_);
  scheme.collect(matrix(block.h, width), matrix(d_h_, width));
}

void Decoder::attention_weights(std::size_t layer, std::span<float> weights) {
  require(layer < blocks_.size(), "decoder: layer must be below ", blocks_.size(), ", got ", layer);
  const std::size_t count = tokens() * options_.heads * length_;
  require(weights.size() == count, "decoder: weights must have ", count, " values, got ",
          weights.size());
  Block& block = blocks_[layer];
  std::vector<float> output(tokens() * options_.width);
  AttentionCall call = call_of(block, layer);
  position_.layer(layer).attach(call, nullptr);
  attend(call, {.output = output.data(), .weights = weights.data()}, attention_scratch_);
}

}  // namespace ropewalk
