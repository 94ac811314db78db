// KERPLE: biases that are conditionally positive definite kernels (Chi et al. 2022, section 4.2).
//
//   logarithmic   -r1 ln(1 + r2 |m - n|)    r1, r2 > 0
//   power         -r1 |m - n|^r2            r1 > 0, 0 < r2 <= 2
//
// with r1 and r2 learned per head; power with r2 = 1 is ALiBi with learned slopes.
#pragma once

#include <span>

#include "base/matrix_view.hpp"
#include "encodings/distance_bias.hpp"

namespace ropewalk {

enum class KerpleKind { logarithmic, power };

// Fills a distance table, one row per r1 and r2.
// Throws std::invalid_argument when rows, r1 and r2 differ in number or one is out of range.
void kerple(MatrixView by_offset, std::int64_t first, KerpleKind kind, std::span<const double> r1,
            std::span<const double> r2, BiasDirection direction = BiasDirection::causal);

}  // namespace ropewalk
