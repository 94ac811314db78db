// Position schemes with a bias that gates of tokens or of pairs of tokens give: GRAPE-A, GRAPE-AP,
// gates per row, selective attention.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/backward.hpp"
#include "base/require.hpp"
#include "bias/distance.hpp"
#include "content/edge_sums.hpp"
#include "content/grape.hpp"
#include "content/prefix_sums.hpp"
#include "content/selective.hpp"
#include "kernels/softmax.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"
#include "training/position_schemes.hpp"
#include "training/projection.hpp"

namespace ropewalk {
namespace {

class GrapeA final : public PositionScheme {
 public:
  explicit GrapeA(const PositionSetup& setup)
      : PositionScheme(setup), slopes_(alibi_slopes(setup.shape.heads)) {
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      const std::string prefix = layer_prefix(l) + "ua.";
      Layer& own = layers_.emplace_back();
      own.raw = parameters_.add(prefix + "raw", 1, shape_.heads);
      for (const auto& [name, direction] : directions(own))
        *direction = parameters_.add(prefix + name, shape_.heads, shape_.head_width());
    }
  }

  void initialize(Random& random) override {
    for (Layer& own : layers_) {
      std::ranges::fill(parameters_.row(own.raw), 0.541324855f);  // softplus of it is 1
      for (const auto& [name, direction] : directions(own))
        fill_normal(parameters_.values(*direction), random, 1.0);
    }
  }

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView, float* d_q) override {
    const Layer& own = layers_[layer];
    std::vector<float> omegas(shape_.heads);
    for (std::size_t head = 0; head < shape_.heads; ++head) omegas[head] = omega(own, head);
    const auto gates = [&](const HeadsView& x, std::size_t directions) {
      return slope_gates({.x = x,
                          .batches = batches_,
                          .heads = shape_.heads,
                          .length = length_,
                          .directions = parameters_.values(directions),
                          .omegas = omegas});
    };
    if (has_keys()) key_gates_ = gates(call.k, own.of_keys);
    if (has_queries()) query_gates_ = gates(call.q, own.of_queries);
    d_key_gates_.assign(d_q ? key_gates_.size() : 0, 0.0f);
    d_query_gates_.assign(d_q ? query_gates_.size() : 0, 0.0f);
    attach_modifier(call, bias_.emplace(query_gates_, key_gates_, d_query_gates_, d_key_gates_));
  }

  void transform_backward(QueriesAndKeys d, const QueriesAndKeys& made, std::size_t layer,
                          ConstMatrixView) override {
    const Layer& own = layers_[layer];
    if (has_keys()) gates_backward(d.k, d_key_gates_, made.k, own, own.of_keys);
    if (has_queries()) gates_backward(d.q, d_query_gates_, made.q, own, own.of_queries);
  }

 private:
  bool has_keys() const { return options_.slope_gates != SlopeGates::query; }
  bool has_queries() const { return options_.slope_gates != SlopeGates::key; }

  struct Layer {
    std::size_t raw = 0, of_keys = 0, of_queries = 0;
  };

  // Those that the scheme has.
  std::vector<std::pair<const char*, std::size_t*>> directions(Layer& own) const {
    std::vector<std::pair<const char*, std::size_t*>> all;
    if (has_keys()) all.emplace_back("k", &own.of_keys);
    if (has_queries()) all.emplace_back("q", &own.of_queries);
    return all;
  }

  float omega(const Layer& own, std::size_t head) const {
    const double raw = parameters_.row(own.raw)[head];
    return static_cast<float>(-slopes_[head] *
                              prefix_term(PrefixTerm::log_sigmoid_of_negative, raw));
  }

