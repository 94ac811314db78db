// Rotation of the pairs of many rows, in place, in each of the two layouts.
#pragma once

#include "base/matrix_view.hpp"

namespace ropewalk {

// Row r of head h starts at data + h * head_step + r * row_step.
struct HeadRows {
  float* data;
  std::size_t heads, head_step, rows, row_step;
};

// Rotates row r of every head by row r of cos and sin (rows x pairs): each pair (a, b) becomes
// (a cos - b sin, a sin + b cos). Values after the last pair stay. Several heads are rotated
// together, so that a value of the table is loaded once for them.

// Pair i is (row[2i], row[2i + 1]).
void rotate_interleaved_pairs(const HeadRows& x, ConstMatrixView cos, ConstMatrixView sin);

// Pair i is (row[i], row[i + pairs]).
void rotate_split_pairs(const HeadRows& x, ConstMatrixView cos, ConstMatrixView sin);

}  // namespace ropewalk
