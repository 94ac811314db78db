// Attention of the query heads that share one key head.
#pragma once

#include <span>

#include "attention/tiles.hpp"

namespace ropewalk {

// Computes the query heads that read key head `key_head` of a batch. The call must have been
// checked; the rotation of the nearest keys comes first.
void attend_group(const AttentionCall& call, std::span<const RotatedQK> rotations,
                  const AttentionResults& results, std::size_t batch, std::size_t key_head,
                  AttentionScratch& scratch);

}  // namespace ropewalk
