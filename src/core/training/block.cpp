#include "training/block.hpp"

#include <algorithm>

#include "attention/backward.hpp"
#include "attention/temperature.hpp"
#include "kernels/rows.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"

namespace ropewalk {

void Norm::initialize() { std::ranges::fill(parameters_->row(gain_), 1.0f); }

void Norm::forward(MatrixView y, ConstMatrixView x) const {
  rms_norm_forward(y, x, parameters_->row(gain_), epsilon_);
}

void Norm::backward(MatrixView d, ConstMatrixView x) const {
  rms_norm_backward(d, parameters_->gradients(gain_).row(0), d, x, parameters_->row(gain_),
                    epsilon_);
}

FeedForward::FeedForward(ParameterList& parameters, const std::string& prefix,
                         const BlockOptions& options)
    : up(parameters, {prefix + "W1"}, options.width, options.hidden, true),
      down(parameters, {prefix + "W2"}, options.hidden, options.width, true) {}

void FeedForward::forward(MatrixView y, ConstMatrixView x) {
  before_gelu_ = up.forward(x);
  const MatrixView after_gelu = resized(after_gelu_, before_gelu_.rows, before_gelu_.cols);
  gelu_forward(after_gelu, before_gelu_);
  down.forward(y, after_gelu);
}

void FeedForward::backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x,
                           BlockPass& pass) const {
  const auto& [data, rows, cols, stride] = before_gelu_;
  const MatrixView d_hidden = resized(pass.d_hidden, rows, cols);
  // y = after_gelu W2
  down.backward(d_hidden, d_y, {after_gelu_.data(), rows, cols});
  // after_gelu = gelu(before_gelu)
  gelu_backward(d_hidden, d_hidden, before_gelu_);
  // before_gelu = x W1
  up.backward(d_x, d_hidden, x);
}

Attention::Attention(ParameterList& parameters, const std::string& prefix,
                     const BlockOptions& options, LayerScheme& scheme)
    : query(parameters, {prefix + "Wq"}, options.width, options.width, true),
      key(parameters, {prefix + "Wk"}, options.width, options.width, true),
      value(parameters, {prefix + "Wv"}, options.width, options.width, true),
      output(parameters, {prefix + "Wo"}, options.width, options.width, true),
      heads_(options.heads),
      head_width_(options.width / options.heads),
      scheme_(&scheme) {}

AttentionCall Attention::call_of(const BlockPass& pass) const {
  const auto heads_of = [&](const std::vector<float>& numbers, std::size_t width) {
    return HeadsView{numbers.data(), pass.length * heads_ * width, width, heads_ * width};
  };
  const std::size_t score_width = scheme_->score_width();
  AttentionCall call;
  call.shape = {pass.batches, heads_, heads_, pass.length, pass.length, score_width, head_width_};
  call.q = heads_of(q_, score_width);
  call.k = heads_of(k_, score_width);
  call.v = heads_of(v_, head_width_);
  call.scale = default_scale(head_width_);
  call.band = {.lookback = pass.lookback, .lookahead = 0};
  if (pass.row_scale) call.modifiers = {&pass.row_scale, 1};
  return call;
}

void Attention::forward(MatrixView y, ConstMatrixView x, BlockPass& pass) {
  const std::size_t tokens = pass.tokens(), width = heads_ * head_width_;
  query.forward(resized(q_, tokens, width), x);
  key.forward(resized(k_, tokens, width), x);
  value.forward(resized(v_, tokens, width), x);
  scheme_->transform({q_, k_}, x);

  AttentionCall call = call_of(pass);
  scheme_->prepare(call, x);
  scheme_->attach(call, nullptr);
  results_.resize(tokens * width);
  log_sum_exp_.resize(tokens * heads_);
  attend(call,
         {.output = results_.data(), .log_sum_exp = call.weighting ? nullptr : log_sum_exp_.data()},
         pass.scratch);
  const MatrixView attended = resized(attended_, tokens, width);
  join_heads(attended, results_, heads_, pass.length);
  output.forward(y, attended);
}

