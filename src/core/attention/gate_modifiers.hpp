// Biases of GRAPE (Zhang et al. 2025), of gates per row and of selective attention, from numbers
// that the text gives.
#pragma once

#include <vector>

#include "attention/attention.hpp"

namespace ropewalk {

// GRAPE-A (equation 4.6): score(m, n) -= (m - n) (query_gates[m] + key_gates[n]), m the key at
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

// gates[r] = omega softplus(x[r] . direction / sqrt(dim)), of the rows of one head.
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

// Which keys' edges a bias sums.
enum class EdgeRange {
  after_key,    // n + 1 ... m: GRAPE-AP, as the gates of FoX
  before_query  // n ... m - 1: the gates per row of x-transformers
};

// A sum along the keys that differs from row to row:
//
//   score(m, n) += sum over edges l of slope ln sigmoid(factor p[m] . r[l])
//
// GRAPE-AP (equations 5.1 and 5.2), gates per row. p and r: (batches, heads, keys, width), with a
// query reading p of the key at which it stands. Edges of hidden keys count as any other. Keys
// after the query get nothing. A logarithm per pair: time O(queries keys), as much memory as a row
// of scores. Gradients are added to, in the shapes of p and r; without data: not wanted.
class EdgeSumBias final : public ScoreModifier {
 public:
  EdgeSumBias(ConstMatrixView p, ConstMatrixView r, std::span<const float> slopes, float factor,
              EdgeRange range, MatrixView d_p = {}, MatrixView d_r = {})
      : ScoreModifier(ScoreStep::biased, true, {"edge sums", true}),
        p_(p),
        r_(r),
        slopes_(slopes),
        factor_(factor),
        range_(range),
        d_p_(d_p),
        d_r_(d_r) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  // -factor p . r of the keys from the row's first up to the query's own, of which the last may be
  // hidden and have no score.
  std::span<float> products_of(const ScoreRow& row) const;

  ConstMatrixView p_, r_;
  std::span<const float> slopes_;
  float factor_;
  EdgeRange range_;
  MatrixView d_p_, d_r_;
  mutable std::vector<float> products_;
  mutable std::vector<double> terms_;
};

// The rows r of GRAPE-AP: x[l] / sqrt(mean of x^2 + epsilon), every pair (i, i + width/2) rotated
// by minus the row's index l. x: heads x length x width.
void path_integral_rows(std::span<float> rows, std::span<const float> x, std::size_t length,
                        std::size_t width, double epsilon);
// Adds to d_x, given the gradient of the rows.
void path_integral_rows_backward(std::span<float> d_x, std::span<const float> d_rows,
                                 std::span<const float> x, std::size_t length, std::size_t width,
                                 double epsilon);

// Selective attention (Leviathan et al. 2024, section 3.3): a token may mask another for all later
// tokens.
//
//   out(m, n) = score(m, n) - sum over rows r < m of max(0, score of one head(r, n))
//
// A query does not mask itself, and no query masks the first token. The sums differ per pair, so
// the scores of a whole head are in memory: O(queries keys), and attention takes the difference as
// a bias. Source: x-transformers.
//
// Adds to bias (queries x keys) minus the sums of `gates`, the scores of the head that masks. The
// queries are the last of the keys. spares_first: whether the first query's own key is spared.
void selective_bias(MatrixView bias, ConstMatrixView gates, bool spares_first);
// Adds to the gradient of the gates, given that of the bias.
void selective_bias_backward(MatrixView d_gates, ConstMatrixView d_bias, ConstMatrixView gates,
                             bool spares_first);

// Hides the key at which the query stands.
class OwnKeyMask final : public ScoreModifier {
 public:
  OwnKeyMask() : ScoreModifier(ScoreStep::masked) {}
  void check(const AttentionShape&) const override {}
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow&, std::span<const float>) const override {}
};

}  // namespace ropewalk
