// Position schemes that change scores or what becomes of them: SSMax, stick-breaking; and PoPE,
// which takes wider queries and keys.
#include <algorithm>
#include <numbers>

#include "attention/temperature.hpp"
#include "base/require.hpp"
#include "content/polar.hpp"
#include "content/stick_breaking.hpp"
#include "kernels/softmax.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

class Ssmax final : public RopeScheme {
 public:
  explicit Ssmax(const PositionSetup& setup)
      : RopeScheme(setup), own_(setup, {{"ssmax.s", 1, shape_.heads}}, true) {}

  void initialize(Random&) override {
    for (const std::size_t scales : own_.all())
      std::ranges::fill(parameters_.row(scales), static_cast<float>(options_.row_factor));
  }

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q) override {
    RopeScheme::attach(call, layer, h, d_q);
    const std::span<const float> own = parameters_.row(own_.of(layer));
    const std::vector<double> factors =
        ssmax_factors(places(), std::vector<double>(own.begin(), own.end()));
    factors_.assign(factors.begin(), factors.end());
    d_factors_.assign(d_q ? factors_.size() : 0, 0.0f);
    attach_modifier(call, scale_.emplace(factors_, BroadcastShape({1, shape_.heads, length_, 1}),
                                         d_q ? d_factors_.data() : nullptr));
  }

  void collect(std::size_t layer, ConstMatrixView, MatrixView) override {
    const double one = 1.0;
    const std::vector<double> logarithms = ssmax_factors(places(), {&one, 1});
    const std::span<float> d = parameters_.gradients(own_.of(layer)).row(0);
    for (std::size_t i = 0; i < d_factors_.size(); ++i)
      d[i / length_] += d_factors_[i] * static_cast<float>(logarithms[i % length_]);
  }

 private:
  // Row m of causal attention sees m + 1 keys, at any position.
  std::vector<double> places() const {
    std::vector<double> list(length_);
    for (std::size_t i = 0; i < length_; ++i) list[i] = static_cast<double>(i);
    return list;
  }

  LayerParameters own_;
  std::vector<float> factors_, d_factors_;  // heads x length
  std::optional<RowScale> scale_;
};

class StickBreaking final : public PositionScheme {
 public:
  using PositionScheme::PositionScheme;

  void attach(AttentionCall& call, std::size_t, ConstMatrixView, float*) override {
    call.weighting = stick_breaking_step;
    call.weighting_backward = stick_breaking_backward;
    if (!options_.attend_current) attach_modifier(call, own_key_);
  }

 private:
  OwnKeyMask own_key_;
};

class Pope final : public PositionScheme {
 public:
  explicit Pope(const PositionSetup& setup)
      : PositionScheme(setup),
        own_(setup, {{"pope.phase", shape_.heads, shape_.head_width()}}, true) {}

  // Phases begin inside their limits, on which they would have no gradient to one side.
  void initialize(Random& random) override {
    for (const std::size_t phases : own_.all()) {
      for (float& phase : all_of(parameters_.values(phases)))
        phase = static_cast<float>(random.uniform(-2.0 * std::numbers::pi, 0.0));
    }
  }

  std::size_t score_width() const override { return 2 * shape_.head_width(); }

  void transform(QueriesAndKeys to, std::size_t layer, ConstMatrixView) override {
    require(positions_.size() == length_,
            "position: pope takes one list of positions for all sequences, got ", positions_.size(),
            " positions");
    widen(to.q, rows_with({}));
    widen(to.k, rows_with(phases_of(layer)));
  }

  void transform_backward(QueriesAndKeys d, const QueriesAndKeys& made, std::size_t layer,
                          ConstMatrixView) override {
    const std::span<float> d_phases = all_of(parameters_.gradients(own_.of(layer)));
    std::vector<double> sums(d_phases.size());
    narrow(d.q, made.q, {}, rows_with({}));
    narrow(d.k, made.k, sums, rows_with(phases_of(layer)));
    for (std::size_t i = 0; i < sums.size(); ++i) d_phases[i] += static_cast<float>(sums[i]);
  }

 private:
  std::span<const float> phases_of(std::size_t layer) {
    return all_of(parameters_.values(own_.of(layer)));
  }

  PolarRows rows_with(std::span<const float> phases) const {
    const std::size_t width = shape_.head_width();
    return {.heads = batches_ * shape_.heads,
            .length = length_,
            .dim = width,
            .polar = width,
            .positions = positions_,
            .phases = phases,
            .base = options_.base};
  }

  // All heads' rows in the other order.
  std::vector<float> by_head(std::vector<float>& by_token, std::size_t cols) const {
    std::vector<float> to(by_token.size());
    split_heads(to, {by_token.data(), tokens(), cols}, shape_.heads, length_);
    return to;
  }
  void join(std::vector<float>& by_token, std::span<const float> from) const {
    by_token.resize(from.size());
    join_heads({by_token.data(), tokens(), from.size() / tokens()}, from, shape_.heads, length_);
  }

  void widen(std::vector<float>& x, const PolarRows& rows) const {
    std::vector<float> to(2 * x.size());
    polar_rows(to, by_head(x, shape_.width), rows);
    join(x, to);
  }

  void narrow(std::vector<float>& d, std::vector<float>& made, std::span<double> d_phases,
              const PolarRows& rows) const {
    std::vector<float> to(d.size() / 2);
    const std::size_t cols = 2 * shape_.width;
    polar_rows_backward(to, d_phases, by_head(d, cols), by_head(made, cols), rows);
    join(d, to);
  }

  LayerParameters own_;
};

}  // namespace

std::unique_ptr<PositionScheme> make_ssmax(const PositionSetup& setup) {
  return std::make_unique<Ssmax>(setup);
}

std::unique_ptr<PositionScheme> make_stick_breaking(const PositionSetup& setup) {
  return std::make_unique<StickBreaking>(setup);
}

std::unique_ptr<PositionScheme> make_pope(const PositionSetup& setup) {
  return std::make_unique<Pope>(setup);
}

}  // namespace ropewalk
