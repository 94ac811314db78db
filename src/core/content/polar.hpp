// PoPE, polar position embedding (Gopalakrishnan et al. 2025): the size of a channel comes from the
// content, its phase from the position.
//
//   score(m, n) = scale sum over c of softplus(q[c]) softplus(k[c]) cos((m - n) f_c - delta[c])
//
// Each of the first `polar` channels becomes a pair (mu cos a, mu sin a) with a = position f_c for
// queries, and position f_c + delta for keys: then the score is a product of vectors of the width
// dim + polar. Other channels stay. f_c = base^(-c / polar).
#pragma once

#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Where the two parts of a pair go: both of a channel side by side (PoPE-pytorch), or all cosines
// before all sines (x-transformers). Products are the same.
enum class PolarLayout { interleaved, half_split };

struct PolarRows {
  std::size_t heads, length, dim, polar;
  std::span<const double> positions;  // length
  // polar per head of q, heads x polar in turn; empty: 0. Limited to [-2 pi, 0].
  std::span<const float> phases;
  double base = 10000.0;
  PolarLayout layout = PolarLayout::half_split;
};

// x: heads x length x dim. to: heads x length x (dim + polar).
// Throws std::invalid_argument when polar exceeds dim, or phases do not divide the heads.
void polar_rows(std::span<float> to, std::span<const float> x, const PolarRows& rows);

// Writes the gradient of x, and adds that of the phases (or none: empty), which is 0 beyond their
// limits, given what polar_rows made of x and its gradient.
void polar_rows_backward(std::span<float> d_x, std::span<double> d_phases,
                         std::span<const float> d_made, std::span<const float> made,
                         const PolarRows& rows);

}  // namespace ropewalk
