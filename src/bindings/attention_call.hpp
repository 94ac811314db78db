// Reads an attention call from the transfer buffers.
#pragma once

#include <span>
#include <vector>

#include "attention/attention.hpp"
#include "bindings/attention_record.hpp"
#include "bindings/distance_schemes.hpp"
#include "content/prefix_sums.hpp"

namespace ropewalk::bindings {

using Compute = std::span<float> (*)(AttentionCall& call, const AttentionRecord& record);

// Gradients of the bias, the table of a bias by distance, the row factors and the prefix sums.
// Empty: the call has no such operand.
struct BiasGradients {
  std::vector<float> bias, by_distance, row_factors;
  SentScheme scheme;  // of by_distance
  std::int64_t first_distance;
  PrefixNumbers prefix[2];
};

// Reads a call from the transfer buffers, computes it and returns the result. The buffers hold, in
// this order, bytes: mask; floats: q, k, v, bias, floats of a bias by distance, numbers of prefix
// sums, row factors, sinks, tensors of a content scheme; doubles: the record, numbers and positions
// of a bias by distance, prefix sums, key lengths, frequencies, query positions, key positions.
// With `gradients`, also computes these, and does not rotate q and k in place.
std::span<float> with_attention_call(Compute compute, BiasGradients* gradients = nullptr);

// Computes attention. Returns the output, followed by the intermediates in the order of `wanted`.
std::span<float> attended(AttentionCall& call, const AttentionRecord& record);

// The same where a scheme of content.cpp may act, and keys and values may be stored (stored.hpp).
std::span<float> attended_by_any_scheme(AttentionCall& call, const AttentionRecord& record);

}  // namespace ropewalk::bindings
