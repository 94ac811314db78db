#include "training/block.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "attention/backward.hpp"
#include "attention/temperature.hpp"
#include "kernels/activations.hpp"
#include "kernels/rows.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"

namespace ropewalk {

namespace {

// Of a linear layer whose bias, if it has one, is "<weights>.b".
Linear::Names names_of(const std::string& weights, bool has_bias) {
  return {weights, has_bias ? weights + ".b" : ""};
}

}  // namespace

Norm::Norm(ParameterList& parameters, const std::string& gain, std::size_t width,
           const DecoderOptions& options)
    : parameters_(&parameters),
      gain_(parameters.add(gain, 1, width)),
      epsilon_(options.norm_epsilon) {
  if (options.norm == NormKind::layer) bias_ = parameters.add(gain + ".b", 1, width);
}

void Norm::initialize() { std::ranges::fill(parameters_->row(gain_), 1.0f); }

void Norm::forward(MatrixView y, ConstMatrixView x) const {
  if (bias_)
    return layer_norm_forward(y, x, parameters_->row(gain_), parameters_->row(*bias_), epsilon_);
  rms_norm_forward(y, x, parameters_->row(gain_), epsilon_);
}

void Norm::backward(MatrixView d, ConstMatrixView x) const {
  const std::span<float> d_gain = parameters_->gradients(gain_).row(0);
  if (bias_)
    return layer_norm_backward(d, d_gain, parameters_->gradients(*bias_).row(0), d, x,
                               parameters_->row(gain_), epsilon_);
  rms_norm_backward(d, d_gain, d, x, parameters_->row(gain_), epsilon_);
}

QueryKeyNorm::QueryKeyNorm(ParameterList& parameters, const std::string& name, std::size_t heads,
                           std::size_t head_width, const DecoderOptions& options)
    : width_(options.query_key_norm == HeadNorm::whole ? heads * head_width : head_width) {
  const bool is_own = options.query_key_norm == HeadNorm::own;
  for (std::size_t h = 0; h < (is_own ? heads : 1); ++h)
    norms_.emplace_back(parameters, is_own ? name + "." + text_of(double(h)) : name, width_,
                        options);
}

void QueryKeyNorm::initialize() {
  for (Norm& norm : norms_) norm.initialize();
}

void QueryKeyNorm::forward(MatrixView x) const {
  for (std::size_t first = 0; first < x.cols; first += width_) {
    const MatrixView part(x.data + first, x.rows, width_, x.stride);
    norms_[first / width_ % norms_.size()].forward(part, part);
  }
}

FeedForward::FeedForward(ParameterList& parameters, const std::string& prefix,
                         const DecoderOptions& options)
    : gate(options.is_gated
               ? std::optional<Linear>(std::in_place, parameters,
                                       names_of(prefix + "Wg", options.has_feed_forward_bias),
                                       options.width, options.hidden, true, options.weight_order)
               : std::nullopt),
      up(parameters, names_of(prefix + "W1", options.has_feed_forward_bias), options.width,
         options.hidden, true, options.weight_order),
      down(parameters, names_of(prefix + "W2", options.has_feed_forward_bias), options.hidden,
           options.width, true, options.weight_order),
      activation_(options.activation) {}

namespace {

void activate(Activation activation, MatrixView y, ConstMatrixView x) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    switch (activation) {
      case Activation::gelu_tanh:
        gelu(y.row(r), x.row(r));
        break;
      case Activation::gelu:
        gelu_exact(y.row(r), x.row(r));
        break;
      case Activation::silu:
        silu(y.row(r), x.row(r));
        break;
      case Activation::relu:
        std::ranges::transform(x.row(r), y.row(r).begin(),
                               [](float value) { return value < 0.0f ? 0.0f : value; });
    }
  }
}

// d_x may be d_y.
void activate_backward(Activation activation, MatrixView d_x, ConstMatrixView d_y,
                       ConstMatrixView x) {
  if (activation == Activation::gelu_tanh) return gelu_backward(d_x, d_y, x);
  assert(activation == Activation::silu);  // Decoder::backward() rejects the others
  for (std::size_t r = 0; r < x.rows; ++r) silu_backward(d_x.row(r), d_y.row(r), x.row(r));
}

}  // namespace

