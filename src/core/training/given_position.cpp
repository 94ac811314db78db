// The position of a layer that is given as data: rotation, biases by distance, window and factors
// of scores. It has no parameters, and is the one that reads the past from a cache.
#include "attention/score_modifiers.hpp"
#include "base/require.hpp"
#include "bias/distance.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

class GivenScheme final : public LayerScheme {
 public:
  GivenScheme(const PositionSetup& setup, const GivenPosition& given)
      : LayerScheme(setup, ""), given_(given) {
    const std::size_t pairs = shape_.head_width() / 2;
    require(given_.frequencies.size() <= pairs, "position: frequencies must be at most ", pairs,
            ", got ", given_.frequencies.size());
    require(given_.slopes.empty() || given_.slopes.size() == shape_.heads,
            "position: slopes must have ", shape_.heads, " values, got ", given_.slopes.size());
  }

  // Without a map, queries and keys are rotated here: a cache then has keys as they are scored.
  void transform(QueriesAndKeys x, ConstMatrixView) override {
    if (!has_map()) rotate(x, given_.frequencies);
  }

  // The transpose of a rotation is the one by negative angles.
  void transform_backward(QueriesAndKeys d, const QueriesAndKeys&) override {
    std::vector<double> negative = given_.frequencies;
    for (double& frequency : negative) frequency = -frequency;
    if (!has_map()) rotate(d, negative);
  }

  void attach(AttentionCall& call, float*) override {
    call.band.lookback = std::min(call.band.lookback, given_.lookback);
    if (has_map() && !given_.frequencies.empty()) attach_map(call);
    if (!given_.slopes.empty()) attach_slopes(call);
    if (!given_.row_factors.empty()) attach_row_factors(call);
  }

 private:
  bool has_map() const { return given_.map.kind != PositionMapKind::plain; }

  // x is (batches, length, heads, head width), keys with key heads.
  void rotate(QueriesAndKeys x, std::span<const double> frequencies) const {
    if (frequencies.empty()) return;
    const auto& [batches, length, positions, steps, counts_up, use, past, tables] = sequences_;
    const std::size_t width = shape_.head_width();
    const RotaryTableView table = tables.of(positions, frequencies, given_.attention_factor);
    const RotaryLayouts layouts{given_.layout, given_.layout};
    rotate_heads({x.q.data(), batches, shape_.heads, length, width, false}, table, {{}, steps},
                 layouts);
    rotate_heads({x.k.data(), batches, shape_.key_heads, length, width, false}, table, {{}, steps},
                 layouts);
  }

  void attach_map(AttentionCall& call) {
    require(sequences_.counts_up, "position: map must be left out where positions are given");
    set_rotations(mapped_, given_.map, call);
    rotary_.rotations = mapped_.rotations;
    rotary_.frequencies = given_.frequencies;
    rotary_.attention_factor = given_.attention_factor;
    rotary_.layout = given_.layout;
    call.rotary = &rotary_;
  }

  void attach_slopes(AttentionCall& call) {
    require(sequences_.counts_up, "position: slopes must be left out where positions are given");
    const std::size_t keys = call.shape.keys;
    const std::int64_t first = 1 - static_cast<std::int64_t>(keys);
    biases_.resize(shape_.heads * keys);
    alibi({biases_.data(), shape_.heads, keys}, first, given_.slopes);
    attach_modifier(call, bias_.emplace(biases_, shape_.heads, first));
  }

  void attach_row_factors(AttentionCall& call) {
    const std::size_t past_end = sequences_.past + sequences_.length;
    require(past_end <= given_.row_factors.size(), "position: row_factors must have at least ",
            past_end, " values, got ", given_.row_factors.size());
    const auto factors = std::span(given_.row_factors).subspan(sequences_.past, sequences_.length);
    attach_modifier(call, row_scale_.emplace(RowLists<float>{factors}));
  }

  const GivenPosition given_;
  MappedRotations mapped_;
  AttentionRotary rotary_;
  std::vector<float> biases_;
  std::optional<DistanceBias> bias_;
  std::optional<RowScale> row_scale_;
};

}  // namespace

std::unique_ptr<LayerScheme> make_given(const PositionSetup& setup, const GivenPosition& given) {
  return std::make_unique<GivenScheme>(setup, given);
}

}  // namespace ropewalk
