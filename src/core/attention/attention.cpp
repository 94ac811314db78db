#include "attention/attention.hpp"

#include <algorithm>
#include <cmath>

#include "attention/head_group.hpp"
#include "attention/product_scheme.hpp"
#include "attention/rotations.hpp"
#include "attention/scratch.hpp"
#include "base/require.hpp"

namespace ropewalk {
namespace {

void check_order(std::span<const ScoreModifier* const> modifiers) {
  constexpr const char* names[] = {"scores", "capped", "biased", "masked", "contextual"};
  const auto next = std::ranges::is_sorted_until(modifiers, {}, &ScoreModifier::step);
  if (next == modifiers.end()) return;
  const auto name = [&](const ScoreModifier* modifier) {
    return names[static_cast<std::size_t>(modifier->step)];
  };
  require(false, "attention: modifiers must be in the order of their steps, got ", name(next[0]),
          " after ", name(next[-1]));
}

void check_own_keys(const AttentionCall& call, const OwnKeyRule& rule) {
  const auto queries = static_cast<std::int64_t>(call.shape.queries),
             keys = static_cast<std::int64_t>(call.shape.keys);
  if (!rule.reader || queries == 0) return;
  for (std::size_t b = 0; b < call.shape.batches; ++b) {
    const Band band = band_of(call, b);
    const auto is_right = [&](bool condition, std::int64_t key) {
      require(condition, "attention: a query with ", rule.reader, " must stand at one of ", keys,
              " keys, got ", key);
    };
    const std::int64_t last = band.offset + queries - 1;
    is_right(last < keys, last);
    if (rule.is_causal || band.offset >= 0) continue;
    // Of the queries before the first key the last one sees most.
    const std::int64_t before = std::min<std::int64_t>(last, -1);
    const auto query = static_cast<std::size_t>(before - band.offset);
    is_right(visible_keys(band, query, call.shape.keys).empty(), before);
  }
}

void check_product(const AttentionCall& call) {
  const ProductScheme& product = *call.product;
  require(!call.rotary, "attention: rotary must be null with a product scheme");
  const double lookahead =
      call.band.lookahead == all_keys ? HUGE_VAL : static_cast<double>(call.band.lookahead);
  require(!product.own_key.is_causal || lookahead == 0.0, "attention: lookahead must be 0 with ",
          product.own_key.reader, ", got ", lookahead);
  check_own_keys(call, product.own_key);
  product.check();
}

void check_rotary(const AttentionCall& call) {
  const AttentionShape& shape = call.shape;
  const std::span<const Rotation> rotations = call.rotary->rotations;
  require(rotations.size() > 0 && rotations.size() <= max_rotations,
          "attention: there must be 1 to ", max_rotations, " rotations, got ", rotations.size());
  const std::size_t each = std::max<std::size_t>(1, call.rotary->angle_pairs);
  require(call.rotary->angle_pairs == 0 || rotations.size() == 1,
          "attention: given angles are one rotation, got ", rotations.size());
  const std::size_t pairs = std::max(call.rotary->angle_pairs, call.rotary->frequencies.size());
  require(2 * pairs <= shape.dim, "attention: pairs of the rotary must be at most ", shape.dim / 2,
          ", got ", pairs);
  const RowLists<std::uint32_t>* nearer = nullptr;
  for (const Rotation& rotation : rotations) {
    const auto& [queries, keys, first_keys] = rotation;
    check_count("positions of queries",
                each * queries.steps.count(shape.batches, shape.heads, shape.queries),
                queries.values.size());
    check_count("positions of keys",
                each * keys.steps.count(shape.batches, shape.key_heads, shape.keys),
                keys.values.size());
    const bool is_last = &rotation == &rotations.back();
    check_count("first_keys", is_last ? 0 : first_keys.steps.count(shape.batches, 1, shape.queries),
                first_keys.values.size());
    for (std::size_t i = 0; nearer && !is_last && i < shape.batches * shape.queries; ++i) {
      const std::size_t batch = i / shape.queries, query = i % shape.queries;
      const std::uint32_t near = nearer->values[nearer->steps.first(batch, 0) + query],
                          far = first_keys.values[first_keys.steps.first(batch, 0) + query];
      require(far <= near, "attention: first_keys must be at most those of the rotation before, ",
              near, ", got ", far);
    }
    nearer = &first_keys;
  }
}

}  // namespace

void check_call(const AttentionCall& call) {
  const AttentionShape& shape = call.shape;
  require(shape.key_heads > 0 && shape.heads % shape.key_heads == 0,
          "attention: heads must be a multiple of key_heads, got ", shape.heads, " and ",
          shape.key_heads);
  require(call.band.key_length == all_keys,
          "attention: band.key_length must not be set: use key_lengths, got ",
          call.band.key_length);
  if (!call.key_lengths.empty()) check_count("key_lengths", shape.batches, call.key_lengths.size());
  for (const double length : call.key_lengths) {
    require(
        length >= 0.0 && length <= static_cast<double>(shape.keys) && length == std::floor(length),
        "attention: key_lengths must be whole numbers from 0 to ", shape.keys, ", got ", length);
  }
  require(call.stored_rows == 0 || call.stored_rows >= shape.keys,
          "attention: stored_rows must be 0 or at least ", shape.keys, ", got ", call.stored_rows);
  if (!call.sinks.empty()) check_count("sinks", shape.heads, call.sinks.size());
  if (call.weighting) {
    require(call.sinks.empty(), "attention: sinks must be empty with a weighting, got ",
            call.sinks.size());
    require(call.fully_masked_row == FullyMaskedRow::zeros,
            "attention: fully_masked_row must be zeros with a weighting, got nan");
  }
  check_order(call.modifiers);
  for (const ScoreModifier* modifier : call.modifiers) {
    check_own_keys(call, modifier->own_key);
    modifier->check(shape);
  }
  if (call.product) check_product(call);
  if (call.rotary) check_rotary(call);
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

Band band_of(const AttentionCall& call, std::size_t batch) {
  Band band = call.band;
  if (!call.key_lengths.empty())
    band.key_length = static_cast<std::size_t>(call.key_lengths[batch]);
  band.offset = first_query(call, batch);
  return band;
}

void attend(const AttentionCall& call, const AttentionResults& results, AttentionScratch& scratch) {
  check_call(call);
  const AttentionShape& shape = call.shape;
  require(results.output || shape.batches * shape.heads * shape.queries * shape.value_dim == 0,
          "attention: output must not be null");
  require(!call.weighting || !results.log_sum_exp,
          "attention: log_sum_exp must be null with a weighting, which has a remainder");
  require(call.weighting || !results.remainder,
          "attention: remainder must be null without a weighting");
  RotatedQK rotations[max_rotations];
  const std::size_t count = rotate_queries_and_keys(rotations, call, scratch.rotated);
  for (std::size_t b = 0; b < shape.batches; ++b) {
    for (std::size_t h = 0; h < shape.key_heads; ++h) {
      attend_group(call, {rotations, count}, results, b, h, scratch);
    }
  }
}

}  // namespace ropewalk