void FeedForward::forward(MatrixView y, ConstMatrixView x, LayerValues& values) const {
  const auto of_hidden = [&](std::vector<float>& numbers) {
    return resized(numbers, x.rows, up.outputs());
  };
  const MatrixView before = of_hidden(values.before), activated = of_hidden(values.activated);
  up.forward(before, x);
  if (!gate) {
    activate(activation_, activated, before);
    return down.forward(y, activated);
  }
  const MatrixView gates = of_hidden(values.gate), product = of_hidden(values.product);
  gate->forward(gates, x);
  activate(activation_, activated, gates);
  multiply(all_of(product), all_of(activated), all_of(before));
  down.forward(y, product);
}

void FeedForward::backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass,
                           LayerValues& values) const {
  const auto of_hidden = [&](std::vector<float>& numbers) {
    return resized(numbers, x.rows, up.outputs());
  };
  const MatrixView d_hidden = of_hidden(pass.d_hidden), before = of_hidden(values.before);
  // y = hidden W2
  down.backward(d_hidden, d_y, of_hidden(gate ? values.product : values.activated));
  if (!gate) {
    // hidden = activation(x W1)
    activate_backward(activation_, d_hidden, d_hidden, before);
    return up.backward(d_x, d_hidden, x);
  }
  // hidden = activation(x Wg) * (x W1)
  const MatrixView d_gate = of_hidden(pass.d_gate);
  multiply(all_of(d_gate), all_of(d_hidden), all_of(before));
  activate_backward(activation_, d_gate, d_gate, of_hidden(values.gate));
  multiply(all_of(d_hidden), all_of(d_hidden), values.activated);
  up.backward(d_x, d_hidden, x);
  gate->accumulate_backward(d_x, d_gate, x);
}

Attention::Attention(ParameterList& parameters, const std::string& prefix,
                     const DecoderOptions& options, const PositionScheme& position,
                     std::size_t layer)
    : query(parameters, names_of(prefix + "Wq", options.has_query_key_value_bias), options.width,
            options.heads * options.head_width, true, options.weight_order),
      key(parameters, names_of(prefix + "Wk", options.has_query_key_value_bias), options.width,
          options.key_heads * options.head_width, true, options.weight_order),
      value(parameters, names_of(prefix + "Wv", options.has_query_key_value_bias), options.width,
            options.key_heads * options.head_width, true, options.weight_order),
      output(parameters, names_of(prefix + "Wo", options.has_output_bias),
             options.heads * options.head_width, options.width, true, options.weight_order),
      parameters_(&parameters),
      heads_(options.heads),
      key_heads_(options.key_heads),
      head_width_(options.head_width),
      position_(&position),
      layer_(layer),
      scale_(options.scale == 0.0 ? default_scale(options.head_width)
                                  : static_cast<float>(options.scale)),
      clip_(options.query_key_value_cap) {
  if (options.scales_by_layer) scale_ /= static_cast<float>(layer + 1);
  if (options.score_cap != 0.0) softcap_.emplace(static_cast<float>(options.score_cap));
  if (options.has_sinks) sinks_ = parameters.add(prefix + "sinks", 1, heads_);
  if (options.query_key_norm == HeadNorm::none) return;
  query_norm.emplace(parameters, prefix + "gq", heads_, head_width_, options);
  key_norm.emplace(parameters, prefix + "gk", key_heads_, head_width_, options);
}

void Attention::initialize() {
  for (auto* norm : {&query_norm, &key_norm})
    if (*norm) (*norm)->initialize();
}

AttentionCall Attention::call_of(const BlockPass& pass, const Operands& operands) {
  const auto heads_of = [&](const std::vector<float>& numbers, std::size_t heads,
                            std::size_t width) {
    return HeadsView{numbers.data(), pass.length * heads * width, width, heads * width};
  };
  const std::size_t score_width = position_->layer(layer_).score_width();
  AttentionCall call;
  call.shape = {pass.batches, heads_,      key_heads_, pass.length,
                pass.length,  score_width, head_width_};
  call.q = heads_of(operands.q, heads_, score_width);
  call.k = heads_of(operands.k, key_heads_, score_width);
  call.v = heads_of(operands.v, key_heads_, head_width_);
  call.scale = scale_;
  call.band = {.lookback = pass.lookback, .lookahead = 0};
  if (!pass.caches.empty()) {
    KvCache& cache = pass.caches[layer_];
    cache.attach(call);
    call.shape.keys = cache.length();
    call.ends_at_last_key = true;
  }
  if (sinks_) call.sinks = parameters_->row(*sinks_);
  modifiers_.clear();
  if (pass.row_scale) modifiers_.push_back(pass.row_scale);
  if (softcap_) modifiers_.push_back(&*softcap_);
  call.modifiers = modifiers_;
  return call;
}

