// Position schemes in place of the product of query and key, or of the softmax: Wall, PaTH, PoPE,
// which takes wider queries and keys, and stick-breaking.
#include <algorithm>
#include <numbers>

#include "base/require.hpp"
#include "content/path.hpp"
#include "content/polar.hpp"
#include "content/stick_breaking.hpp"
#include "content/wall.hpp"
#include "kernels/activations.hpp"
#include "kernels/rows.hpp"
#include "kernels/stick_breaking.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

// A product scheme, with FoX's gates beside it or without.
class GatedProduct : public LayerScheme {
 public:
  using LayerScheme::LayerScheme;

  void initialize(Random&) override {
    if (gates_) gates_->initialize();
  }

  void prepare(const AttentionCall& call, ConstMatrixView h) override {
    if (gates_) gates_->prepare(h, call.shape, path_gate_factor(options_.path_gate, call.scale));
  }

  void attach(AttentionCall& call, float*) override {
    if (gates_) attach_modifier(call, gates_->modifier());
  }

  void collect(ConstMatrixView h, MatrixView d_h) override {
    if (gates_) gates_->backward(h, d_h);
  }

 protected:
  void add_gates() {
    gates_.emplace(add_linear("Wf", "bf", shape_.heads), PrefixTerm::log_sigmoid);
  }

 private:
  std::optional<PrefixGates> gates_;
};

// Wg (width x width), bg (width): a gate per channel; Wf, bf: FoX's gate too.
class Wall final : public GatedProduct {
 public:
  Wall(const PositionSetup& setup, const std::string& prefix)
      : GatedProduct(setup, prefix), channels_(add_linear("Wg", "bg", shape_.width)) {
    if (options_.has_scalar_gate) add_gates();
  }

  void initialize(Random& random) override {
    channels_.initialize(random);
    std::ranges::fill(channels_.bias(), static_cast<float>(options_.gate_bias));
    GatedProduct::initialize(random);
  }

  void prepare(const AttentionCall& call, ConstMatrixView h) override {
    channels_.forward_by_head(terms_, h, shape_.heads, sequences_.length);
    sums_ = wall_sums(terms_, sequences_.length, shape_.head_width(), PrefixTerm::log_sigmoid);
    GatedProduct::prepare(call, h);
  }

  void attach(AttentionCall& call, float* d_q) override {
    d_sums_.assign(d_q ? sums_.size() : 0, 0.0);
    call.product = &scores_.emplace(call, sums_, d_sums_);
    GatedProduct::attach(call, d_q);
  }

  void collect(ConstMatrixView h, MatrixView d_h) override {
    std::vector<float> d_terms(terms_.size());
    wall_sums_backward(d_terms, d_sums_, terms_, sequences_.length, shape_.head_width(),
                       PrefixTerm::log_sigmoid);
    channels_.accumulate_backward_by_head(d_h, d_terms, h, shape_.heads, sequences_.length);
    GatedProduct::collect(h, d_h);
  }

 private:
  Linear channels_;
  std::vector<float> terms_;  // by head
  std::vector<double> sums_, d_sums_;
  std::optional<WallScores> scores_;
};

// Ww (width x width), cw (3 x width), Wb (width x heads), bb (heads): w = silu of the causal
// convolution of h Ww, of length 1; beta = 2 sigmoid(h Wb + bb); Wf, bf: FoX's gate too.
class Path final : public GatedProduct {
 public:
  Path(const PositionSetup& setup, const std::string& prefix)
      : GatedProduct(setup, prefix),
        directions_(add_linear("Ww", "", shape_.width)),
        taps_(add_parameter("cw", taps, shape_.width)),
        strengths_(add_linear("Wb", "bb", shape_.heads)) {
    if (options_.path_gate != PathGate::none) add_gates();
  }

  // The convolution begins as the identity, beta near 1: reflections onto planes.
  void initialize(Random& random) override {
    directions_.initialize(random);
    std::ranges::fill(parameters_.values(taps_).row(taps - 1), 1.0f);
    strengths_.initialize(random);
    GatedProduct::initialize(random);
  }

  void prepare(const AttentionCall& call, ConstMatrixView h) override {
    const std::size_t heads = shape_.heads, length = sequences_.length;
    const MatrixView convolved = by_token(convolved_);
    raw_ = directions_.forward(h);
    causal_convolution_forward(convolved, raw_, parameters_.values(taps_), length);
    unscaled_.resize(convolved_.size());
    silu(unscaled_, convolved_);
    std::vector<float> unit(unscaled_.size());
    unit_rows_forward(heads_of(unit), heads_of(unscaled_));
    w_.resize(unit.size());
    split_heads(w_, by_token(unit), heads, length);

    std::vector<float> logits;
    strengths_.forward_by_head(logits, h, heads, length);
    shares_.resize(logits.size());
    sigmoid(shares_, logits);
    betas_ = shares_;
    scale(betas_, 2.0f);
    GatedProduct::prepare(call, h);
  }

  void attach(AttentionCall& call, float* d_q) override {
    d_w_.assign(d_q ? w_.size() : 0, 0.0f);
    d_betas_.assign(d_q ? betas_.size() : 0, 0.0f);
    const HeadsView w =
        HeadsView::contiguous(w_.data(), shape_.heads, sequences_.length, shape_.head_width());
    call.product = &scores_.emplace(call, PathFactors{w, betas_}, PathGradients{d_w_, d_betas_});
    GatedProduct::attach(call, d_q);
  }

