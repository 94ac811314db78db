// Rotation of consecutive or of split pairs of one row.
#pragma once

#include <span>

namespace ropewalk {

// Each pair (a, b) of the row becomes (a cos - b sin, a sin + b cos).
// cos, sin: one value per pair. Pair i is (row[2i], row[2i + 1]); row.size() == 2 * cos.size().
void rotate_interleaved_pairs(std::span<float> row, std::span<const float> cos,
                              std::span<const float> sin);

// The same with pair i being (row[i], row[i + row.size() / 2]).
void rotate_split_pairs(std::span<float> row, std::span<const float> cos,
                        std::span<const float> sin);

}  // namespace ropewalk