  // d_x, x: by token.
  void gates_backward(std::vector<float>& d_x, std::span<const float> d_gates,
                      std::vector<float>& x, const Layer& own, std::size_t directions) {
    const std::size_t width = shape_.head_width();
    const auto head_of = [&](std::vector<float>& all, std::size_t batch, std::size_t head) {
      return MatrixView{all.data() + batch * length_ * shape_.width + head * width, length_, width,
                        shape_.width};
    };
    for (std::size_t head = 0; head < shape_.heads; ++head) {
      const std::span<const float> given = parameters_.values(directions).row(head);
      std::vector<double> d_unit(width);
      double d_omega = 0.0;
      for (std::size_t b = 0; b < batches_; ++b) {
        slope_gates_backward({head_of(d_x, b, head), d_unit, d_omega},
                             d_gates.subspan((b * shape_.heads + head) * length_, length_),
                             head_of(x, b, head), unit_direction(given), omega(own, head));
      }
      unit_direction_backward(parameters_.gradients(directions).row(head), d_unit, given);
      const double raw = parameters_.row(own.raw)[head];
      parameters_.gradients(own.raw).row(0)[head] -= static_cast<float>(
          d_omega * slopes_[head] * prefix_term_slope(PrefixTerm::log_sigmoid_of_negative, raw));
    }
  }

  std::vector<Layer> layers_;
  std::vector<double> slopes_;
  std::vector<float> key_gates_, query_gates_, d_key_gates_, d_query_gates_;  // by head
  std::optional<GatedSlopeBias> bias_;
};

// GRAPE-AP and gates per row.
class EdgeGates final : public PositionScheme {
 public:
  explicit EdgeGates(const PositionSetup& setup)
      : PositionScheme(setup), slopes_(shape_.heads, 1.0f) {
    require(options_.gate_width > 0, "position: gate_width must be at least 1, got ",
            options_.gate_width);
    if (is_integral()) {
      require_even("position: gate_width", options_.gate_width);
      std::ranges::copy(alibi_slopes(shape_.heads), slopes_.begin());
    }
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      std::vector<Projection>& own = layers_.emplace_back();
      const auto add = [&](const char* name) {
        own.emplace_back(setup, layer_prefix(l) + name, "", shape_.heads * options_.gate_width);
      };
      add(is_integral() ? "Wp" : "Wu");
      if (!is_integral()) add("Wr");
    }
  }

  void initialize(Random& random) override {
    const double deviation = 1.0 / std::sqrt(static_cast<double>(shape_.width));
    for (std::vector<Projection>& own : layers_)
      for (Projection& projection : own) fill_normal(projection.weights(), random, deviation);
  }

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q) override {
    project(p_, layers_[layer][0], h);
    if (is_integral()) {
      r_.resize(p_.size());
      path_integral_rows(r_, p_, length_, options_.gate_width, epsilon);
    } else {
      project(r_, layers_[layer][1], h);
    }
    d_p_.assign(d_q ? p_.size() : 0, 0.0f);
    d_r_.assign(d_q ? r_.size() : 0, 0.0f);
    const EdgeRange range = is_integral() ? EdgeRange::after_key : EdgeRange::before_query;
    attach_modifier(call, bias_.emplace(rows_of(p_), rows_of(r_), slopes_,
                                        edge_factor(range, options_.gate_width), range,
                                        d_q ? rows_of(d_p_) : MatrixView(),
                                        d_q ? rows_of(d_r_) : MatrixView()));
  }

  void collect(std::size_t layer, ConstMatrixView h, MatrixView d_h) override {
    if (is_integral())
      path_integral_rows_backward(d_p_, d_r_, p_, length_, options_.gate_width, epsilon);
    project_backward(d_p_, layers_[layer][0], h, d_h);
    if (!is_integral()) project_backward(d_r_, layers_[layer][1], h, d_h);
  }

 private:
  // Inside the root of the mean square: PyTorch's default, with which GRAPE's code calls it.
  static constexpr double epsilon = std::numeric_limits<float>::epsilon();

  bool is_integral() const { return options_.kind == PositionKind::grape_ap; }

  MatrixView rows_of(std::vector<float>& by_head) const {
    return {by_head.data(), by_head.size() / options_.gate_width, options_.gate_width};
  }

  void project(std::vector<float>& by_head, Projection& projection, ConstMatrixView h) const {
    const MatrixView by_token = projection.forward(h);
    by_head.resize(by_token.rows * by_token.cols);
    split_heads(by_head, by_token, shape_.heads, length_);
  }

  void project_backward(std::span<const float> d_by_head, Projection& projection, ConstMatrixView h,
                        MatrixView d_h) const {
    std::vector<float> by_token(d_by_head.size());
    const MatrixView d_y(by_token.data(), h.rows, by_token.size() / h.rows);
    join_heads(d_y, d_by_head, shape_.heads, length_);
    projection.backward(d_y, h, d_h);
  }

  std::vector<std::vector<Projection>> layers_;
  std::vector<float> slopes_, p_, r_, d_p_, d_r_;  // all but the slopes by head
  std::optional<EdgeSumBias> bias_;
};

