// Position schemes with a bias that the text gives: CoPE, FoX, CABLE, GRAPE-A, GRAPE-AP, gates per
// row, selective attention.
#include <algorithm>
#include <limits>

#include "attention/rotations.hpp"
#include "attention/scratch.hpp"
#include "base/require.hpp"
#include "bias/distance.hpp"
#include "content/cope.hpp"
#include "content/edge_sums.hpp"
#include "content/grape.hpp"
#include "content/selective.hpp"
#include "kernels/rows.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {

void PrefixGates::prepare(ConstMatrixView h, const AttentionShape& shape, double factor) {
  shape_ = shape;
  projection.forward_by_head(gates_, h, shape.heads, shape.keys);
  numbers_.form(gates_, shape.batches * shape.heads, term_, true, factor);
}

const ScoreModifier& PrefixGates::modifier() {
  std::ranges::fill(numbers_.d_sums(), 0.0);
  return modifier_.emplace(numbers_.sums(), numbers_.d_sums());
}

void PrefixGates::backward(ConstMatrixView h, MatrixView d_h) {
  std::vector<float> d_gates(gates_.size());
  numbers_.backward(d_gates);
  projection.accumulate_backward_by_head(d_h, d_gates, h, shape_.heads, shape_.keys);
}

namespace {

// cope.e (rows x D)
class Cope final : public LayerScheme {
 public:
  Cope(const PositionSetup& setup, const std::string& prefix)
      : LayerScheme(setup, prefix),
        table_(add_parameter("cope.e", options_.rows, shape_.head_width())) {}

  void initialize(Random& random) override {
    fill_normal(parameters_.values(table_), random, 0.02);
  }

  void attach(AttentionCall& call, float* d_q) override {
    attach_modifier(call, modifier_.emplace(call.q, parameters_.values(table_), d_q,
                                            d_q ? parameters_.gradients(table_) : MatrixView()));
  }

 private:
  std::size_t table_;
  std::optional<ContextualBias> modifier_;
};

// FoX: Wf (width x heads), bf (heads). CABLE: Wc, bc, with the sign of the gates flipped; scores
// are divided by sqrt(D), as everywhere, which the published code does not.
class PrefixGateScheme : public LayerScheme {
 public:
  PrefixGateScheme(const PositionSetup& setup, const std::string& prefix, PrefixTerm term)
      : LayerScheme(setup, prefix),
        gates_(term == PrefixTerm::log_sigmoid ? add_linear("Wf", "bf", shape_.heads)
                                               : add_linear("Wc", "bc", shape_.heads),
               term),
        is_fox_(term == PrefixTerm::log_sigmoid) {}

  // CABLE begins as any linear layer.
  void initialize(Random& random) override {
    if (is_fox_)
      gates_.initialize();
    else
      gates_.projection.initialize(random);
  }

  void prepare(const AttentionCall& call, ConstMatrixView h) override {
    gates_.prepare(h, call.shape);
  }
  void attach(AttentionCall& call, float*) override { attach_modifier(call, gates_.modifier()); }
  void collect(ConstMatrixView h, MatrixView d_h) override { gates_.backward(h, d_h); }

 private:
  PrefixGates gates_;
  bool is_fox_;
};

// ua.k, ua.q (heads x D), ua.raw (heads): bias = -distance omega (softplus(u_k k / sqrt(D)) +
// softplus(u_q q / sqrt(D))), u of length 1, omega = softplus(raw) times ALiBi's slope.
class GrapeA final : public LayerScheme {
 public:
  GrapeA(const PositionSetup& setup, const std::string& prefix)
      : LayerScheme(setup, prefix),
        raw_(add_parameter("ua.raw", 1, shape_.heads)),
        slopes_(alibi_slopes(shape_.heads)) {
    if (options_.slope_gates != SlopeGates::query) add_gates(keys_, "ua.k");
    if (options_.slope_gates != SlopeGates::key) add_gates(queries_, "ua.q");
  }

  void initialize(Random& random) override {
    std::ranges::fill(parameters_.row(raw_), inverse_softplus_of_1);
    for (const Gates* gates : {&keys_, &queries_})
      if (gates->exist) fill_normal(parameters_.values(gates->directions), random, 1.0);
  }

  void prepare(const AttentionCall& call, ConstMatrixView) override {
    fill(keys_, call.k);
    fill(queries_, call.q);
  }

  void attach(AttentionCall& call, float* d_q) override {
    for (Gates* gates : {&keys_, &queries_})
      gates->gradients.assign(d_q ? gates->values.size() : 0, 0.0f);
    attach_modifier(call, modifier_.emplace(queries_.values, keys_.values, queries_.gradients,
                                            keys_.gradients));
  }

  void transform_backward(QueriesAndKeys d, const QueriesAndKeys& made) override {
    fill_backward(d.k, keys_, made.k);
    fill_backward(d.q, queries_, made.q);
  }

 private:
  // Of keys, or of queries: (batches, heads, length).
  struct Gates {
    bool exist = false;
    std::size_t directions = 0;  // of the list
    std::vector<float> values, gradients;
  };

