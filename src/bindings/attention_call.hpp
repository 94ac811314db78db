// An attention call out of the inboxes.
#pragma once

#include <span>
#include <vector>

#include "attention/attention.hpp"
#include "attention/prefix_sums.hpp"

namespace ropewalk::bindings {

// The numbers of a call, which come first among the doubles.
class AttentionRecord;

using Compute = std::span<float> (*)(AttentionCall& call, const AttentionRecord& record);

// Of numbers whose prefix sums are a bias.
struct PrefixGradient {
  std::span<const float> numbers{};
  PrefixTerm term{};
  std::vector<double> d_sums{};

  std::vector<float> of_numbers(std::size_t rows) const;
};

// Of the bias, the bias by distance and the prefix sums, where the call has them.
struct BiasGradients {
  std::vector<float> bias, by_distance, row_factors;
  PrefixGradient prefix[2];
};

// Reads a call, computes it and returns the result. bytes: mask. floats: q, k, v, bias, bias by
// distance, numbers of prefix sums, row factors, sinks. doubles: the record, prefix sums, key
// lengths, frequencies, positions of the queries, those of the keys. With `gradients` the call
// collects them and leaves its operands as they are.
std::span<float> with_attention_call(Compute compute, BiasGradients* gradients = nullptr);

}  // namespace ropewalk::bindings
