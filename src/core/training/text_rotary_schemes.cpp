// Rotations whose angles come from the text: Selective RoPE, RePo and contextual GRAPE-M.
#include <algorithm>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/activations.hpp"
#include "kernels/rows.hpp"
#include "rotary/accumulated.hpp"
#include "rotary/rotate.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

// Queries and keys are rotated alike, half-split, by an angle per token, head and pair.
class AngleScheme : public LayerScheme {
 public:
  AngleScheme(const PositionSetup& setup, const std::string& prefix) : LayerScheme(setup, prefix) {
    require_even("position: the head width", shape_.head_width());
  }

  void transform(QueriesAndKeys x, ConstMatrixView h) override {
    std::vector<double> angles(tokens() * shape_.heads * pairs());
    fill_angles(angles, h);
    table_ = table_of_angles(angles, pairs());
    rotate(rows_of(x.q), table_, RotaryLayout::half_split);
    rotate(rows_of(x.k), table_, RotaryLayout::half_split);
  }

  // A rotated pair (a, b) has the slope (-b, a).
  void transform_backward(QueriesAndKeys d, const QueriesAndKeys& made) override {
    const std::size_t width = shape_.head_width();
    d_angles_.assign(table_.sin.size(), 0.0);
    const auto add_angles = [&](const std::vector<float>& d_x, const std::vector<float>& x) {
      for (std::size_t i = 0; i < d_angles_.size(); ++i) {
        const std::size_t first = i / pairs() * width + i % pairs(), second = first + pairs();
        d_angles_[i] +=
            double(d_x[second]) * double(x[first]) - double(d_x[first]) * double(x[second]);
      }
    };
    add_angles(d.q, made.q);
    add_angles(d.k, made.k);
    RotaryTable opposite = table_;
    for (float& sine : opposite.sin) sine = -sine;
    rotate(rows_of(d.q), opposite, RotaryLayout::half_split);
    rotate(rows_of(d.k), opposite, RotaryLayout::half_split);
  }

  void collect(ConstMatrixView h, MatrixView d_h) override { angles_backward(d_angles_, h, d_h); }

 protected:
  std::size_t pairs() const { return shape_.head_width() / 2; }

  // Writes the angle of each token, head and pair, in that order.
  virtual void fill_angles(std::span<double> angles, ConstMatrixView h) = 0;
  // Adds the gradients of the parameters and of h.
  virtual void angles_backward(std::span<const double> d_angles, ConstMatrixView h,
                               MatrixView d_h) = 0;

 private:
  MatrixView rows_of(std::vector<float>& x) const {
    return {x.data(), tokens() * shape_.heads, shape_.head_width()};
  }

  RotaryTable table_;
  std::vector<double> d_angles_;
};

// Wr1 (width x rank), Wr2 (rank x heads * pairs), cr (4 x heads * pairs): increments of angles =
// causal convolution of (h / |h| per head) Wr1 Wr2, summed up to the token, times base^(-i /
// pairs). Without the optional bias and gate.
class SelectiveRope final : public AngleScheme {
 public:
  SelectiveRope(const PositionSetup& setup, const std::string& prefix)
      : AngleScheme(setup, prefix),
        down_(add_linear("Wr1", "", rank())),
        up_(add_linear("Wr2", "", rank(), cols())),
        taps_(add_parameter("cr", taps, cols())) {
    const std::vector<double> temperatures =
        angle_temperatures(pairs(), AngleTemperature::rope, options_.base, 1.0);
    for (std::size_t h = 0; h < shape_.heads; ++h)
      temperatures_.insert(temperatures_.end(), temperatures.begin(), temperatures.end());
  }

  // The convolution begins as the identity.
  void initialize(Random& random) override {
    down_.initialize(random);
    up_.initialize(random);
    std::ranges::fill(parameters_.values(taps_).row(taps - 1), 1.0f);
  }

 private:
  static constexpr std::size_t taps = 4;

