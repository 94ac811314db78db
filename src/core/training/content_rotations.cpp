// Rotations whose angles come from the text: Selective RoPE, RePo and contextual GRAPE-M.
#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/activations.hpp"
#include "kernels/softmax.hpp"
#include "rotary/accumulated.hpp"
#include "rotary/rotate.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"
#include "training/position_schemes.hpp"
#include "training/projection.hpp"
#include "training/token_layers.hpp"

namespace ropewalk {
namespace {

double inverse_root(std::size_t rows) { return 1.0 / std::sqrt(static_cast<double>(rows)); }

// Queries and keys are rotated alike, half-split, by an angle per token, head and pair.
class AngleScheme : public PositionScheme {
 public:
  explicit AngleScheme(const PositionSetup& setup) : PositionScheme(setup) {
    require_even("position: the head width", shape_.head_width());
  }

  void transform(QueriesAndKeys to, std::size_t layer, ConstMatrixView h) override {
    const RotaryTable table = table_of(layer, h);
    rotate(rows_of(to.q), table, RotaryLayout::half_split);
    rotate(rows_of(to.k), table, RotaryLayout::half_split);
  }

  // A rotated pair (a, b) has the slope (-b, a).
  void transform_backward(QueriesAndKeys d, const QueriesAndKeys& made, std::size_t layer,
                          ConstMatrixView h) override {
    RotaryTable table = table_of(layer, h);
    d_angles_.assign(angles_.size(), 0.0);
    const std::size_t width = shape_.head_width();
    const auto add_angles = [&](const std::vector<float>& d_x, const std::vector<float>& x) {
      for (std::size_t i = 0; i < d_angles_.size(); ++i) {
        const std::size_t first = i / pairs() * width + i % pairs(), second = first + pairs();
        d_angles_[i] +=
            double(d_x[second]) * double(x[first]) - double(d_x[first]) * double(x[second]);
      }
    };
    add_angles(d.q, made.q);
    add_angles(d.k, made.k);
    for (float& sine : table.sin) sine = -sine;
    rotate(rows_of(d.q), table, RotaryLayout::half_split);
    rotate(rows_of(d.k), table, RotaryLayout::half_split);
  }

  void collect(std::size_t layer, ConstMatrixView h, MatrixView d_h) override {
    angles_backward(d_angles_, layer, h, d_h);
  }

 protected:
  std::size_t pairs() const { return shape_.head_width() / 2; }

  // Writes the angle of each token, head and pair, in that order.
  virtual void fill_angles(std::vector<double>& angles, std::size_t layer, ConstMatrixView h) = 0;
  // Adds the gradients of the parameters and of h. The angles of the layer have just been filled.
  virtual void angles_backward(const std::vector<double>& d_angles, std::size_t layer,
                               ConstMatrixView h, MatrixView d_h) = 0;

 private:
  MatrixView rows_of(std::vector<float>& x) const {
    return {x.data(), tokens() * shape_.heads, shape_.head_width()};
  }

  RotaryTable table_of(std::size_t layer, ConstMatrixView h) {
    angles_.resize(tokens() * shape_.heads * pairs());
    fill_angles(angles_, layer, h);
    return table_of_angles(angles_, pairs());
  }

  std::vector<double> angles_, d_angles_;
};

class SelectiveRope final : public AngleScheme {
 public:
  explicit SelectiveRope(const PositionSetup& setup) : AngleScheme(setup) {
    require(options_.rank > 0, "position: rank must be at least 1, got ", options_.rank);
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      const std::string prefix = layer_prefix(l);
      layers_.push_back({Projection(setup, prefix + "Wr1", "", options_.rank),
                         parameters_.add(prefix + "Wr2", options_.rank, cols()),
                         parameters_.add(prefix + "cr", taps, cols())});
    }
    const std::vector<double> of_head =
        angle_temperatures(pairs(), AngleTemperature::rope, options_.base, 1.0);
    for (std::size_t h = 0; h < shape_.heads; ++h)
      temperatures_.insert(temperatures_.end(), of_head.begin(), of_head.end());
  }

  // The convolution begins as the identity.
  void initialize(Random& random) override {
    for (Layer& layer : layers_) {
      fill_normal(layer.down.weights(), random, inverse_root(shape_.width));
      fill_normal(parameters_.values(layer.up), random, inverse_root(options_.rank));
      std::ranges::fill(parameters_.values(layer.taps).row(taps - 1), 1.0f);
    }
  }

 private:
  static constexpr std::size_t taps = 4;
  struct Layer {
    Projection down;
    std::size_t up, taps;
  };

