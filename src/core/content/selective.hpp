// Selective attention (Leviathan et al. 2024, section 3.3): a token may mask another for all later
// tokens.
//
//   out(m, n) = score(m, n) - sum over rows r < m of max(0, score of one head(r, n))
//
// A query does not mask itself, and no query masks the first token. The sums differ per pair, so
// the scores of a whole head are in memory: O(queries keys), and attention takes the difference as
// a bias. Source: x-transformers.
#pragma once

#include "base/matrix_view.hpp"

namespace ropewalk {

// Adds to bias (queries x keys) minus the sums of `gates`, the scores of the head that masks. The
// queries are the last of the keys. spares_first: whether the first query's own key is spared.
void selective_bias(MatrixView bias, ConstMatrixView gates, bool spares_first);
// Adds to the gradient of the gates, given that of the bias.
void selective_bias_backward(MatrixView d_gates, ConstMatrixView d_bias, ConstMatrixView gates,
                             bool spares_first);

}  // namespace ropewalk
