#include "training/decoder.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "attention/backward.hpp"
#include "attention/temperature.hpp"
#include "base/require.hpp"
#include "kernels/softmax.hpp"
#include "training/layers.hpp"

namespace ropewalk {
namespace {

std::span<float> all_of(MatrixView matrix) { return {matrix.data, matrix.rows * matrix.cols}; }

// Tensors (batches, heads, length, width of a head) and (batches * length, heads * that) hold the
// same values.
void join_heads(MatrixView joined, std::span<const float> by_head, std::size_t heads,
                std::size_t length) {
  const std::size_t width = joined.cols / heads;
  for (std::size_t r = 0; r < joined.rows; ++r) {
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t from = ((r / length * heads + h) * length + r % length) * width;
      std::ranges::copy(by_head.subspan(from, width), joined.row(r).begin() + h * width);
    }
  }
}

void split_heads(std::span<float> by_head, ConstMatrixView joined, std::size_t heads,
                 std::size_t length) {
  const std::size_t width = joined.cols / heads;
  for (std::size_t r = 0; r < joined.rows; ++r) {
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t to = ((r / length * heads + h) * length + r % length) * width;
      std::ranges::copy(joined.row(r).subspan(h * width, width), by_head.begin() + to);
    }
  }
}

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
    const std::string prefix = "blocks." + std::to_string(l) + ".";
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
  if (!row_scale_values_.empty()) row_scale_.emplace(row_scale_values_);
  position_.begin(batches_, length_, sequences.positions, use.rotary);

  const MatrixView x = matrix(x_, options_.width);
  embedding_forward(x, parameters_.values(embedding_), ids_);
  position_.add_to_input(x);
  for (std::size_t l = 0; l < blocks_.size(); ++l) forward(blocks_[l], l, x);
  const MatrixView normalized = matrix(normalized_, options_.width);
  rms_norm_forward(normalized, x, parameters_.row(final_gain_), options_.norm_epsilon);
  const MatrixView logits = matrix(logits_, options_.vocabulary);
  linear_forward(logits, normalized, parameters_.values(head_), scratch_);
  return logits;
}

AttentionCall Decoder::call_of(Block& block, std::size_t layer, float* d_q) {
  const std::size_t width = options_.width;
  const auto heads_of = [&](std::vector<float>& numbers) {
    return HeadsView{numbers.data(), length_ * width, head_width(), width};
  };
  AttentionCall call;
  call.shape = {batches_, options_.heads, options_.heads, length_,
                length_,  head_width(),   head_width()};
  call.q = heads_of(block.q);
  call.k = heads_of(block.k);
  call.v = heads_of(block.v);
  call.scale = default_scale(head_width());
  call.band = {.lookback = use_.lookback, .lookahead = 0};
  position_.attach(call, layer, matrix(block.h, width), d_q);
  if (row_scale_) {
    modifiers_.assign(1, &*row_scale_);
    modifiers_.insert(modifiers_.end(), call.modifiers.begin(), call.modifiers.end());
    call.modifiers = modifiers_;
  }
  return call;
}

void Decoder::forward(Block& block, std::size_t layer, MatrixView x) {
  const std::size_t width = options_.width, hidden = options_.hidden;
  block.x.assign(x_.begin(), x_.end());
  const MatrixView h = matrix(block.h, width);
  rms_norm_forward(h, x, parameters_.row(block.g1), options_.norm_epsilon);
  const MatrixView q = matrix(block.q, width), k = matrix(block.k, width);
  linear_forward(q, h, parameters_.values(block.wq), scratch_);
  linear_forward(k, h, parameters_.values(block.wk), scratch_);
  linear_forward(matrix(block.v, width), h, parameters_.values(block.wv), scratch_);
  position_.rotate(q, k);

  block.output.resize(tokens() * width);
  block.log_sum_exp.resize(tokens() * options_.heads);
  attend(call_of(block, layer, nullptr),
         {.output = block.output.data(), .log_sum_exp = block.log_sum_exp.data()},
         attention_scratch_);
  const MatrixView attended = matrix(block.attended, width);
  join_heads(attended, block.output, options_.heads, length_);
  const MatrixView added = matrix(d_x_, width);
  linear_forward(added, attended, parameters_.values(block.wo), scratch_);
  add(all_of(x), all_of(added));

  block.middle.assign(x_.begin(), x_.end());
  const MatrixView h2 = matrix(block.h2, width);
  rms_norm_forward(h2, x, parameters_.row(block.g2), options_.norm_epsilon);
  const MatrixView before = matrix(block.before_gelu, hidden);
  const MatrixView after = matrix(block.after_gelu, hidden);
  linear_forward(before, h2, parameters_.values(block.w1), scratch_);
  gelu_forward(after, before);
  linear_forward(added, after, parameters_.values(block.w2), scratch_);
  add(all_of(x), all_of(added));
}

