// The query heads that share one key head, on their way through its keys.
#pragma once

#include <span>

#include "attention/attention.hpp"

namespace ropewalk {

// One rotation of the queries and keys of a call. Query i takes keys from first_keys[i] on from this
// one, nearer ones excepted.
struct RotatedQK {
  HeadsView q, k;
  std::span<const std::uint32_t> first_keys;  // (queries) or (batches, queries); empty: from key 0
};

// Attention of the query heads that read key head `key_head` of a batch. The call has been checked;
// sources are its rotations, nearest first.
void attend_group(const AttentionCall& call, std::span<const RotatedQK> sources,
                  const AttentionResults& results, std::size_t batch, std::size_t key_head,
                  AttentionScratch& scratch);

}  // namespace ropewalk