void Attention::backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x, BlockPass& pass) {
  const std::size_t tokens = pass.tokens(), width = heads_ * head_width_,
                    score_cols = heads_ * scheme_->score_width();
  auto& [d_q_by_head, d_k_by_head, d_v_by_head, d_results] = pass.d_by_head;
  for (auto* d : {&d_q_by_head, &d_k_by_head}) d->resize(tokens * score_cols);
  for (auto* d : {&d_v_by_head, &d_results}) d->resize(tokens * width);
  // y = attended Wo
  output.backward(d_x, d_y, {attended_.data(), tokens, width});
  split_heads(d_results, d_x, heads_, pass.length);
  // attended = heads of attention(q, k, v)
  AttentionCall call = call_of(pass);
  scheme_->attach(call, d_q_by_head.data());
  attend_backward(call, {results_.data(), log_sum_exp_.data(), d_results.data()},
                  {d_q_by_head.data(), d_k_by_head.data(), d_v_by_head.data()}, pass.scratch);
  join_heads(resized(pass.d_q, tokens, score_cols), d_q_by_head, heads_, pass.length);
  join_heads(resized(pass.d_k, tokens, score_cols), d_k_by_head, heads_, pass.length);
  join_heads(resized(pass.d_v, tokens, width), d_v_by_head, heads_, pass.length);
  scheme_->transform_backward({pass.d_q, pass.d_k}, {q_, k_});
  // q = x Wq, k = x Wk, v = x Wv
  query.backward(d_x, {pass.d_q.data(), tokens, width}, x);
  key.accumulate_backward(d_x, {pass.d_k.data(), tokens, width}, x);
  value.accumulate_backward(d_x, {pass.d_v.data(), tokens, width}, x);
  scheme_->collect(x, d_x);
}

void Attention::weights(std::span<float> weights, BlockPass& pass) {
  std::vector<float> results(results_.size());
  AttentionCall call = call_of(pass);
  scheme_->attach(call, nullptr);
  attend(call, {.output = results.data(), .weights = weights.data()}, pass.scratch);
}

Block::Block(ParameterList& parameters, const std::string& prefix, const BlockOptions& options,
             LayerScheme& scheme)
    : attention_norm(parameters, prefix + "g1", options.width, options.norm_epsilon),
      attention(parameters, prefix, options, scheme),
      feed_forward_norm(parameters, prefix + "g2", options.width, options.norm_epsilon),
      feed_forward(parameters, prefix, options) {}

void Block::initialize(Random& random, double branch) {
  attention_norm.initialize();
  feed_forward_norm.initialize();
  for (Linear* linear : {&attention.query, &attention.key, &attention.value, &feed_forward.up})
    linear->initialize(random);
  for (Linear* linear : {&attention.output, &feed_forward.down}) linear->initialize(random, branch);
}

void Block::forward(MatrixView x, BlockPass& pass) {
  const MatrixView h = resized(h_, x.rows, x.cols), h2 = resized(h2_, x.rows, x.cols),
                   y = resized(pass.y, x.rows, x.cols);
  x_.assign(x.data, x.data + x.rows * x.cols);
  attention_norm.forward(h, x);
  attention.forward(y, h, pass);
  add(all_of(x), all_of(y));

  middle_.assign(x.data, x.data + x.rows * x.cols);
  feed_forward_norm.forward(h2, x);
  feed_forward.forward(y, h2);
  add(all_of(x), all_of(y));
}

void Block::backward(MatrixView d_x, BlockPass& pass) {
  const auto kept = [&](std::vector<float>& x) { return resized(x, d_x.rows, d_x.cols); };
  const MatrixView d_h = kept(pass.d_h);
  // x += feed_forward(norm(x))
  feed_forward.backward(d_h, d_x, kept(h2_), pass);
  feed_forward_norm.backward(d_h, kept(middle_));
  add(all_of(d_x), all_of(d_h));
  // x += attention(norm(x))
  attention.backward(d_h, d_x, kept(h_), pass);
  attention_norm.backward(d_h, kept(x_));
  add(all_of(d_x), all_of(d_h));
}

}  // namespace ropewalk
