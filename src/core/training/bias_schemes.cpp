// Position schemes that add a bias by distance: ALiBi, T5, KERPLE and FIRE.
#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/score_modifiers.hpp"
#include "base/elementary.hpp"
#include "bias/buckets.hpp"
#include "bias/distance.hpp"
#include "bias/network.hpp"
#include "kernels/rows.hpp"
#include "training/initial_values.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

double softplus(double x) {
  return std::max(x, 0.0) + portable::log1p(portable::exp(-std::abs(x)));
}
double softplus_slope(double x) { return 1.0 / (1.0 + portable::exp(-x)); }

// A list of biases per head, for the distances -last_position ... 0.
class DistanceScheme : public LayerScheme {
 public:
  using LayerScheme::LayerScheme;

  void begin() override {
    const double last = std::ranges::max(sequences_.positions);
    lists_.resize(shape_.heads * (static_cast<std::size_t>(last) + 1));
    fill(rows_of(lists_), first_distance());
  }

  void attach(AttentionCall& call, float* d_q) override {
    d_lists_.assign(d_q ? lists_.size() : 0, 0.0f);
    attach_modifier(
        call,
        modifier_.emplace(lists_, shape_.heads, first_distance(), d_q ? d_lists_.data() : nullptr,
                          sequences_.counts_up ? RowLists<double>() : sequences_.position_lists()));
  }

  void collect(ConstMatrixView, MatrixView) override {
    fill_backward(rows_of(d_lists_), first_distance());
  }

 protected:
  virtual void fill(MatrixView lists, std::int64_t first) = 0;
  // Adds the gradients of the parameters, given that of the lists, which it may change.
  virtual void fill_backward(MatrixView, std::int64_t) {}

 private:
  MatrixView rows_of(std::vector<float>& lists) const {
    return {lists.data(), shape_.heads, lists.size() / shape_.heads};
  }
  std::int64_t first_distance() const {
    return 1 - static_cast<std::int64_t>(lists_.size() / shape_.heads);
  }

  std::vector<float> lists_, d_lists_;
  std::optional<DistanceBias> modifier_;
};

class Alibi final : public DistanceScheme {
 public:
  Alibi(const PositionSetup& setup, const std::string& prefix)
      : DistanceScheme(setup, prefix), slopes_(alibi_slopes(shape_.heads)) {}

 private:
  void fill(MatrixView lists, std::int64_t first) override { alibi(lists, first, slopes_); }

  std::vector<double> slopes_;
};

// t5.table (buckets x heads), times table_scale.
class T5 final : public DistanceScheme {
 public:
  T5(const PositionSetup& setup, const std::string& prefix)
      : DistanceScheme(setup, prefix),
        table_(add_parameter("t5.table", options_.buckets, shape_.heads)),
        buckets_(T5Direction::causal, static_cast<std::int64_t>(options_.buckets),
                 static_cast<std::int64_t>(options_.max_distance)) {}

 private:
  void fill(MatrixView lists, std::int64_t first) override {
    t5_bias(lists, first, parameters_.values(table_), buckets_);
    scale(all_of(lists), static_cast<float>(options_.table_scale));
  }

  void fill_backward(MatrixView d_lists, std::int64_t first) override {
    // lists = table_scale t5_bias(table)
    scale(all_of(d_lists), static_cast<float>(options_.table_scale));
    t5_bias_backward(parameters_.gradients(table_), d_lists, first, buckets_);
  }

  std::size_t table_;
  T5Buckets buckets_;
};

// kerple.r1, kerple.r2 (heads): those of the logarithmic kind, or softplus makes them of these.
class Kerple final : public DistanceScheme {
 public:
  Kerple(const PositionSetup& setup, const std::string& prefix)
      : DistanceScheme(setup, prefix),
        parameters_at_{add_parameter("kerple.r1", 1, shape_.heads),
                       add_parameter("kerple.r2", 1, shape_.heads)} {}

  void initialize(Random&) override {
    fill_evenly(parameters_.row(parameters_at_[0]), 0.5, 2.0);
    std::ranges::fill(parameters_.row(parameters_at_[1]), 1.0f);
  }

