// Combines a table of positions with the tokens at the input of a transformer.
//
//   add           x(k) + p(k)      the usual way
//   multiply      x(k) * p(k)      element by element: where a token is 0, its position is lost
//   concatenate   [x(k) ; p(k)]    wider tokens; the same as adding after block weights
#pragma once

#include "base/matrix_view.hpp"

namespace ropewalk {

enum class Combination { add, multiply, concatenate };

// tokens: (length, dim)   table: (length, width)   out: (length, dim), or dim + width when
// concatenated. Adding and multiplying take width dim, or width 1 for every dimension alike.
// Throws std::invalid_argument on shapes that do not fit.
void combine(MatrixView out, ConstMatrixView tokens, ConstMatrixView table, Combination by);

}  // namespace ropewalk
