// Stick-breaking attention (Tan et al. 2024): a call whose weighting is stick_breaking_step
// (kernels/stick_breaking.hpp).
#pragma once

#include "attention/attention.hpp"
#include "kernels/stick_breaking.hpp"

namespace ropewalk {

// Hides the key at which the query stands.
class OwnKeyMask final : public ScoreModifier {
 public:
  OwnKeyMask() : ScoreModifier(ScoreStep::masked) {}
  void check(const AttentionShape&) const override {}
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow&, std::span<const float>) const override {}
};

// Adds to each row of the output its remainder times the value of the key at which the query
// stands.
void add_remainders(const AttentionCall& call, const AttentionResults& results);

}  // namespace ropewalk
