// The four terms of a score when positions are added to the tokens (Dai et al. 2019, section 3.3).
//
//   ((x_m + p_m) Wq) . ((x_n + p_n) Wk) scale
//     =  x_m Wq . x_n Wk   content to content      +  x_m Wq . p_n Wk   content to position
//     +  p_m Wq . x_n Wk   position to content     +  p_m Wq . p_n Wk   position to position
//
// x and p: length x dim   Wq and Wk: dim x width, or empty for the identity
#pragma once

#include "base/matrix_view.hpp"

namespace ropewalk {

// Each is length x length; their sum is the score.
struct FourTerms {
  MatrixView content_content, content_position, position_content, position_position;
};

// Throws std::invalid_argument on shapes that do not fit.
void four_terms(const FourTerms& terms, ConstMatrixView x, ConstMatrixView p,
                ConstMatrixView query_weights, ConstMatrixView key_weights, float scale);

}  // namespace ropewalk
