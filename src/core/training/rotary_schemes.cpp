// Position schemes that rotate queries and keys by their positions: RoPE, also with the scaled
// scores of SSMax, and xPos.
#include <algorithm>

#include "attention/temperature.hpp"
#include "base/require.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {

std::vector<double> trained_frequencies(const ModelShape& shape, double base) {
  require_even("position: the head width", shape.head_width());
  return rotary_frequencies(shape.head_width(), base);
}

void RopeScheme::attach(AttentionCall& call, float*) {
  const RotaryUse& use = sequences_.use;
  const std::size_t max_pairs = shape_.head_width() / 2;
  const auto& frequencies = use.frequencies.empty() ? trained_frequencies_ : use.frequencies;
  require(frequencies.size() <= max_pairs, "position: frequencies must be at most ", max_pairs,
          ", got ", frequencies.size());
  rotary_.frequencies = frequencies;
  rotary_.attention_factor = use.attention_factor;
  rotary_.layout = options_.is_half_split ? RotaryLayout::half_split : RotaryLayout::interleaved;
  if (sequences_.counts_up) {
    set_rotations(mapped_, use.map, call);
    rotary_.rotations = mapped_.rotations;
  } else {
    plain_ = {sequences_.position_lists(), sequences_.position_lists()};
    rotary_.rotations = {&plain_, 1};
  }
  call.rotary = &rotary_;
}

namespace {

// ssmax.s (heads): rope, with scores times s ln(number of keys).
class Ssmax final : public RopeScheme {
 public:
  Ssmax(const PositionSetup& setup, const std::string& prefix)
      : RopeScheme(setup, prefix), scales_(add_parameter("ssmax.s", 1, shape_.heads)) {}

  void initialize(Random&) override {
    std::ranges::fill(parameters_.row(scales_), static_cast<float>(options_.row_factor));
  }

  void prepare(const AttentionCall&, ConstMatrixView) override {
    const std::span<const float> scales = parameters_.row(scales_);
    const std::vector<double> factors =
        ssmax_factors(places(), std::vector<double>(scales.begin(), scales.end()));
    factors_.assign(factors.begin(), factors.end());
  }

  void attach(AttentionCall& call, float* d_q) override {
    RopeScheme::attach(call, d_q);
    d_factors_.assign(d_q ? factors_.size() : 0, 0.0f);
    attach_modifier(call, modifier_.emplace(RowLists<float>{factors_, {.head = sequences_.length}},
                                            d_q ? d_factors_.data() : nullptr));
  }

  // factors[head, m] = s[head] ln(m + 1)
  void collect(ConstMatrixView, MatrixView) override {
    const double one = 1.0;
    const std::vector<double> logarithms = ssmax_factors(places(), {&one, 1});
    const std::span<float> d_scales = parameters_.gradients(scales_).row(0);
    for (std::size_t i = 0; i < d_factors_.size(); ++i) {
      d_scales[i / sequences_.length] +=
          d_factors_[i] * static_cast<float>(logarithms[i % sequences_.length]);
    }
  }

 private:
  // Row m of causal attention sees m + 1 keys, at any position.
  std::vector<double> places() const {
    std::vector<double> list(sequences_.length);
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<double>(i);
    return list;
  }

  std::size_t scales_;
  std::vector<float> factors_, d_factors_;  // heads x length
  std::optional<RowScale> modifier_;
};

// xPos scales what it rotates, so it rotates before attention; the transpose takes gradients back.
class Xpos final : public LayerScheme {
 public:
  Xpos(const PositionSetup& setup, const std::string& prefix)
      : LayerScheme(setup, prefix), frequencies_(trained_frequencies(shape_, options_.base)) {}

  void transform(QueriesAndKeys x, ConstMatrixView) override {
    rotate(x.q, XposRole::query, false);
    rotate(x.k, XposRole::key, false);
  }

  void transform_backward(QueriesAndKeys d, const QueriesAndKeys&) override {
    rotate(d.q, XposRole::query, true);
    rotate(d.k, XposRole::key, true);
  }

 private:
  // x is (batches, length, heads, head width).
  void rotate(std::vector<float>& x, XposRole role, bool is_transposed) const {
    const auto& [batches, length, positions, steps, counts_up, use, past, tables] = sequences_;
    const std::size_t rows = positions.size(), pairs = frequencies_.size(), size = rows * pairs;
    std::vector<double> wide(2 * size);  // cosines, then sines
    const DoubleMatrixView cos(wide.data(), rows, pairs), sin(wide.data() + size, rows, pairs);
    rotary_table(cos, sin, {.rows = rows, .coordinates = positions, .frequencies = frequencies_});
    scale_xpos(cos, sin, positions, role, {options_.scale_base, options_.gamma, 0.0});
    std::vector<float> narrow(wide.begin(), wide.end());
    for (std::size_t i = size; is_transposed && i < 2 * size; ++i) narrow[i] = -narrow[i];
    rotate_heads({x.data(), batches, shape_.heads, length, shape_.head_width(), false},
                 {{narrow.data(), rows, pairs}, {narrow.data() + size, rows, pairs}}, {{}, steps},
                 {RotaryLayout::interleaved, RotaryLayout::interleaved});
  }

  std::vector<double> frequencies_;
};

constexpr PositionKind kinds[] = {
    {"rope", nullptr, make_layer<RopeScheme>, Sharing::all},
    {"xpos", nullptr, make_layer<Xpos>, Sharing::all},
    {"ssmax", nullptr, make_layer<Ssmax>},
};

}  // namespace

constinit const std::span<const PositionKind> rotary_kinds = kinds;

}  // namespace ropewalk
