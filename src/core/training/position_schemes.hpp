// What the files of position schemes share: their lists, and the class that others build on.
#pragma once

#include <optional>

#include "content/prefix_sums.hpp"
#include "training/initial_values.hpp"
#include "training/position.hpp"

namespace ropewalk {

extern const std::span<const PositionKind> input_kinds, rotary_kinds, bias_kinds, text_rotary_kinds,
    text_bias_kinds, product_kinds;

// The frequencies of a head's pairs. Throws std::invalid_argument on an odd width of a head.
std::vector<double> trained_frequencies(const ModelShape& shape, double base);

// The scheme of a given position. Throws std::invalid_argument on more frequencies than pairs, or
// another number of slopes than heads.
std::unique_ptr<LayerScheme> make_given(const PositionSetup& setup, const GivenPosition& given);

class RopeScheme : public LayerScheme {
 public:
  RopeScheme(const PositionSetup& setup, const std::string& prefix)
      : LayerScheme(setup, prefix),
        trained_frequencies_(trained_frequencies(shape_, options_.base)) {}
  void attach(AttentionCall& call, float* d_q) override;
  bool has_rotary_use() const override { return true; }

 protected:
  const AttentionRotary& rotary() const { return rotary_; }  // of the last call

 private:
  std::vector<double> trained_frequencies_;
  MappedRotations mapped_;
  Rotation plain_;
  AttentionRotary rotary_;
};

// A bias of prefix sums of one number per token and head: FoX's gates, or those of CABLE.
class PrefixGates {
 public:
  PrefixGates(Linear projection, PrefixTerm term)
      : projection(std::move(projection)), term_(term) {}

  Linear projection;

  // Heads begin with different memories: FoX.
  void initialize() { fill_evenly(projection.bias(), 0.0, 5.0); }
  // factor multiplies the sums.
  void prepare(ConstMatrixView h, const AttentionShape& shape, double factor = 1.0);
  const ScoreModifier& modifier();
  // After a backward call: adds the gradients of the parameters, and of h.
  void backward(ConstMatrixView h, MatrixView d_h);

 private:
  PrefixTerm term_;
  AttentionShape shape_;
  std::vector<float> gates_;
  PrefixNumbers numbers_;
  std::optional<PrefixSumBias> modifier_;
};

}  // namespace ropewalk
