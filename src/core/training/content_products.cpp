// Position schemes inside the dot product of query and key: Wall and PaTH.
#include <algorithm>
#include <cmath>

#include "content/path.hpp"
#include "content/wall.hpp"
#include "kernels/activations.hpp"
#include "kernels/softmax.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"
#include "training/position_schemes.hpp"
#include "training/projection.hpp"
#include "training/token_layers.hpp"

namespace ropewalk {
namespace {

double inverse_root(std::size_t rows) { return 1.0 / std::sqrt(static_cast<double>(rows)); }

// FoX's gates beside a product, or none.
class ScalarGates {
 public:
  void add(const PositionSetup& setup, std::size_t layer) {
    layers_.emplace_back(setup, layer, PrefixTerm::log_sigmoid);
  }

  void initialize() {
    for (PrefixGates& gates : layers_) fill_evenly(gates.projection.bias(), 0.0, 5.0);
  }

  // The modifier of a layer; null: none.
  const ScoreModifier* forward(const AttentionCall& call, std::size_t layer, ConstMatrixView h,
                               bool has_gradient, double factor = 1.0) {
    if (layers_.empty()) return nullptr;
    return &layers_[layer].forward(h, call.shape, has_gradient, factor);
  }

  void backward(std::size_t layer, ConstMatrixView h, MatrixView d_h) {
    if (!layers_.empty()) layers_[layer].backward(h, d_h);
  }

 private:
  std::vector<PrefixGates> layers_;
};

class Wall final : public PositionScheme {
 public:
  explicit Wall(const PositionSetup& setup) : PositionScheme(setup) {
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      const std::string prefix = layer_prefix(l);
      layers_.emplace_back(setup, prefix + "Wg", prefix + "bg", shape_.width);
      if (options_.has_scalar_gate) scalar_.add(setup, l);
    }
  }

  void initialize(Random& random) override {
    for (Projection& layer : layers_) {
      fill_normal(layer.weights(), random, inverse_root(shape_.width));
      std::ranges::fill(layer.bias(), static_cast<float>(options_.gate_bias));
    }
    scalar_.initialize();
  }

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q) override {
    gates_.resize(h.rows * h.cols);
    split_heads(gates_, layers_[layer].forward(h), shape_.heads, length_);
    sums_ = wall_sums(gates_, length_, shape_.head_width(), PrefixTerm::log_sigmoid);
    d_sums_.assign(d_q ? sums_.size() : 0, 0.0);
    call.product = &scores_.emplace(call, sums_, d_sums_);
    if (const ScoreModifier* gate = scalar_.forward(call, layer, h, d_q != nullptr))
      attach_modifier(call, *gate);
  }

  void collect(std::size_t layer, ConstMatrixView h, MatrixView d_h) override {
    std::vector<float> d_gates(gates_.size()), by_token(gates_.size());
    wall_sums_backward(d_gates, d_sums_, gates_, length_, shape_.head_width(),
                       PrefixTerm::log_sigmoid);
    const MatrixView d_y(by_token.data(), h.rows, h.cols);
    join_heads(d_y, d_gates, shape_.heads, length_);
    layers_[layer].backward(d_y, h, d_h);
    scalar_.backward(layer, h, d_h);
  }

 private:
  std::vector<Projection> layers_;
  ScalarGates scalar_;
  std::vector<float> gates_;  // by head
  std::vector<double> sums_, d_sums_;
  std::optional<WallScores> scores_;
};