  std::size_t cols() const { return shape_.heads * pairs(); }
  MatrixView matrix(std::vector<float>& numbers, std::size_t cols) const {
    numbers.resize(tokens() * cols);
    return {numbers.data(), tokens(), cols};
  }
  // Heads of tokens as rows.
  ConstMatrixView heads_of(ConstMatrixView x) const {
    return {x.data, x.rows * shape_.heads, shape_.head_width()};
  }
  AngleAccumulation accumulation() const {
    return {.heads = batches_,
            .length = length_,
            .width = cols(),
            .pairs = cols(),
            .increments = increments_,
            .temperatures = temperatures_};
  }

  void fill_angles(std::vector<double>& angles, std::size_t layer, ConstMatrixView h) override {
    Layer& own = layers_[layer];
    const MatrixView unit = matrix(unit_, shape_.width), raw = matrix(raw_, cols());
    unit_rows_forward({unit.data, tokens() * shape_.heads, shape_.head_width()}, heads_of(h));
    linear_forward(raw, own.down.forward(unit), parameters_.values(own.up), scratch_);
    causal_convolution_forward(matrix(increments_, cols()), raw, parameters_.values(own.taps),
                               length_);
    std::vector<double> state(batches_ * cols());
    accumulate_angles(angles, state, accumulation());
  }

  void angles_backward(const std::vector<double>& d_angles, std::size_t layer, ConstMatrixView h,
                       MatrixView d_h) override {
    Layer& own = layers_[layer];
    std::vector<float> of_increments(increments_.size()), of_raw, of_down, of_unit;
    accumulate_angles_backward(of_increments, d_angles, accumulation());
    const MatrixView d_raw = matrix(of_raw, cols()), d_down = matrix(of_down, options_.rank),
                     d_unit = matrix(of_unit, shape_.width);
    causal_convolution_backward(d_raw, parameters_.gradients(own.taps),
                                {of_increments.data(), tokens(), cols()}, matrix(raw_, cols()),
                                parameters_.values(own.taps), length_);
    const MatrixView unit = matrix(unit_, shape_.width);
    linear_backward(d_down, parameters_.gradients(own.up), d_raw, own.down.forward(unit),
                    parameters_.values(own.up), scratch_);
    own.down.backward(d_down, unit, d_unit);
    const MatrixView d_heads(d_unit.data, tokens() * shape_.heads, shape_.head_width());
    unit_rows_backward(d_heads, d_heads, heads_of(h));
    add(all_of(d_h), all_of(d_unit));
  }

  std::vector<Layer> layers_;
  std::vector<double> temperatures_;
  std::vector<float> unit_, raw_, increments_, scratch_;  // of the layer that was filled
};

// Rope at a position that each token has in each head.
class PositionedRope : public AngleScheme {
 public:
  explicit PositionedRope(const PositionSetup& setup)
      : AngleScheme(setup),
        frequencies_(rotary_frequencies(setup.shape.head_width(), setup.options.base)) {}

 protected:
  // tokens x heads
  virtual void fill_positions(std::span<double> positions, std::size_t layer,
                              ConstMatrixView h) = 0;
  virtual void positions_backward(std::span<const double> d_positions, std::size_t layer,
                                  ConstMatrixView h, MatrixView d_h) = 0;

 private:
  void fill_angles(std::vector<double>& angles, std::size_t layer, ConstMatrixView h) override {
    std::vector<double> positions(tokens() * shape_.heads);
    fill_positions(positions, layer, h);
    for (std::size_t i = 0; i < angles.size(); ++i)
      angles[i] = positions[i / pairs()] * frequencies_[i % pairs()];
  }

  void angles_backward(const std::vector<double>& d_angles, std::size_t layer, ConstMatrixView h,
                       MatrixView d_h) override {
    std::vector<double> d_positions(tokens() * shape_.heads);
    for (std::size_t i = 0; i < d_angles.size(); ++i)
      d_positions[i / pairs()] += d_angles[i] * frequencies_[i % pairs()];
    positions_backward(d_positions, layer, h, d_h);
  }

  std::vector<double> frequencies_;
};

class Repo final : public PositionedRope {
 public:
  explicit Repo(const PositionSetup& setup)
      : PositionedRope(setup), inner_(std::max<std::size_t>(1, shape_.width / 8)) {
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      const std::string prefix = layer_prefix(l);
      layers_.push_back({Projection(setup, prefix + "Wg", "", inner_),
                         Projection(setup, prefix + "Wc", "", inner_),
                         parameters_.add(prefix + "Wp", inner_, shape_.heads)});
    }
  }