 private:
  void fill(MatrixView lists, std::int64_t first) override {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::span<const float> parameter = parameters_.row(parameters_at_[i]);
      r_[i].assign(parameter.begin(), parameter.end());
      if (options_.is_softplus) std::ranges::transform(r_[i], r_[i].begin(), softplus);
    }
    kernels().fill(lists, first, {0, shape_.heads});
  }

  void fill_backward(MatrixView d_lists, std::int64_t first) override {
    std::vector<double> d_r(2 * shape_.heads);
    kernels().backward(d_r, d_lists, first);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::span<const float> parameter = parameters_.row(parameters_at_[i]);
      const std::span<float> d_parameter = parameters_.gradients(parameters_at_[i]).row(0);
      // r = softplus(parameter), or the parameter itself
      for (std::size_t head = 0; head < shape_.heads; ++head) {
        const double slope = options_.is_softplus ? softplus_slope(parameter[head]) : 1.0;
        d_parameter[head] += static_cast<float>(d_r[i * shape_.heads + head] * slope);
      }
    }
  }

  // Logarithmic and causal.
  KerpleBias kernels() const { return {.r1 = r_[0], .r2 = r_[1]}; }

  std::size_t parameters_at_[2];
  std::vector<double> r_[2];
};

// fire.w1, fire.b1 (hidden), fire.w2 (hidden x heads). An output bias would shift whole rows
// without any effect on weights, so there is none.
class Fire final : public LayerScheme {
 public:
  Fire(const PositionSetup& setup, const std::string& prefix)
      : LayerScheme(setup, prefix),
        w1_(add_parameter("fire.w1", 1, options_.hidden)),
        b1_(add_parameter("fire.b1", 1, options_.hidden)),
        w2_(add_parameter("fire.w2", options_.hidden, shape_.heads)) {}

  // Kinks spread over [0, 1], where the inputs are.
  void initialize(Random& random) override {
    for (std::size_t i = 0; i < options_.hidden; ++i) {
      const double weight = random.normal();
      const double kink = (static_cast<double>(i) + 0.5) / static_cast<double>(options_.hidden);
      parameters_.row(w1_)[i] = static_cast<float>(weight);
      parameters_.row(b1_)[i] = static_cast<float>(-weight * kink);
    }
    fill_normal(parameters_.values(w2_), random,
                1.0 / std::sqrt(static_cast<double>(options_.hidden)));
  }

  void begin() override {
    const auto& [batches, length, positions, steps, counts_up, use, past, tables] = sequences_;
    require(steps.batch == 0, "position: fire takes one list of positions for all sequences, got ",
            positions.size(), " positions");
    biases_.resize(shape_.heads * length * length);
    fire({biases_.data(), shape_.heads * length, length}, positions, positions, network(),
         constants());
  }

  void attach(AttentionCall& call, float* d_q) override {
    const std::size_t length = sequences_.length;
    d_biases_.assign(d_q ? biases_.size() : 0, 0.0f);
    attach_modifier(call,
                    modifier_.emplace(biases_, BroadcastShape({1, shape_.heads, length, length}),
                                      d_q ? d_biases_.data() : nullptr));
  }

  void collect(ConstMatrixView, MatrixView) override {
    const std::size_t hidden = options_.hidden, heads = shape_.heads, length = sequences_.length;
    std::vector<float> d_head_weights(heads * hidden);
    fire_backward({.hidden_weights = {parameters_.gradients(w1_).data, hidden, 1},
                   .hidden_bias = parameters_.gradients(b1_).row(0),
                   .head_weights = {d_head_weights.data(), heads, hidden},
                   .head_bias = {}},
                  {d_biases_.data(), heads * length, length}, sequences_.positions,
                  sequences_.positions, network(), constants());
    // head_weights = w2T
    for (std::size_t i = 0; i < hidden; ++i) {
      for (std::size_t head = 0; head < heads; ++head)
        parameters_.gradients(w2_).row(i)[head] += d_head_weights[head * hidden + i];
    }
  }

 private:
  FireOptions constants() const {
    return {.c = options_.c, .threshold = options_.threshold, .epsilon = options_.epsilon};
  }

  // The package's layers store weights as outputs x inputs; the list has hidden x heads.
  BiasNetwork network() {
    const std::size_t hidden = options_.hidden, heads = shape_.heads;
    head_weights_.resize(heads * hidden);
    for (std::size_t i = 0; i < hidden; ++i) {
      for (std::size_t head = 0; head < heads; ++head)
        head_weights_[head * hidden + i] = parameters_.values(w2_).row(i)[head];
    }
    return {{parameters_.row(w1_).data(), hidden, 1},
            parameters_.row(b1_),
            {head_weights_.data(), heads, hidden},
            {}};
  }

  std::size_t w1_, b1_, w2_;
  std::vector<float> biases_, d_biases_, head_weights_;
  std::optional<Bias> modifier_;
};

constexpr PositionKind kinds[] = {
    {"alibi", nullptr, make_layer<Alibi>, Sharing::all},
    {"t5", nullptr, make_layer<T5>, Sharing::by_option},
    {"kerple", nullptr, make_layer<Kerple>, Sharing::by_option},
    {"fire", nullptr, make_layer<Fire>, Sharing::by_option},
};

}  // namespace

constinit const std::span<const PositionKind> bias_kinds = kinds;

}  // namespace ropewalk