  void collect(ConstMatrixView h, MatrixView d_h) override {
    const std::size_t heads = shape_.heads, length = sequences_.length;
    std::vector<float> numbers, raw;
    const MatrixView d = by_token(numbers), d_raw = by_token(raw);
    join_heads(d, d_w_, heads, length);
    // w = unit rows of silu(convolution of raw)
    unit_rows_backward(heads_of(numbers), heads_of(numbers), heads_of(unscaled_));
    silu_backward(numbers, numbers, convolved_);
    causal_convolution_backward(d_raw, parameters_.gradients(taps_), d, raw_,
                                parameters_.values(taps_), length);
    directions_.accumulate_backward(d_h, d_raw, h);

    // beta = 2 share, share = sigmoid(logit)
    for (std::size_t i = 0; i < d_betas_.size(); ++i)
      d_betas_[i] *= 2.0f * shares_[i] * (1.0f - shares_[i]);
    strengths_.accumulate_backward_by_head(d_h, d_betas_, h, heads, length);
    GatedProduct::collect(h, d_h);
  }

 private:
  static constexpr std::size_t taps = 3;

  MatrixView by_token(std::vector<float>& x) const { return resized(x, tokens(), shape_.width); }
  // Heads of tokens as rows.
  MatrixView heads_of(std::vector<float>& x) const {
    return {x.data(), tokens() * shape_.heads, shape_.head_width()};
  }

  Linear directions_;
  std::size_t taps_;
  Linear strengths_;
  MatrixView raw_;                                         // in directions_
  std::vector<float> convolved_, unscaled_;                // by token
  std::vector<float> w_, shares_, betas_, d_w_, d_betas_;  // by head
  std::optional<PathScores> scores_;
};

class StickBreaking final : public LayerScheme {
 public:
  using LayerScheme::LayerScheme;

  void attach(AttentionCall& call, float*) override {
    call.weighting = stick_breaking_step;
    call.weighting_backward = stick_breaking_backward;
    if (!options_.attend_current) attach_modifier(call, own_key_);
  }

 private:
  OwnKeyMask own_key_;
};

// pope.phase (heads x D)
class Pope final : public LayerScheme {
 public:
  Pope(const PositionSetup& setup, const std::string& prefix)
      : LayerScheme(setup, prefix),
        phases_(add_parameter("pope.phase", shape_.heads, shape_.head_width())) {}

  // Phases begin inside their limits, on which they would have no gradient to one side.
  void initialize(Random& random) override {
    for (float& phase : all_of(parameters_.values(phases_)))
      phase = static_cast<float>(random.uniform(-2.0 * std::numbers::pi, 0.0));
  }

  std::size_t score_width() const override { return 2 * shape_.head_width(); }

  void transform(QueriesAndKeys x, ConstMatrixView) override {
    require(sequences_.steps.batch == 0,
            "position: pope takes one list of positions for all sequences, got ",
            sequences_.positions.size(), " positions");
    widen(x.q, rows_with({}));
    widen(x.k, rows_with(all_of(parameters_.values(phases_))));
  }

  void transform_backward(QueriesAndKeys d, const QueriesAndKeys& made) override {
    const std::span<float> d_phases = all_of(parameters_.gradients(phases_));
    std::vector<double> sums(d_phases.size());
    narrow(d.q, made.q, {}, rows_with({}));
    narrow(d.k, made.k, sums, rows_with(all_of(parameters_.values(phases_))));
    for (std::size_t i = 0; i < sums.size(); ++i) d_phases[i] += static_cast<float>(sums[i]);
  }

 private:
  PolarRows rows_with(std::span<const float> phases) const {
    const std::size_t width = shape_.head_width();
    return {.heads = sequences_.batches * shape_.heads,
            .length = sequences_.length,
            .dim = width,
            .polar = width,
            .positions = sequences_.positions,
            .phases = phases,
            .base = options_.base};
  }

  // All heads' rows in the other order.
  std::vector<float> by_head(std::vector<float>& by_token, std::size_t cols) const {
    std::vector<float> rows(by_token.size());
    split_heads(rows, {by_token.data(), tokens(), cols}, shape_.heads, sequences_.length);
    return rows;
  }
  void join(std::vector<float>& by_token, std::span<const float> rows) const {
    join_heads(resized(by_token, tokens(), rows.size() / tokens()), rows, shape_.heads,
               sequences_.length);
  }

  void widen(std::vector<float>& x, const PolarRows& rows) const {
    std::vector<float> wide(2 * x.size());
    polar_rows(wide, by_head(x, shape_.width), rows);
    join(x, wide);
  }

  void narrow(std::vector<float>& d, std::vector<float>& made, std::span<double> d_phases,
              const PolarRows& rows) const {
    std::vector<float> d_x(d.size() / 2);
    const std::size_t cols = 2 * shape_.width;
    polar_rows_backward(d_x, d_phases, by_head(d, cols), by_head(made, cols), rows);
    join(d, d_x);
  }

  std::size_t phases_;
};

constexpr PositionKind kinds[] = {
    {"wall", nullptr, make_layer<Wall>},
    {"path", nullptr, make_layer<Path>},
    {"pope", nullptr, make_layer<Pope>},
    {"stick-breaking", nullptr, make_layer<StickBreaking>, Sharing::all},
};

}  // namespace

constinit const std::span<const PositionKind> product_kinds = kinds;

}  // namespace ropewalk
