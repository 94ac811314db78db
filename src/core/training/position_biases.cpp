// Position schemes that add a bias by distance: ALiBi, T5 and KERPLE.
#include <algorithm>
#include <utility>

#include "attention/score_modifiers.hpp"
#include "base/elementary.hpp"
#include "bias/buckets.hpp"
#include "bias/distance.hpp"
#include "kernels/softmax.hpp"
#include "training/initial_values.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

double softplus(double x) {
  return std::max(x, 0.0) + portable::log1p(portable::exp(-std::abs(x)));
}
double softplus_slope(double x) { return 1.0 / (1.0 + portable::exp(-x)); }

// A list of biases per head, for the distances -last_position ... 0.
class DistanceScheme : public PositionScheme {
 public:
  using PositionScheme::PositionScheme;

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView, float* d_q) override {
    const double last =
        counts_up_ ? static_cast<double>(length_) - 1.0 : std::ranges::max(positions_);
    const std::size_t count = static_cast<std::size_t>(last) + 1;
    const std::int64_t first = 1 - static_cast<std::int64_t>(count);
    lists_.resize(shape_.heads * count);
    fill(layer, {lists_.data(), shape_.heads, count}, first);
    d_lists_.assign(d_q ? lists_.size() : 0, 0.0f);
    const bool is_per_batch = positions_.size() != length_;
    attach_modifier(
        call,
        bias_.emplace(lists_, shape_.heads, first, d_q ? d_lists_.data() : nullptr,
                      counts_up_ ? BatchRows<double>()
                                 : BatchRows<double>{positions_, is_per_batch ? length_ : 0}));
  }

  void collect(std::size_t layer, ConstMatrixView, MatrixView) override {
    const std::size_t count = d_lists_.size() / shape_.heads;
    fill_backward(layer, {d_lists_.data(), shape_.heads, count},
                  1 - static_cast<std::int64_t>(count));
  }

 protected:
  virtual void fill(std::size_t layer, MatrixView lists, std::int64_t first) = 0;
  // Adds the gradients of the parameters, given that of the lists, which it may change.
  virtual void fill_backward(std::size_t, MatrixView, std::int64_t) {}

 private:
  std::vector<float> lists_, d_lists_;
  std::optional<DistanceBias> bias_;
};

class Alibi final : public DistanceScheme {
 public:
  explicit Alibi(const PositionSetup& setup)
      : DistanceScheme(setup), slopes_(alibi_slopes(setup.shape.heads)) {}

 private:
  void fill(std::size_t, MatrixView lists, std::int64_t first) override {
    alibi(lists, first, slopes_);
  }

  std::vector<double> slopes_;
};

class T5 final : public DistanceScheme {
 public:
  explicit T5(const PositionSetup& setup)
      : DistanceScheme(setup),
        own_(setup, {{"t5.table", options_.buckets, shape_.heads}}, options_.is_per_layer),
        buckets_(T5Direction::causal, static_cast<std::int64_t>(options_.buckets),
                 static_cast<std::int64_t>(options_.max_distance)) {}

 private:
  void fill(std::size_t layer, MatrixView lists, std::int64_t first) override {
    t5_bias(lists, first, parameters_.values(own_.of(layer)), buckets_);
    scale(all_of(lists), static_cast<float>(options_.table_scale));
  }

  void fill_backward(std::size_t layer, MatrixView d_lists, std::int64_t first) override {
    scale(all_of(d_lists), static_cast<float>(options_.table_scale));
    t5_bias_backward(parameters_.gradients(own_.of(layer)), d_lists, first, buckets_);
  }

  LayerParameters own_;
  T5Buckets buckets_;
};

class Kerple final : public DistanceScheme {
 public:
  explicit Kerple(const PositionSetup& setup)
      : DistanceScheme(setup),
        own_(setup, {{"kerple.r1", 1, shape_.heads}, {"kerple.r2", 1, shape_.heads}},
             options_.is_per_layer) {}

  void initialize(Random&) override {
    for (const std::size_t first : own_.all()) {
      fill_evenly(parameters_.row(first), 0.5, 2.0);
      std::ranges::fill(parameters_.row(first + 1), 1.0f);
    }
  }

 private:
  void fill(std::size_t layer, MatrixView lists, std::int64_t first) override {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::span<const float> parameter = parameters_.row(own_.of(layer) + i);
      r_[i].assign(parameter.begin(), parameter.end());
      if (options_.is_softplus) std::ranges::transform(r_[i], r_[i].begin(), softplus);
    }
    kerple(lists, first, r_[0], r_[1]);
  }

  void fill_backward(std::size_t layer, MatrixView d_lists, std::int64_t first) override {
    const std::size_t heads = shape_.heads;
    std::vector<double> d_r(2 * heads);
    kerple_backward(std::span(d_r).first(heads), std::span(d_r).last(heads), d_lists, first, r_[0],
                    r_[1]);
    for (std::size_t i = 0; i < d_r.size(); ++i) {
      const std::size_t index = own_.of(layer) + i / heads, head = i % heads;
      const double slope =
          options_.is_softplus ? softplus_slope(parameters_.row(index)[head]) : 1.0;
      parameters_.gradients(index).row(0)[head] += static_cast<float>(d_r[i] * slope);
    }
  }

  LayerParameters own_;
  std::vector<double> r_[2];  // of the layer that fill() was given
};

}  // namespace

std::unique_ptr<PositionScheme> make_distance_bias(const PositionSetup& setup) {
  if (setup.options.kind == PositionKind::alibi) return std::make_unique<Alibi>(setup);
  if (setup.options.kind == PositionKind::t5) return std::make_unique<T5>(setup);
  return std::make_unique<Kerple>(setup);
}

}  // namespace ropewalk
