#include "training/position.hpp"

#include "base/require.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {

void PositionScheme::begin(std::size_t batches, std::size_t length,
                           std::span<const double> positions, const RotaryUse& rotary) {
  require(positions.empty() || positions.size() == length || positions.size() == batches * length,
          "position: positions must have ", length, " or ", batches * length, " values, got ",
          positions.size());
  const bool has_map = rotary.map.kind != PositionMapKind::plain;
  if (!has_rotary_use()) {
    require(rotary.frequencies.empty(),
            "position: frequencies must be left out unless the scheme is rope, ssmax or selective, "
            "got ",
            rotary.frequencies.size());
    require(!has_map,
            "position: map must be left out unless the scheme is rope, ssmax or selective");
  }
  require(!has_map || positions.empty(),
          "position: map must be left out where positions are given, got ", positions.size());
  batches_ = batches;
  length_ = length;
  counts_up_ = positions.empty();
  positions_.assign(positions.begin(), positions.end());
  if (counts_up_) {
    positions_.resize(length);
    for (std::size_t i = 0; i < length; ++i) positions_[i] = static_cast<double>(i);
  }
  use_ = rotary;
}

void PositionScheme::attach_modifier(AttentionCall& call, const ScoreModifier& modifier) {
  std::vector<const ScoreModifier*> modifiers(call.modifiers.begin(), call.modifiers.end());
  insert_modifier(modifiers, modifier);
  modifiers_ = std::move(modifiers);
  call.modifiers = modifiers_;
}

LayerParameters::LayerParameters(const PositionSetup& setup, std::initializer_list<Shape> shapes,
                                 bool is_per_layer)
    : is_per_layer_(is_per_layer) {
  for (std::size_t l = 0; l < (is_per_layer ? setup.shape.layers : 1); ++l) {
    const std::string prefix = is_per_layer ? layer_prefix(l) : "";
    first_.push_back(setup.parameters.all().size());
    for (const Shape& shape : shapes)
      setup.parameters.add(prefix + shape.name, shape.rows, shape.cols);
  }
}

std::unique_ptr<PositionScheme> make_position_scheme(const PositionSetup& setup) {
  switch (setup.options.kind) {
    case PositionKind::none:
      return std::make_unique<PositionScheme>(setup);
    case PositionKind::sinusoidal:
      return make_sinusoidal(setup);
    case PositionKind::learned:
      return make_learned(setup);
    case PositionKind::rope:
      return std::make_unique<RopeScheme>(setup);
    case PositionKind::xpos:
      return make_xpos(setup);
    case PositionKind::alibi:
    case PositionKind::t5:
    case PositionKind::kerple:
      return make_distance_bias(setup);
    case PositionKind::fire:
      return make_fire(setup);
    case PositionKind::cope:
      return make_cope(setup);
    case PositionKind::fox:
      return make_prefix_gates(setup);
    case PositionKind::ssmax:
      return make_ssmax(setup);
    case PositionKind::cable:
      return make_prefix_gates(setup);
    case PositionKind::wall:
      return make_wall(setup);
    case PositionKind::selective_rope:
      return make_selective_rope(setup);
    case PositionKind::repo:
      return make_repo(setup);
    case PositionKind::grape_m:
      return make_grape_m(setup);
    case PositionKind::grape_a:
      return make_grape_a(setup);
    case PositionKind::path:
      return make_path(setup);
    case PositionKind::pope:
      return make_pope(setup);
    case PositionKind::stick_breaking:
      return make_stick_breaking(setup);
    case PositionKind::grape_ap:
    case PositionKind::row_gates:
      return make_edge_gates(setup);
    case PositionKind::selective:
      return make_selective(setup);
  }
  require(false, "position: kind must be one of ", position_kinds, ", got ",
          static_cast<int>(setup.options.kind));
  return nullptr;
}

}  // namespace ropewalk