  void add_gates(Gates& gates, const char* name) {
    gates.exist = true;
    gates.directions = add_parameter(name, shape_.heads, shape_.head_width());
  }

  float omega(std::size_t head) const {
    return slope_omega(parameters_.row(raw_)[head], slopes_[head]);
  }

  void fill(Gates& gates, const HeadsView& x) {
    if (!gates.exist) return;
    std::vector<float> omegas(shape_.heads);
    for (std::size_t head = 0; head < shape_.heads; ++head) omegas[head] = omega(head);
    gates.values = slope_gates({.x = x,
                                .batches = sequences_.batches,
                                .heads = shape_.heads,
                                .length = sequences_.length,
                                .directions = parameters_.values(gates.directions),
                                .omegas = omegas});
  }

  // d_x, x: by token.
  void fill_backward(std::vector<float>& d_x, const Gates& gates, std::vector<float>& x) {
    if (!gates.exist) return;
    const std::size_t width = shape_.head_width(), length = sequences_.length;
    const auto head_of = [&](std::vector<float>& all, std::size_t batch, std::size_t head) {
      return MatrixView{all.data() + batch * length * shape_.width + head * width, length, width,
                        shape_.width};
    };
    for (std::size_t head = 0; head < shape_.heads; ++head) {
      const std::span<const float> given = parameters_.values(gates.directions).row(head);
      std::vector<double> d_unit(width);
      double d_omega = 0.0;
      for (std::size_t b = 0; b < sequences_.batches; ++b) {
        slope_gates_backward(
            {head_of(d_x, b, head), d_unit, d_omega},
            std::span(gates.gradients).subspan((b * shape_.heads + head) * length, length),
            head_of(x, b, head), unit_direction(given), omega(head));
      }
      unit_direction_backward(parameters_.gradients(gates.directions).row(head), d_unit, given);
      // omega = slope softplus(raw)
      const double raw = parameters_.row(raw_)[head];
      parameters_.gradients(raw_).row(0)[head] -= static_cast<float>(
          d_omega * slopes_[head] * prefix_term_slope(PrefixTerm::log_sigmoid_of_negative, raw));
    }
  }

  std::size_t raw_;
  Gates keys_, queries_;
  std::vector<double> slopes_;
  std::optional<GatedSlopeBias> modifier_;
};

// GRAPE-AP: Wp (width x heads * P): bias = sum of slope ln sigmoid(p_m . R_l n(p_l) / P) over the
// tokens l after the key, p = h Wp, with ALiBi's slopes. n makes the mean square 1, on this side
// only, as in the published code; R rotates by l.
// Gates per row: Wu, Wr (width x heads * P): bias = sum of ln sigmoid(u_m . r_l / sqrt(P)) from the
// key on, without the query's own token, u = h Wu, r = h Wr.
class EdgeGates final : public LayerScheme {
 public:
  EdgeGates(const PositionSetup& setup, const std::string& prefix, EdgeRange range)
      : LayerScheme(setup, prefix), range_(range), slopes_(shape_.heads, 1.0f) {
    const std::size_t width = options_.gate_width;
    require(width > 0, "position: gate_width must be at least 1, got ", width);
    const std::size_t cols = shape_.heads * width;
    if (is_integral()) {
      require_even("position: gate_width", width);
      std::ranges::copy(alibi_slopes(shape_.heads), slopes_.begin());
      layers_.push_back(add_linear("Wp", "", cols));
    } else {
      layers_.push_back(add_linear("Wu", "", cols));
      layers_.push_back(add_linear("Wr", "", cols));
    }
  }

  void initialize(Random& random) override {
    for (Linear& layer : layers_) layer.initialize(random);
  }

  void prepare(const AttentionCall&, ConstMatrixView h) override {
    const std::size_t length = sequences_.length;
    layers_.front().forward_by_head(p_, h, shape_.heads, length);
    if (is_integral()) {
      r_.resize(p_.size());
      path_integral_rows(r_, p_, length, options_.gate_width, epsilon);
    } else {
      layers_.back().forward_by_head(r_, h, shape_.heads, length);
    }
  }

  void attach(AttentionCall& call, float* d_q) override {
    d_p_.assign(d_q ? p_.size() : 0, 0.0f);
    d_r_.assign(d_q ? r_.size() : 0, 0.0f);
    attach_modifier(call, modifier_.emplace(rows_of(p_), rows_of(r_), slopes_,
                                            edge_factor(range_, options_.gate_width), range_,
                                            d_q ? rows_of(d_p_) : MatrixView(),
                                            d_q ? rows_of(d_r_) : MatrixView()));
  }

  void collect(ConstMatrixView h, MatrixView d_h) override {
    const std::size_t heads = shape_.heads, length = sequences_.length;
    // r = rows of p, or h Wr
    if (is_integral())
      path_integral_rows_backward(d_p_, d_r_, p_, length, options_.gate_width, epsilon);
    layers_.front().accumulate_backward_by_head(d_h, d_p_, h, heads, length);
    if (!is_integral()) layers_.back().accumulate_backward_by_head(d_h, d_r_, h, heads, length);
  }

