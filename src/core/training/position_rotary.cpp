// Position schemes that rotate queries and keys by their positions.
#include "base/require.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {

std::vector<double> trained_frequencies(const PositionSetup& setup) {
  require_even("position: the head width", setup.shape.head_width());
  return rotary_frequencies(setup.shape.head_width(), setup.options.base);
}

void RopeScheme::attach(AttentionCall& call, std::size_t, ConstMatrixView, float*) {
  const std::size_t most = shape_.head_width() / 2;
  const auto& frequencies = use_.frequencies.empty() ? trained_frequencies_ : use_.frequencies;
  require(frequencies.size() <= most, "position: frequencies must be at most ", most, ", got ",
          frequencies.size());
  rotary_.frequencies = frequencies;
  rotary_.attention_factor = use_.attention_factor;
  rotary_.layout = options_.is_half_split ? RotaryLayout::half_split : RotaryLayout::interleaved;
  if (counts_up_) {
    set_rotations(mapped_, use_.map, call);
    rotary_.rotations = mapped_.rotations;
  } else {
    plain_ = {positions_, positions_};
    rotary_.rotations = {&plain_, 1};
  }
  call.rotary = &rotary_;
}

namespace {

// xPos scales what it rotates, so it rotates before attention; the transpose takes gradients back.
class Xpos final : public PositionScheme {
 public:
  explicit Xpos(const PositionSetup& setup)
      : PositionScheme(setup), frequencies_(trained_frequencies(setup)) {}

  void transform(QueriesAndKeys to, std::size_t, ConstMatrixView) override {
    rotate(to.q, XposRole::query, false);
    rotate(to.k, XposRole::key, false);
  }

  void transform_backward(QueriesAndKeys d, const QueriesAndKeys&, std::size_t,
                          ConstMatrixView) override {
    rotate(d.q, XposRole::query, true);
    rotate(d.k, XposRole::key, true);
  }

 private:
  // x is (batches, length, heads, head width).
  void rotate(std::vector<float>& x, XposRole role, bool transposed) const {
    const std::size_t rows = positions_.size(), pairs = frequencies_.size(), size = rows * pairs;
    std::vector<double> wide(2 * size);  // cosines, then sines
    const DoubleMatrixView cos(wide.data(), rows, pairs), sin(wide.data() + size, rows, pairs);
    rotary_table(cos, sin, {.rows = rows, .coordinates = positions_, .frequencies = frequencies_});
    scale_xpos(cos, sin, positions_, role, {options_.scale_base, options_.gamma, 0.0});
    std::vector<float> narrow(wide.begin(), wide.end());
    for (std::size_t i = size; transposed && i < 2 * size; ++i) narrow[i] = -narrow[i];
    rotate_heads({x.data(), batches_, shape_.heads, length_, shape_.head_width(), false},
                 {{narrow.data(), rows, pairs}, {narrow.data() + size, rows, pairs}}, {},
                 {RotaryLayout::interleaved, RotaryLayout::interleaved});
  }

  std::vector<double> frequencies_;
};

}  // namespace

std::unique_ptr<PositionScheme> make_xpos(const PositionSetup& setup) {
  return std::make_unique<Xpos>(setup);
}

}  // namespace ropewalk
