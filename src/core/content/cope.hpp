// CoPE: contextual position encoding (Golovneva et al. 2024, equations 3 to 5).
//
//   gate(m, k) = sigmoid(logit(m, k))
//   position(m, n) = sum of gate(m, k) over keys k from n to the query, at most rows - 1
//   bias(m, n) = q_m . table[position(m, n)], linear between the two rows around a fraction
//
// Keys count up to the query: those after it, by position, have no gate, and position and bias 0.
//
// logits, positions, bias: queries x keys, keys in the order of their positions
// q: queries x dim   table: rows x dim
#pragma once

#include <cstddef>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Throw std::invalid_argument on shapes that do not fit, or rows 0.
void cope_positions(MatrixView positions, ConstMatrixView logits, std::span<const double> queries,
                    std::span<const double> keys, std::size_t rows);
void cope_bias(MatrixView bias, ConstMatrixView q, ConstMatrixView logits, ConstMatrixView table,
               std::span<const double> queries, std::span<const double> keys);

}  // namespace ropewalk
