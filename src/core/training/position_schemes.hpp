// The classes of position schemes that others build on, and how to make the rest.
#pragma once

#include <initializer_list>
#include <optional>

#include "training/position.hpp"

namespace ropewalk {

PositionFactory make_sinusoidal, make_learned, make_xpos, make_distance_bias, make_fire, make_cope,
    make_prefix_gates;
PositionFactory make_ssmax, make_wall, make_selective_rope, make_repo, make_grape_m, make_grape_a,
    make_path, make_pope, make_stick_breaking, make_edge_gates, make_selective;

// The frequencies of a head's pairs.
std::vector<double> trained_frequencies(const PositionSetup& setup);

class RopeScheme : public PositionScheme {
 public:
  explicit RopeScheme(const PositionSetup& setup)
      : PositionScheme(setup), trained_frequencies_(trained_frequencies(setup)) {}
  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q) override;

 private:
  bool has_rotary_use() const override { return true; }

  std::vector<double> trained_frequencies_;
  MappedRotations mapped_;
  Rotation plain_;
  AttentionRotary rotary_;
};

// Parameters with the same names in every layer, or in all layers together.
class LayerParameters {
 public:
  struct Shape {
    const char* name;
    std::size_t rows, cols;
  };

  LayerParameters(const PositionSetup& setup, std::initializer_list<Shape> shapes,
                  bool is_per_layer);

  // Where a layer's parameters begin in the list, in the order of their shapes.
  std::size_t of(std::size_t layer) const { return first_[is_per_layer_ ? layer : 0]; }
  const std::vector<std::size_t>& all() const { return first_; }

 private:
  bool is_per_layer_;
  std::vector<std::size_t> first_;
};

}  // namespace ropewalk