void Decoder::backward(ConstMatrixView d_logits) {
  const MatrixView d_x = matrix(d_x_, options_.width);
  linear_backward(d_x, parameters_.gradients(head_), d_logits, matrix(normalized_, options_.width),
                  parameters_.values(head_), scratch_);
  rms_norm_backward(d_x, parameters_.gradients(final_gain_).row(0), d_x, matrix(x_, options_.width),
                    parameters_.row(final_gain_), options_.norm_epsilon);
  for (std::size_t l = blocks_.size(); l-- > 0;) backward(blocks_[l], l, d_x);
  position_.add_to_input_backward(d_x);
  embedding_backward(parameters_.gradients(embedding_), d_x, ids_);
}

void Decoder::backward(Block& block, std::size_t layer, MatrixView d_x) {
  const std::size_t width = options_.width, hidden = options_.hidden;
  const MatrixView d_hidden = matrix(d_hidden_, hidden), d_h = matrix(d_h_, width);
  linear_backward(d_hidden, parameters_.gradients(block.w2), d_x, matrix(block.after_gelu, hidden),
                  parameters_.values(block.w2), scratch_);
  gelu_backward(d_hidden, d_hidden, matrix(block.before_gelu, hidden));
  linear_backward(d_h, parameters_.gradients(block.w1), d_hidden, matrix(block.h2, width),
                  parameters_.values(block.w1), scratch_);
  rms_norm_backward(d_h, parameters_.gradients(block.g2).row(0), d_h, matrix(block.middle, width),
                    parameters_.row(block.g2), options_.norm_epsilon);
  add(all_of(d_x), all_of(d_h));

  linear_backward(d_h, parameters_.gradients(block.wo), d_x, matrix(block.attended, width),
                  parameters_.values(block.wo), scratch_);
  backward_attention(block, layer, d_h);
  rms_norm_backward(d_h, parameters_.gradients(block.g1).row(0), d_h, matrix(block.x, width),
                    parameters_.row(block.g1), options_.norm_epsilon);
  add(all_of(d_x), all_of(d_h));
}

// d_h holds the gradient of what attention returned, and receives that of its input.
void Decoder::backward_attention(Block& block, std::size_t layer, MatrixView d_h) {
  const std::size_t width = options_.width, heads = options_.heads;
  for (std::vector<float>& numbers : d_heads_) numbers.resize(tokens() * width);
  auto& [d_q_by_head, d_k_by_head, d_v_by_head, d_output] = d_heads_;
  split_heads(d_output, d_h, heads, length_);
  const AttentionCall call = call_of(block, layer, d_q_by_head.data());
  attend_backward(call, {block.output.data(), block.log_sum_exp.data(), d_output.data()},
                  {d_q_by_head.data(), d_k_by_head.data(), d_v_by_head.data()}, attention_scratch_);
  const MatrixView d_q = matrix(d_q_, width), d_k = matrix(d_k_, width), d_v = matrix(d_v_, width);
  join_heads(d_q, d_q_by_head, heads, length_);
  join_heads(d_k, d_k_by_head, heads, length_);
  join_heads(d_v, d_v_by_head, heads, length_);
  position_.rotate_backward(d_q, d_k);

  const MatrixView h = matrix(block.h, width), d_more = matrix(d_more_, width);
  const auto add_branch = [&](MatrixView to, std::size_t weights, ConstMatrixView d) {
    linear_backward(to, parameters_.gradients(weights), d, h, parameters_.values(weights),
                    scratch_);
    if (to.data != d_h.data) add(all_of(d_h), all_of(to));
  };
  add_branch(d_h, block.wq, d_q);
  add_branch(d_more, block.wk, d_k);
  add_branch(d_more, block.wv, d_v);
  position_.collect(layer, h, d_h);
}

void Decoder::attention_weights(std::size_t layer, std::span<float> weights) {
  require(layer < blocks_.size(), "decoder: layer must be below ", blocks_.size(), ", got ", layer);
  const std::size_t count = tokens() * options_.heads * length_;
  require(weights.size() == count, "decoder: weights must have ", count, " values, got ",
          weights.size());
  Block& block = blocks_[layer];
  std::vector<float> output(tokens() * options_.width);
  attend(call_of(block, layer, nullptr), {.output = output.data(), .weights = weights.data()},
         attention_scratch_);
}

}  // namespace ropewalk