  std::size_t rank() const {
    require(options_.rank > 0, "position: rank must be at least 1, got ", options_.rank);
    return options_.rank;
  }
  std::size_t cols() const { return shape_.heads * pairs(); }
  MatrixView matrix(std::vector<float>& numbers, std::size_t cols) const {
    return resized(numbers, tokens(), cols);
  }
  // Heads of tokens as rows.
  template <class View>
  View heads_of(View x) const {
    return {x.data, x.rows * shape_.heads, shape_.head_width()};
  }
  AngleAccumulation accumulation() const {
    return {.heads = sequences_.batches,
            .length = sequences_.length,
            .width = cols(),
            .pairs = cols(),
            .increments = increments_,
            .temperatures = temperatures_};
  }

  void fill_angles(std::span<double> angles, ConstMatrixView h) override {
    const MatrixView unit = matrix(unit_, shape_.width);
    unit_rows_forward(heads_of(unit), heads_of(h));
    lowered_ = down_.forward(unit);
    raw_ = up_.forward(lowered_);
    causal_convolution_forward(matrix(increments_, cols()), raw_, parameters_.values(taps_),
                               sequences_.length);
    std::vector<double> state(sequences_.batches * cols());
    accumulate_angles(angles, state, accumulation());
  }

  void angles_backward(std::span<const double> d_angles, ConstMatrixView h,
                       MatrixView d_h) override {
    std::vector<float> increments, raw, lowered, unit;
    const MatrixView d_increments = matrix(increments, cols()), d_raw = matrix(raw, cols()),
                     d_lowered = matrix(lowered, options_.rank),
                     d_unit = matrix(unit, shape_.width);
    // angles = accumulated increments
    accumulate_angles_backward(increments, d_angles, accumulation());
    // increments = convolution of raw
    causal_convolution_backward(d_raw, parameters_.gradients(taps_), d_increments, raw_,
                                parameters_.values(taps_), sequences_.length);
    // raw = unit Wr1 Wr2
    up_.backward(d_lowered, d_raw, lowered_);
    down_.backward(d_unit, d_lowered, matrix(unit_, shape_.width));
    // unit = h / |h|
    unit_rows_backward(heads_of(d_unit), heads_of(d_unit), heads_of(h));
    add(all_of(d_h), all_of(d_unit));
  }

  Linear down_, up_;
  std::size_t taps_;
  std::vector<double> temperatures_;
  MatrixView lowered_, raw_;  // in down_ and up_
  std::vector<float> unit_, increments_;
};

// Rope at a position that each token has in each head.
class PositionedRope : public AngleScheme {
 public:
  PositionedRope(const PositionSetup& setup, const std::string& prefix)
      : AngleScheme(setup, prefix),
        frequencies_(rotary_frequencies(shape_.head_width(), options_.base)) {}

 protected:
  // tokens x heads
  virtual void fill_positions(std::span<double> positions, ConstMatrixView h) = 0;
  virtual void positions_backward(std::span<const double> d_positions, ConstMatrixView h,
                                  MatrixView d_h) = 0;

 private:
  void fill_angles(std::span<double> angles, ConstMatrixView h) override {
    std::vector<double> positions(tokens() * shape_.heads);
    fill_positions(positions, h);
    for (std::size_t i = 0; i < angles.size(); ++i)
      angles[i] = positions[i / pairs()] * frequencies_[i % pairs()];
  }

  void angles_backward(std::span<const double> d_angles, ConstMatrixView h,
                       MatrixView d_h) override {
    std::vector<double> d_positions(tokens() * shape_.heads);
    // angles[i] = positions[i / pairs] frequencies[i % pairs]
    for (std::size_t i = 0; i < d_angles.size(); ++i)
      d_positions[i / pairs()] += d_angles[i] * frequencies_[i % pairs()];
    positions_backward(d_positions, h, d_h);
  }

  std::vector<double> frequencies_;
};

// Wg, Wc (width x width / 8), Wp (width / 8 x heads): position of a head = (silu(h Wg) (h Wc)) Wp,
// then rope, in every layer; the published models keep integer positions in their first five.
class Repo final : public PositionedRope {
 public:
  Repo(const PositionSetup& setup, const std::string& prefix)
      : PositionedRope(setup, prefix),
        inner_(std::max<std::size_t>(1, shape_.width / 8)),
        gate_(add_linear("Wg", "", inner_)),
        content_(add_linear("Wc", "", inner_)),
        position_(add_linear("Wp", "", inner_, shape_.heads)) {}

