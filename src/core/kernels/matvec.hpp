// Products of one row with a matrix without packing, for decoding with few queries.
#pragma once

#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// out[i] = factor * (row . matrix row i); row.size() = matrix.cols, out.size() = matrix.rows.
void multiply_rows(std::span<float> out, std::span<const float> row, ConstMatrixView matrix,
                   float factor);

// out += sum of weights[i] * matrix row i; out.size() = matrix.cols, weights.size() = matrix.rows.
void accumulate_rows(std::span<float> out, std::span<const float> weights, ConstMatrixView matrix);

}  // namespace ropewalk