void Attention::forward(MatrixView y, ConstMatrixView x, BlockPass& pass, LayerValues& values) {
  const std::size_t tokens = pass.tokens(), width = heads_ * head_width_;
  Operands& operands = values.operands;
  const MatrixView q = resized(operands.q, tokens, width),
                   k = resized(operands.k, tokens, key.outputs()),
                   v = resized(operands.v, tokens, key.outputs());
  query.forward(q, x);
  key.forward(k, x);
  value.forward(v, x);
  if (clip_ != 0.0) {
    const auto cap = static_cast<float>(clip_);
    for (auto* numbers : {&operands.q, &operands.k, &operands.v})
      for (float& number : *numbers) number = std::clamp(number, -cap, cap);
  }
  if (query_norm) query_norm->forward(q);
  if (key_norm) key_norm->forward(k);
  LayerScheme& scheme = position_->layer(layer_);
  if (pass.keeps_unrotated) {
    operands.unrotated_q = operands.q;
    operands.unrotated_k = operands.k;
  }
  scheme.transform({operands.q, operands.k}, x);
  if (!pass.caches.empty())
    pass.caches[layer_].append(operands.k, operands.v, pass.length, TokenOrder::by_token);

  AttentionCall call = call_of(pass, values.operands);
  scheme.prepare(call, x);
  scheme.attach(call, nullptr);
  values.results.resize(tokens * width);
  values.log_sum_exp.resize(tokens * heads_);
  // Only a backward pass reads the log-sum-exp, and none follows a pass over caches.
  const bool keeps_sums = !call.weighting && pass.caches.empty();
  attend(call,
         {.output = values.results.data(),
          .log_sum_exp = keeps_sums ? values.log_sum_exp.data() : nullptr},
         pass.scratch);
  const MatrixView attended = resized(values.attended, tokens, width);
  join_heads(attended, values.results, heads_, pass.length);
  output.forward(y, attended);
}

void Attention::backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass,
                         LayerValues& values) {
  LayerScheme& scheme = position_->layer(layer_);
  const std::size_t tokens = pass.tokens(), width = heads_ * head_width_,
                    key_width = key_heads_ * head_width_, score_width = scheme.score_width();
  auto& [d_q_by_head, d_k_by_head, d_v_by_head, d_results] = pass.d_by_head;
  d_q_by_head.resize(tokens * heads_ * score_width);
  d_k_by_head.resize(tokens * key_heads_ * score_width);
  d_v_by_head.resize(tokens * key_width);
  d_results.resize(tokens * width);
  // y = attended Wo
  const MatrixView d_attended = resized(pass.d_attended, tokens, width);
  output.backward(d_attended, d_y, {values.attended.data(), tokens, width});
  split_heads(d_results, d_attended, heads_, pass.length);
  // attended = heads of attention(q, k, v)
  AttentionCall call = call_of(pass, values.operands);
  scheme.attach(call, d_q_by_head.data());
  attend_backward(call, {values.results.data(), values.log_sum_exp.data(), d_results.data()},
                  {d_q_by_head.data(), d_k_by_head.data(), d_v_by_head.data()}, pass.scratch);
  join_heads(resized(pass.d_q, tokens, heads_ * score_width), d_q_by_head, heads_, pass.length);
  join_heads(resized(pass.d_k, tokens, key_heads_ * score_width), d_k_by_head, key_heads_,
             pass.length);
  join_heads(resized(pass.d_v, tokens, key_width), d_v_by_head, key_heads_, pass.length);
  scheme.transform_backward({pass.d_q, pass.d_k}, {values.operands.q, values.operands.k});
  // q = x Wq, k = x Wk, v = x Wv
  query.backward(d_x, {pass.d_q.data(), tokens, width}, x);
  key.accumulate_backward(d_x, {pass.d_k.data(), tokens, key_width}, x);
  value.accumulate_backward(d_x, {pass.d_v.data(), tokens, key_width}, x);
  scheme.collect(x, d_x);
}

void Attention::weights(std::span<float> weights, BlockPass& pass, const LayerValues& values) {
  std::vector<float> results(values.results.size());
  AttentionCall call = call_of(pass, values.operands);
  position_->layer(layer_).attach(call, nullptr);
  attend(call, {.output = results.data(), .weights = weights.data()}, pass.scratch);
}

