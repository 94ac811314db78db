// Position schemes with a bias per pair of query and key: FIRE and CoPE.
#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "bias/network.hpp"
#include "content/cope.hpp"
#include "training/initial_values.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

class Fire final : public PositionScheme {
 public:
  explicit Fire(const PositionSetup& setup)
      : PositionScheme(setup),
        own_(setup,
             {{"fire.w1", 1, options_.hidden},
              {"fire.b1", 1, options_.hidden},
              {"fire.w2", options_.hidden, shape_.heads}},
             options_.is_per_layer) {}

  void initialize(Random& random) override {
    for (const std::size_t first : own_.all()) {
      // Kinks spread over [0, 1], where the inputs are.
      for (std::size_t i = 0; i < options_.hidden; ++i) {
        const double weight = random.normal();
        const double kink = (static_cast<double>(i) + 0.5) / static_cast<double>(options_.hidden);
        parameters_.row(first)[i] = static_cast<float>(weight);
        parameters_.row(first + 1)[i] = static_cast<float>(-weight * kink);
      }
      fill_normal(parameters_.values(first + 2), random,
                  1.0 / std::sqrt(static_cast<double>(options_.hidden)));
    }
  }

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView, float* d_q) override {
    require(positions_.size() == length_,
            "position: fire takes one list of positions for all sequences, got ", positions_.size(),
            " positions");
    const std::size_t heads = shape_.heads;
    biases_.resize(heads * length_ * length_);
    fire({biases_.data(), heads * length_, length_}, positions_, positions_, network(layer),
         constants());
    d_biases_.assign(d_q ? biases_.size() : 0, 0.0f);
    attach_modifier(call, bias_.emplace(biases_, BroadcastShape({1, heads, length_, length_}),
                                        d_q ? d_biases_.data() : nullptr));
  }

  void collect(std::size_t layer, ConstMatrixView, MatrixView) override {
    const std::size_t hidden = options_.hidden, heads = shape_.heads, first = own_.of(layer);
    std::vector<float> d_head_weights(heads * hidden);
    fire_backward({.hidden_weights = {parameters_.gradients(first).data, hidden, 1},
                   .hidden_bias = parameters_.gradients(first + 1).row(0),
                   .head_weights = {d_head_weights.data(), heads, hidden},
                   .head_bias = {}},
                  {d_biases_.data(), heads * length_, length_}, positions_, positions_,
                  network(layer), constants());
    for (std::size_t i = 0; i < hidden; ++i) {
      for (std::size_t head = 0; head < heads; ++head)
        parameters_.gradients(first + 2).row(i)[head] += d_head_weights[head * hidden + i];
    }
  }

 private:
  FireOptions constants() const {
    return {.c = options_.c, .threshold = options_.threshold, .epsilon = options_.epsilon};
  }

  // The package's layers store weights as outputs x inputs; the list has hidden x heads.
  BiasNetwork network(std::size_t layer) {
    const std::size_t hidden = options_.hidden, heads = shape_.heads, first = own_.of(layer);
    head_weights_.resize(heads * hidden);
    for (std::size_t i = 0; i < hidden; ++i) {
      for (std::size_t h = 0; h < heads; ++h)
        head_weights_[h * hidden + i] = parameters_.values(first + 2).row(i)[h];
    }
    return {{parameters_.row(first).data(), hidden, 1},
            parameters_.row(first + 1),
            {head_weights_.data(), heads, hidden},
            {}};
  }

  LayerParameters own_;
  std::vector<float> biases_, d_biases_, head_weights_;
  std::optional<Bias> bias_;
};

class Cope final : public PositionScheme {
 public:
  explicit Cope(const PositionSetup& setup)
      : PositionScheme(setup),
        own_(setup, {{"cope.e", options_.rows, shape_.head_width()}}, options_.is_per_layer) {}

  void initialize(Random& random) override {
    for (const std::size_t table : own_.all()) fill_normal(parameters_.values(table), random, 0.02);
  }

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView, float* d_q) override {
    const std::size_t table = own_.of(layer);
    attach_modifier(call, bias_.emplace(call.q, parameters_.values(table), d_q,
                                        d_q ? parameters_.gradients(table) : MatrixView()));
  }

 private:
  LayerParameters own_;
  std::optional<ContextualBias> bias_;
};

}  // namespace

std::unique_ptr<PositionScheme> make_fire(const PositionSetup& setup) {
  return std::make_unique<Fire>(setup);
}

std::unique_ptr<PositionScheme> make_cope(const PositionSetup& setup) {
  return std::make_unique<Cope>(setup);
}

}  // namespace ropewalk
