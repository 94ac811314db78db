// GRAPE-A (Zhang et al. 2025, equation 4.6): a bias by distance whose slopes the text gives.
#pragma once

#include <vector>

#include "attention/attention.hpp"

namespace ropewalk {

// score(m, n) -= (m - n) (query_gates[m] + key_gates[n]), m the key at
// which the query stands. Gates of queries (batches, heads, queries), of keys (batches, heads,
// keys); either list may be empty: 0. Gradients are added to, in the shapes of the gates.
class GatedSlopeBias final : public ScoreModifier {
 public:
  GatedSlopeBias(std::span<const float> query_gates, std::span<const float> key_gates,
                 std::span<float> d_query_gates = {}, std::span<float> d_key_gates = {})
      : ScoreModifier(ScoreStep::biased),
        query_gates_(query_gates),
        key_gates_(key_gates),
        d_query_gates_(d_query_gates),
        d_key_gates_(d_key_gates) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  std::span<const float> query_gates_, key_gates_;
  std::span<float> d_query_gates_, d_key_gates_;
};

// The gates of the rows x[r] of a tensor (batches, heads, length, dim):
//
//   gates[r] = omega softplus(x[r] . direction / sqrt(dim))
//
// with an omega and a direction per head.
//
// omega = slope softplus(raw), slope that of ALiBi by default.
float slope_omega(float raw, double slope);

struct SlopeRows {
  HeadsView x;
  std::size_t batches, heads, length;
  std::size_t sharing = 1;  // heads that read the same rows
  ConstMatrixView directions;
  std::span<const float> omegas;
  bool normalizes = true;  // the directions, see unit_direction()
};
// Returns (batches, heads, length).
std::vector<float> slope_gates(const SlopeRows& rows);

// Those of one head of a batch, whose direction is taken as it is.
void slope_gates(std::span<float> gates, ConstMatrixView x, std::span<const float> direction,
                 float omega);
// Where the gradients of a head's gates are added; those of the parameters in double.
struct SlopeGatesGradients {
  MatrixView x;
  std::span<double> direction;
  double& omega;
};
void slope_gates_backward(const SlopeGatesGradients& gradients, std::span<const float> d_gates,
                          ConstMatrixView x, std::span<const float> direction, float omega);
// direction / max(its length, 1e-6), as the code of GRAPE does and its paper does not.
std::vector<float> unit_direction(std::span<const float> direction);
// Adds to d_direction, given the gradient of the result.
void unit_direction_backward(std::span<float> d_direction, std::span<const double> d_unit,
                             std::span<const float> direction);

}  // namespace ropewalk
