// Products of few rows with a matrix without packing, for decoding with few queries.
#pragma once

#include "base/matrix_view.hpp"

namespace ropewalk {

// out = factor * left * matrixT: out[r][i] = factor * (row r of left . row i of matrix). Rows of
// the matrix are read from four or eight places by turns, each once for all rows of left.
void multiply_rows(MatrixView out, ConstMatrixView left, ConstMatrixView matrix, float factor);

// out += weights * matrix. Rows of the matrix are added in the same order, each read once for all
// rows of out.
void accumulate_rows(MatrixView out, ConstMatrixView weights, ConstMatrixView matrix);

}  // namespace ropewalk
