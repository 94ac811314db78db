// An attention call out of the inboxes.
#pragma once

#include <span>
#include <vector>

#include "attention/attention.hpp"

namespace ropewalk::bindings {

// The numbers of a call, which come first among the doubles.
class AttentionRecord;

using Compute = std::span<float> (*)(AttentionCall& call, const AttentionRecord& record);

// Of the bias and of the bias by distance, where the call has them.
struct BiasGradients {
  std::vector<float> bias, by_distance;
};

// Reads a call, computes it and returns the result. bytes: mask. floats: q, k, v, bias, bias by
// distance, row scale, sinks. doubles: the record, key lengths, frequencies, positions of the
// queries, those of the keys. With `gradients` the call collects them and leaves its operands as
// they are.
std::span<float> with_attention_call(Compute compute, BiasGradients* gradients = nullptr);

}  // namespace ropewalk::bindings
