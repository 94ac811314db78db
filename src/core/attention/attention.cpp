#include "attention/attention.hpp"

#include <algorithm>
#include <cassert>

#include "attention/head_group.hpp"
#include "attention/product_scheme.hpp"
#include "attention/rotations.hpp"
#include "base/require.hpp"

namespace ropewalk {
namespace {

void check_per_batch(const char* name, std::size_t length, std::size_t batches, std::size_t count) {
  check_count(name, count == length ? length : batches * length, count);
}

// The same, where a list may also have values per head.
void check_per_head(const char* name, std::size_t length, std::size_t batches, std::size_t heads,
                    std::size_t count) {
  if (count != batches * heads * length) check_per_batch(name, length, batches, count);
}

}  // namespace

void check_call(const AttentionCall& call) {
  const AttentionShape& shape = call.shape;
  require(shape.key_heads > 0 && shape.heads % shape.key_heads == 0,
          "attention: heads must be a multiple of key_heads, got ", shape.heads, " and ",
          shape.key_heads);
  if (!call.key_lengths.empty()) check_count("key_lengths", shape.batches, call.key_lengths.size());
  for (const double length : call.key_lengths) {
    require(length >= 0.0 && length <= static_cast<double>(shape.keys),
            "attention: key_lengths must be from 0 to ", shape.keys, ", got ", length);
  }
  if (!call.sinks.empty()) check_count("sinks", shape.heads, call.sinks.size());
  assert(std::ranges::is_sorted(call.modifiers, {}, &ScoreModifier::step));
  for (const ScoreModifier* modifier : call.modifiers) modifier->check(shape);
  if (call.product) call.product->check(shape);
  if (!call.rotary) return;
  const std::span<const Rotation> rotations = call.rotary->rotations;
  require(rotations.size() > 0 && rotations.size() <= most_rotations,
          "attention: there must be 1 to ", most_rotations, " rotations, got ", rotations.size());
  const std::size_t each = std::max<std::size_t>(1, call.rotary->angle_pairs);
  require(call.rotary->angle_pairs == 0 || rotations.size() == 1,
          "attention: given angles are one rotation, got ", rotations.size());
  for (const Rotation& rotation : rotations) {
    check_per_head("positions of queries", each * shape.queries, shape.batches, shape.heads,
                   rotation.queries.size());
    check_per_head("positions of keys", each * shape.keys, shape.batches, shape.key_heads,
                   rotation.keys.size());
    const bool is_last = &rotation == &rotations.back();
    check_per_batch("first_keys", is_last ? 0 : shape.queries, shape.batches,
                    rotation.first_keys.size());
  }
}

bool needs_whole_rows(const AttentionCall& call) {
  return std::ranges::any_of(call.modifiers, &ScoreModifier::takes_whole_rows);
}

std::ptrdiff_t first_query(const AttentionCall& call, std::size_t batch) {
  if (!call.ends_at_last_key) return call.band.offset;
  const std::size_t keys = call.key_lengths.empty()
                               ? call.shape.keys
                               : static_cast<std::size_t>(call.key_lengths[batch]);
  return static_cast<std::ptrdiff_t>(keys) - static_cast<std::ptrdiff_t>(call.shape.queries);
}

void attend(const AttentionCall& call, const AttentionResults& results, AttentionScratch& scratch) {
  check_call(call);
  RotatedQK rotations[most_rotations];
  const std::size_t count = rotate_queries_and_keys(rotations, call, scratch.rotated);
  for (std::size_t b = 0; b < call.shape.batches; ++b) {
    for (std::size_t h = 0; h < call.shape.key_heads; ++h) {
      attend_group(call, {rotations, count}, results, b, h, scratch);
    }
  }
}

}  // namespace ropewalk
