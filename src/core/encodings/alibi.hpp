// Attention with linear biases, ALiBi (Press, Smith, Lewis 2022, section 3).
//
//   score(m, n) <- score(m, n) - slope_h * |m - n|
//
// For H a power of two the slopes are 2^(-8h / H), h = 1 ... H. For other H the authors' code takes
// the slopes of the power of two below, then every other slope of the power of two above.
#pragma once

#include <span>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk {

enum class SlopeConvention {
  published,  // the authors' code, in its order
  sorted,     // the same values, steepest first
  naive,      // 2^(-8h / H) for every H, as the paper's sentence reads
};

// One positive slope per head. Throws std::invalid_argument for 0 heads.
std::vector<double> alibi_slopes(std::size_t heads,
                                 SlopeConvention convention = SlopeConvention::published);

// What keys after the query get: nothing, since a causal mask hides them, or their distance too.
enum class AlibiDirection { causal, symmetric };

// Distance biases are tables: heads x (queries + keys - 1), column key - query + queries - 1.
// This fills one with -slope * |key - query|.
void alibi(MatrixView by_offset, std::size_t queries, std::span<const double> slopes,
           AlibiDirection direction = AlibiDirection::symmetric);

}  // namespace ropewalk