  void initialize(Random& random) override {
    for (Linear* layer : {&gate_, &content_, &position_}) layer->initialize(random);
  }

 private:
  MatrixView matrix(std::vector<float>& numbers) const {
    return resized(numbers, tokens(), inner_);
  }

  void fill_positions(std::span<double> positions, ConstMatrixView h) override {
    gates_ = gate_.forward(h);
    contents_ = content_.forward(h);
    const MatrixView products = matrix(products_);
    silu(all_of(matrix(silu_)), all_of(gates_));
    std::ranges::transform(silu_, all_of(contents_), products_.begin(), std::multiplies());
    std::ranges::copy(all_of(position_.forward(products)), positions.begin());
  }

  void positions_backward(std::span<const double> d_positions, ConstMatrixView h,
                          MatrixView d_h) override {
    const std::vector<float> narrow(d_positions.begin(), d_positions.end());
    std::vector<float> products, gates;
    const MatrixView d_products = matrix(products), d_gates = matrix(gates);
    // positions = products Wp
    position_.backward(d_products, {narrow.data(), tokens(), shape_.heads}, matrix(products_));
    // products = silu(gates) contents
    std::ranges::transform(products, all_of(contents_), gates.begin(), std::multiplies());
    silu_backward(gates, gates, all_of(gates_));
    std::ranges::transform(products, silu_, products.begin(), std::multiplies());
    gate_.accumulate_backward(d_h, d_gates, h);
    content_.accumulate_backward(d_h, d_products, h);
  }

  std::size_t inner_;
  Linear gate_, content_, position_;
  MatrixView gates_, contents_;  // in gate_ and content_
  std::vector<float> silu_, products_;
};

// Wm (width x heads), bm (heads): position = sum of softplus(h Wm + bm) over the tokens before,
// then rope. Begins as rope.
class GrapeM final : public PositionedRope {
 public:
  GrapeM(const PositionSetup& setup, const std::string& prefix)
      : PositionedRope(setup, prefix),
        steps_(add_linear("Wm", "bm", shape_.heads)),
        ones_(shape_.heads, 1.0) {}

  void initialize(Random&) override { std::ranges::fill(steps_.bias(), inverse_softplus_of_1); }

 private:
  AngleAccumulation accumulation() const {
    return {.heads = sequences_.batches,
            .length = sequences_.length,
            .width = shape_.heads,
            .pairs = shape_.heads,
            .increments = increments_,
            .temperatures = ones_,
            .sum = AngleSum::exclusive};
  }

  void fill_positions(std::span<double> positions, ConstMatrixView h) override {
    logits_ = steps_.forward(h);
    increments_.resize(positions.size());
    softplus(increments_, all_of(logits_));
    std::vector<double> state(sequences_.batches * shape_.heads);
    accumulate_angles(positions, state, accumulation());
  }

  void positions_backward(std::span<const double> d_positions, ConstMatrixView h,
                          MatrixView d_h) override {
    std::vector<float> d(d_positions.size());
    accumulate_angles_backward(d, d_positions, accumulation());
    // increments = softplus(logits)
    for (std::size_t i = 0; i < d.size(); ++i)
      d[i] *= static_cast<float>(1.0 / (1.0 + portable::exp(-double(logits_.data[i]))));
    steps_.accumulate_backward(d_h, {d.data(), tokens(), shape_.heads}, h);
  }

  Linear steps_;
  std::vector<double> ones_;
  MatrixView logits_;  // in steps_
  std::vector<float> increments_;
};

constexpr PositionKind kinds[] = {
    {"selective-rope", nullptr, make_layer<SelectiveRope>},
    {"repo", nullptr, make_layer<Repo>},
    {"grape-m", nullptr, make_layer<GrapeM>},
};

}  // namespace

constinit const std::span<const PositionKind> text_rotary_kinds = kinds;

}  // namespace ropewalk
