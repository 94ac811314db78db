// Attention of the query heads that share one key head.
#pragma once

#include <span>

#include "attention/attention.hpp"

namespace ropewalk {

// The queries and keys of a call under one rotation. For query i it gives the scores of the keys
// from first_keys[i] up to the first key of the rotation before.
struct RotatedQK {
  HeadsView q, k;
  std::span<const std::uint32_t> first_keys;  // (queries) or (batches, queries); empty: from key 0
};

// Computes the query heads that read key head `key_head` of a batch. The call must have been
// checked; the rotation of the nearest keys comes first.
void attend_group(const AttentionCall& call, std::span<const RotatedQK> rotations,
                  const AttentionResults& results, std::size_t batch, std::size_t key_head,
                  AttentionScratch& scratch);

}  // namespace ropewalk
