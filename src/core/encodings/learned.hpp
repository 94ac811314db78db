// Learned positions (BERT, BART, GPT-2): one trainable row per position.
//
//   p(m) = row m of a table of max_length x dim numbers
//
// A position at or beyond max_length has no row: asking for it is an error, never a wrapped or
// clamped row.
#pragma once

#include <cstdint>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// A table as it stands before training: normal numbers of mean 0 from a seed (BERT: deviation
// 0.02). Throws std::invalid_argument when the deviation is negative or not finite.
void untrained_table(MatrixView table, std::uint64_t seed, double deviation);

// rows (positions x dim) = the table's rows at these positions. Throws std::invalid_argument on
// unequal widths, or a position that is not a whole number from 0 to table.rows - 1.
void look_up(MatrixView rows, ConstMatrixView table, std::span<const double> positions);

}  // namespace ropewalk
