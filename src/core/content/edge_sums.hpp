// Sums of one number per pair of tokens along the keys: GRAPE-AP (Zhang et al. 2025) and gates per
// row (x-transformers).
#pragma once

#include <vector>

#include "attention/attention.hpp"

namespace ropewalk {

// Which keys' edges a bias sums.
enum class EdgeRange {
  after_key,    // n + 1 ... m: GRAPE-AP, as the gates of FoX
  before_query  // n ... m - 1: the gates per row of x-transformers
};

// The factor of a range's scheme: 1 / width, or 1 / sqrt(width).
float edge_factor(EdgeRange range, std::size_t width);

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

}  // namespace ropewalk