namespace {

std::optional<Norm> norm_if(bool wanted, ParameterList& parameters, const std::string& gain,
                            const DecoderOptions& options) {
  if (!wanted) return std::nullopt;
  return Norm(parameters, gain, options.width, options);
}

bool begins(NormPlace place) { return place == NormPlace::before || place == NormPlace::both; }

}  // namespace

Block::Block(ParameterList& parameters, const DecoderOptions& options,
             const PositionScheme& position, std::size_t layer)
    : attention_norm(
          norm_if(begins(options.norm_place), parameters, layer_prefix(layer) + "g1", options)),
      attention_end_norm(norm_if(options.norm_place != NormPlace::before, parameters,
                                 layer_prefix(layer) + "g3", options)),
      attention(parameters, layer_prefix(layer), options, position, layer),
      feed_forward_norm(norm_if(begins(options.norm_place) && !options.shares_norm, parameters,
                                layer_prefix(layer) + "g2", options)),
      feed_forward_end_norm(norm_if(options.norm_place != NormPlace::before, parameters,
                                    layer_prefix(layer) + "g4", options)),
      feed_forward(parameters, layer_prefix(layer), options),
      layer_(layer),
      place_(options.norm_place),
      keeps_norm_(options.keeps_norm_as_residual),
      is_parallel_(options.is_parallel),
      residual_factor_(static_cast<float>(options.residual_factor)) {}

void Block::initialize(Random& random, double branch) {
  for (auto* norm :
       {&attention_norm, &attention_end_norm, &feed_forward_norm, &feed_forward_end_norm})
    if (*norm) (*norm)->initialize();
  attention.initialize();
  for (Linear* linear : {&attention.query, &attention.key, &attention.value, &feed_forward.up})
    linear->initialize(random);
  if (feed_forward.gate) feed_forward.gate->initialize(random);
  for (Linear* linear : {&attention.output, &feed_forward.down}) linear->initialize(random, branch);
}

void Block::add_branch(MatrixView x, MatrixView y, ConstMatrixView h,
                       const std::optional<Norm>& norm) {
  if (norm && place_ != NormPlace::after_sum) norm->forward(y, y);
  if (residual_factor_ != 1.0f) scale(all_of(y), residual_factor_);
  if (keeps_norm_) std::copy_n(h.data, h.rows * h.cols, x.data);
  add(all_of(x), all_of(y));
  if (place_ == NormPlace::after_sum) norm->forward(x, x);
}

void Block::forward(MatrixView x, BlockPass& pass) {
  LayerValues& values = pass.keeps(layer_) ? values_ : pass.shared;
  const MatrixView h = resized(values.h, x.rows, x.cols), h2 = resized(values.h2, x.rows, x.cols),
                   y = resized(pass.y, x.rows, x.cols);
  const auto begin = [&](MatrixView h, std::vector<float>& kept, const std::optional<Norm>& norm) {
    if (pass.caches.empty()) kept.assign(x.data, x.data + x.rows * x.cols);
    if (norm) return norm->forward(h, x);
    std::copy_n(x.data, x.rows * x.cols, h.data);
  };
  begin(h, values.x, attention_norm);
  attention.forward(y, h, pass, values);
  if (is_parallel_) {
    const MatrixView branch = resized(pass.branch, x.rows, x.cols);
    if (feed_forward_norm) feed_forward_norm->forward(h2, x);
    feed_forward.forward(branch, feed_forward_norm ? h2 : h, values);
    add(all_of(y), all_of(branch));
    return add_branch(x, y, h, std::nullopt);
  }
  add_branch(x, y, h, attention_end_norm);

  begin(h2, values.middle, feed_forward_norm);
  feed_forward.forward(y, h2, values);
  add_branch(x, y, h2, feed_forward_end_norm);
}

void Block::backward(MatrixView d_x, BlockPass& pass) {
  const auto kept = [&](std::vector<float>& x) { return resized(x, d_x.rows, d_x.cols); };
  const MatrixView d_h = kept(pass.d_h);
  // x += feed_forward(norm(x))
  feed_forward.backward(d_h, d_x, kept(values_.h2), pass, values_);
  feed_forward_norm->backward(d_h, kept(values_.middle));
  add(all_of(d_x), all_of(d_h));
  // x += attention(norm(x))
  attention.backward(d_h, d_x, kept(values_.h), pass, values_);
  attention_norm->backward(d_h, kept(values_.x));
  add(all_of(d_x), all_of(d_h));
}

}  // namespace ropewalk
