// The queries and keys of a call under each of its rotations.
#pragma once

#include <span>
#include <vector>

#include "attention/attention.hpp"

namespace ropewalk {

// The queries and keys of a call under one rotation. For query i it gives the scores of the keys
// from first_keys[i] up to the first key of the rotation before.
struct RotatedQK {
  HeadsView q, k;
  RowLists<std::uint32_t> first_keys;  // of each query; empty: from key 0
};

// Fills `rotated`, which has room for max_rotations, and returns their number: without a rotary, q
// and k as they are. The rotated copies are in `copies`, or where the call says.
std::size_t rotate_queries_and_keys(std::span<RotatedQK> rotated, const AttentionCall& call,
                                    std::vector<float>& copies);

// Turns the gradient of rotated queries or keys into that of the unrotated ones, in place: the
// transpose of a rotation is the rotation by the opposite angle.
void rotate_gradient_back(const Heads& gradient, const AttentionRotary& rotary,
                          const RowLists<double>& positions);

}  // namespace ropewalk