  void initialize(Random& random) override {
    for (Layer& layer : layers_) {
      fill_normal(layer.gate.weights(), random, inverse_root(shape_.width));
      fill_normal(layer.content.weights(), random, inverse_root(shape_.width));
      fill_normal(parameters_.values(layer.position), random, inverse_root(inner_));
    }
  }

 private:
  struct Layer {
    Projection gate, content;
    std::size_t position;
  };

  void fill_positions(std::span<double> positions, std::size_t layer, ConstMatrixView h) override {
    Layer& own = layers_[layer];
    gates_ = own.gate.forward(h);
    contents_ = own.content.forward(h);
    silu_.resize(tokens() * inner_);
    silu(silu_, all_of(gates_));
    products_.resize(silu_.size());
    std::ranges::transform(silu_, all_of(contents_), products_.begin(), std::multiplies());
    std::vector<float> narrow(positions.size());
    linear_forward({narrow.data(), tokens(), shape_.heads}, {products_.data(), tokens(), inner_},
                   parameters_.values(own.position), scratch_);
    std::ranges::copy(narrow, positions.begin());
  }

  void positions_backward(std::span<const double> d_positions, std::size_t layer, ConstMatrixView h,
                          MatrixView d_h) override {
    Layer& own = layers_[layer];
    const std::vector<float> narrow(d_positions.begin(), d_positions.end());
    std::vector<float> d_products(products_.size()), d_gates(products_.size());
    const MatrixView d(d_products.data(), tokens(), inner_);
    linear_backward(d, parameters_.gradients(own.position), {narrow.data(), tokens(), shape_.heads},
                    {products_.data(), tokens(), inner_}, parameters_.values(own.position),
                    scratch_);
    std::ranges::transform(d_products, all_of(contents_), d_gates.begin(), std::multiplies());
    silu_backward(d_gates, d_gates, all_of(gates_));
    std::ranges::transform(d_products, silu_, d_products.begin(), std::multiplies());
    own.gate.backward({d_gates.data(), tokens(), inner_}, h, d_h);
    own.content.backward(d, h, d_h);
  }

  std::size_t inner_;
  std::vector<Layer> layers_;
  MatrixView gates_, contents_;  // of the layer that was filled, in its projections
  std::vector<float> silu_, products_, scratch_;
};

class GrapeM final : public PositionedRope {
 public:
  explicit GrapeM(const PositionSetup& setup) : PositionedRope(setup), ones_(shape_.heads, 1.0) {
    for (std::size_t l = 0; l < shape_.layers; ++l) {
      const std::string prefix = layer_prefix(l);
      layers_.emplace_back(setup, prefix + "Wm", prefix + "bm", shape_.heads);
    }
  }

  void initialize(Random&) override {
    for (Projection& layer : layers_)
      std::ranges::fill(layer.bias(), 0.541324855f);  // softplus of it is 1
  }

 private:
  AngleAccumulation accumulation() const {
    return {.heads = batches_,
            .length = length_,
            .width = shape_.heads,
            .pairs = shape_.heads,
            .increments = increments_,
            .temperatures = ones_,
            .sum = AngleSum::exclusive};
  }

  void fill_positions(std::span<double> positions, std::size_t layer, ConstMatrixView h) override {
    logits_ = layers_[layer].forward(h);
    increments_.resize(positions.size());
    softplus(increments_, all_of(logits_));
    std::vector<double> state(batches_ * shape_.heads);
    accumulate_angles(positions, state, accumulation());
  }

  void positions_backward(std::span<const double> d_positions, std::size_t layer, ConstMatrixView h,
                          MatrixView d_h) override {
    std::vector<float> d(d_positions.size());
    accumulate_angles_backward(d, d_positions, accumulation());
    for (std::size_t i = 0; i < d.size(); ++i)
      d[i] *= static_cast<float>(1.0 / (1.0 + portable::exp(-double(logits_.data[i]))));
    layers_[layer].backward({d.data(), tokens(), shape_.heads}, h, d_h);
  }

  std::vector<double> ones_;
  std::vector<Projection> layers_;
  MatrixView logits_;  // of the layer that was filled, in its projection
  std::vector<float> increments_;
};

}  // namespace

std::unique_ptr<PositionScheme> make_selective_rope(const PositionSetup& setup) {
  return std::make_unique<SelectiveRope>(setup);
}

std::unique_ptr<PositionScheme> make_repo(const PositionSetup& setup) {
  return std::make_unique<Repo>(setup);
}

std::unique_ptr<PositionScheme> make_grape_m(const PositionSetup& setup) {
  return std::make_unique<GrapeM>(setup);
}

}  // namespace ropewalk