// Scores whose gradient is given: (batches, one head, queries, keys).
class GivenGradient final : public ScoreModifier {
 public:
  GivenGradient(std::span<const float> d_scores, const BroadcastShape& shape)
      : ScoreModifier(ScoreStep::biased), d_scores_(d_scores), shape_(shape) {}
  void check(const AttentionShape&) const override {}
  void apply(const ScoreRow&) const override {}
  void backward(const ScoreRow& d_scores, std::span<const float>) const override {
    const std::size_t count = d_scores.scores.size();
    std::ranges::copy(d_scores_.subspan(shape_.first(d_scores), count), d_scores.scores.begin());
  }

 private:
  std::span<const float> d_scores_;
  BroadcastShape shape_;
};

class Selective final : public RopeScheme {
 public:
  using RopeScheme::RopeScheme;

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q) override {
    RopeScheme::attach(call, layer, h, d_q);
    masking_ = call;
    masking_.shape.heads = masking_.shape.key_heads = masking_.shape.value_dim = 1;
    for (auto* rows : {&output_, &log_sum_exp_}) rows->resize(tokens());
    gates_.resize(tokens() * length_);
    attend(masking_,
           {.output = output_.data(), .biased = gates_.data(), .log_sum_exp = log_sum_exp_.data()},
           scratch_);
    values_.assign(gates_.size(), 0.0f);
    for (std::size_t b = 0; b < batches_; ++b)
      selective_bias(sequence(values_, b), sequence(gates_, b), true);
    d_values_.assign(d_q ? values_.size() : 0, 0.0f);
    attach_modifier(call, bias_.emplace(values_, extents(), d_q ? d_values_.data() : nullptr));
  }

  // The scores of the head that masks are those of attention without its values: their gradient
  // goes the same way back.
  void transform_backward(QueriesAndKeys d, const QueriesAndKeys&, std::size_t,
                          ConstMatrixView) override {
    std::vector<float> d_gates(gates_.size());
    for (std::size_t b = 0; b < batches_; ++b)
      selective_bias_backward(sequence(d_gates, b), sequence(d_values_, b), sequence(gates_, b),
                              true);
    const GivenGradient given(d_gates, extents());
    std::vector<const ScoreModifier*> modifiers(masking_.modifiers.begin(),
                                                masking_.modifiers.end());
    insert_modifier(modifiers, given);
    masking_.modifiers = modifiers;
    const std::size_t width = shape_.head_width();
    std::vector<float> d_q(tokens() * width), d_k(d_q.size()), d_v(tokens()), d_output(tokens());
    attend_backward(masking_, {output_.data(), log_sum_exp_.data(), d_output.data()},
                    {d_q.data(), d_k.data(), d_v.data()}, scratch_);
    const auto add_to_first_head = [&](std::vector<float>& all, std::span<const float> own) {
      for (std::size_t t = 0; t < tokens(); ++t)
        add(std::span(all).subspan(t * shape_.width, width), own.subspan(t * width, width));
    };
    add_to_first_head(d.q, d_q);
    add_to_first_head(d.k, d_k);
  }

 private:
  BroadcastShape extents() const { return BroadcastShape({batches_, 1, length_, length_}); }
  MatrixView sequence(std::vector<float>& all, std::size_t batch) const {
    return {all.data() + batch * length_ * length_, length_, length_};
  }

  AttentionCall masking_;  // of the first head
  AttentionScratch scratch_;
  std::vector<float> output_, log_sum_exp_;       // of it
  std::vector<float> gates_, values_, d_values_;  // batches x queries x keys
  std::optional<Bias> bias_;
};

}  // namespace

std::unique_ptr<PositionScheme> make_grape_a(const PositionSetup& setup) {
  return std::make_unique<GrapeA>(setup);
}

std::unique_ptr<PositionScheme> make_edge_gates(const PositionSetup& setup) {
  return std::make_unique<EdgeGates>(setup);
}

std::unique_ptr<PositionScheme> make_selective(const PositionSetup& setup) {
  return std::make_unique<Selective>(setup);
}

}  // namespace ropewalk
