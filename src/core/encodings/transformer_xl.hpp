// Transformer-XL's relative positions (Dai et al. 2019, section 3.3).
//
//   score(m, n) = (q_m . k_n + q_m . r_{m-n} + u . k_n + v . r_{m-n}) scale      n <= m
//
// r is the projected sinusoid of a distance, u and v are learned per head. Keys include the memory
// before the queries. All but q_m . k_n is the bias below; a causal mask hides what comes after.
#pragma once

#include "encodings/relative_shift.hpp"

namespace ropewalk {

// bias(m, n) = scale ((q_m + v) . r + u . k_n) of one head, r by causal_distance_index.
// q: queries x dim   k: keys x dim   r: rows x dim   u, v: dim
// Throws std::invalid_argument on shapes that do not fit.
void transformer_xl_bias(MatrixView bias, ConstMatrixView q, ConstMatrixView k, ConstMatrixView r,
                         std::span<const float> u, std::span<const float> v,
                         const RelativeIndex& index, float scale);

}  // namespace ropewalk