class Path final : public PositionScheme {
 public:
  explicit Path(const PositionSetup& setup) : PositionScheme(setup) {
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      const std::string prefix = layer_prefix(l);
      layers_.push_back({Projection(setup, prefix + "Ww", "", shape_.width),
                         parameters_.add(prefix + "cw", taps, shape_.width),
                         Projection(setup, prefix + "Wb", prefix + "bb", shape_.heads)});
      if (options_.path_gate != PathGate::none) scalar_.add(setup, l);
    }
  }

  // The convolution begins as the identity, beta near 1: reflections onto planes.
  void initialize(Random& random) override {
    for (Layer& layer : layers_) {
      fill_normal(layer.directions.weights(), random, inverse_root(shape_.width));
      std::ranges::fill(parameters_.values(layer.taps).row(taps - 1), 1.0f);
      fill_normal(layer.strengths.weights(), random, inverse_root(shape_.width));
    }
    scalar_.initialize();
  }

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q) override {
    Layer& own = layers_[layer];
    const std::size_t heads = shape_.heads, width = shape_.width;
    for (std::vector<float>* numbers : {&convolved_, &unscaled_, &unit_, &w_})
      numbers->resize(tokens() * width);
    const MatrixView convolved(convolved_.data(), tokens(), width);
    raw_ = own.directions.forward(h);
    causal_convolution_forward(convolved, raw_, parameters_.values(own.taps), length_);
    silu(unscaled_, convolved_);
    unit_rows_forward(heads_of(unit_), heads_of(unscaled_));
    split_heads(w_, {unit_.data(), tokens(), width}, heads, length_);

    const MatrixView logits = own.strengths.forward(h);
    shares_.resize(tokens() * heads);
    sigmoid(shares_, all_of(logits));
    betas_.resize(shares_.size());
    split_heads(betas_, {shares_.data(), tokens(), heads}, heads, length_);
    scale(betas_, 2.0f);
    d_w_.assign(d_q ? w_.size() : 0, 0.0f);
    d_betas_.assign(d_q ? betas_.size() : 0, 0.0f);
    const HeadsView w = HeadsView::contiguous(w_.data(), heads, length_, shape_.head_width());
    call.product = &scores_.emplace(call, PathFactors{w, betas_}, PathGradients{d_w_, d_betas_});
    if (const ScoreModifier* gate = scalar_.forward(
            call, layer, h, d_q != nullptr, path_gate_factor(options_.path_gate, call.scale)))
      attach_modifier(call, *gate);
  }

  void collect(std::size_t layer, ConstMatrixView h, MatrixView d_h) override {
    Layer& own = layers_[layer];
    const std::size_t heads = shape_.heads, width = shape_.width;
    std::vector<float> numbers(tokens() * width), of_raw(tokens() * width),
        of_logits(tokens() * heads);
    const MatrixView d(numbers.data(), tokens(), width), d_raw(of_raw.data(), tokens(), width);
    join_heads(d, d_w_, heads, length_);
    unit_rows_backward(heads_of(numbers), heads_of(numbers), heads_of(unscaled_));
    silu_backward(numbers, numbers, convolved_);
    causal_convolution_backward(d_raw, parameters_.gradients(own.taps), d, raw_,
                                parameters_.values(own.taps), length_);
    own.directions.backward(d_raw, h, d_h);

    const MatrixView d_logits(of_logits.data(), tokens(), heads);
    join_heads(d_logits, d_betas_, heads, length_);
    for (std::size_t i = 0; i < of_logits.size(); ++i)
      of_logits[i] *= 2.0f * shares_[i] * (1.0f - shares_[i]);
    own.strengths.backward(d_logits, h, d_h);
    scalar_.backward(layer, h, d_h);
  }

 private:
  static constexpr std::size_t taps = 3;
  struct Layer {
    Projection directions;
    std::size_t taps;
    Projection strengths;
  };

  // Heads of tokens as rows.
  MatrixView heads_of(std::vector<float>& x) const {
    return {x.data(), tokens() * shape_.heads, shape_.head_width()};
  }

  std::vector<Layer> layers_;
  ScalarGates scalar_;
  // The layer of attach().
  MatrixView raw_;                                           // in its projection
  std::vector<float> convolved_, unscaled_, unit_, shares_;  // by token
  std::vector<float> w_, betas_, d_w_, d_betas_;             // by head
  std::optional<PathScores> scores_;
};

}  // namespace

std::unique_ptr<PositionScheme> make_wall(const PositionSetup& setup) {
  return std::make_unique<Wall>(setup);
}

std::unique_ptr<PositionScheme> make_path(const PositionSetup& setup) {
  return std::make_unique<Path>(setup);
}

}  // namespace ropewalk