 private:
  // Inside the root of the mean square: PyTorch's default, with which GRAPE's code calls it.
  static constexpr double epsilon = std::numeric_limits<float>::epsilon();

  bool is_integral() const { return range_ == EdgeRange::after_key; }

  MatrixView rows_of(std::vector<float>& by_head) const {
    return {by_head.data(), by_head.size() / options_.gate_width, options_.gate_width};
  }

  EdgeRange range_;
  std::vector<Linear> layers_;
  std::vector<float> slopes_, p_, r_, d_p_, d_r_;  // all but the slopes by head
  std::optional<EdgeSumBias> modifier_;
};

// Rope, with scores less the positive ones that earlier queries gave the key in the first head; the
// first token and a query's own are spared. Each layer keeps that head's length x length scores of
// each sequence, and as many sums.
class Selective final : public RopeScheme {
 public:
  using RopeScheme::RopeScheme;

  void prepare(const AttentionCall& call, ConstMatrixView) override {
    AttentionCall masking = call;
    masking.shape.heads = masking.shape.key_heads = masking.shape.value_dim = 1;
    RopeScheme::attach(masking, nullptr);
    AttentionRotary rotary = *masking.rotary;
    for (auto* rows : {&q_, &k_}) rows->resize(tokens() * shape_.head_width());
    rotary.q = q_.data();
    rotary.k = k_.data();
    masking.rotary = &rotary;
    scale_ = call.scale;
    gates_.resize(tokens() * sequences_.length);
    std::vector<float> output(tokens());
    AttentionScratch scratch;
    attend(masking, {.output = output.data(), .biased = gates_.data()}, scratch);
    scale(k_, scale_);
    biases_.assign(gates_.size(), 0.0f);
    for (std::size_t b = 0; b < sequences_.batches; ++b)
      selective_bias(square(biases_, b), square(gates_, b), true);
  }

  void attach(AttentionCall& call, float* d_q) override {
    RopeScheme::attach(call, d_q);
    const std::size_t length = sequences_.length;
    d_biases_.assign(d_q ? biases_.size() : 0, 0.0f);
    attach_modifier(
        call, modifier_.emplace(biases_, BroadcastShape({sequences_.batches, 1, length, length}),
                                d_q ? d_biases_.data() : nullptr));
  }

  void transform_backward(QueriesAndKeys d, const QueriesAndKeys&) override {
    std::vector<float> d_q(q_.size()), d_k(k_.size()), d_gates(gates_.size());
    for (std::size_t b = 0; b < sequences_.batches; ++b) {
      const MatrixView d_scores = square(d_gates, b);
      selective_bias_backward(d_scores, square(d_biases_, b), square(gates_, b), true);
      // gates = q (scale k)T
      linear_transposed_backward(rows_of(d_q, b), rows_of(d_k, b), d_scores, rows_of(q_, b),
                                 rows_of(k_, b), parameters_.scratch());
    }
    accumulate(d.q, d_q, 1.0f);
    accumulate(d.k, d_k, scale_);
  }

 private:
  MatrixView square(std::vector<float>& all, std::size_t batch) const {
    const std::size_t length = sequences_.length;
    return {all.data() + batch * length * length, length, length};
  }
  MatrixView rows_of(std::vector<float>& all, std::size_t batch) const {
    const std::size_t length = sequences_.length, width = shape_.head_width();
    return {all.data() + batch * length * width, length, width};
  }

  // Adds a factor times the gradient of rotated rows to that of the first head, by token.
  void accumulate(std::vector<float>& d_x, std::vector<float>& d_rows, float factor) const {
    const std::size_t width = shape_.head_width();
    rotate_gradient_back({d_rows.data(), sequences_.batches, 1, sequences_.length, width}, rotary(),
                         sequences_.position_lists());
    scale(d_rows, factor);
    for (std::size_t t = 0; t < tokens(); ++t)
      add(std::span(d_x).subspan(t * shape_.width, width),
          std::span(d_rows).subspan(t * width, width));
  }

  float scale_ = 1.0f;
  std::vector<float> q_, k_;                      // of the first head, rotated; k_ times the scale
  std::vector<float> gates_, biases_, d_biases_;  // batches x queries x keys
  std::optional<Bias> modifier_;
};

constexpr PositionKind kinds[] = {
    {"cope", nullptr, make_layer<Cope>, Sharing::by_option},
    {"fox", nullptr, make_layer<PrefixGateScheme, PrefixTerm::log_sigmoid>},
    {"cable", nullptr, make_layer<PrefixGateScheme, PrefixTerm::log_sigmoid_of_negative>},
    {"grape-a", nullptr, make_layer<GrapeA>},
    {"grape-ap", nullptr, make_layer<EdgeGates, EdgeRange::after_key>},
    {"row-gates", nullptr, make_layer<EdgeGates, EdgeRange::before_query>},
    {"selective", nullptr, make_layer<Selective>},
};

}  // namespace

constinit const std::span<const PositionKind> text_bias_kinds = kinds;

}  // namespace ropewalk
