// Attention over batches and heads, with position where the scheme acts.
#include "attention/attention.hpp"

#include <utility>

#include "bindings/attention_call.hpp"
#include "bindings/boundary.hpp"
#include "bindings/main_only.hpp"
#include "bindings/scratch.hpp"

namespace ropewalk::bindings {
namespace {

// The numbers of one attention call, which come first in the inbox in this order: an Embind
// value_object would take longer than a small call. src/js/attention/call.ts sends them under the
// same names, which a test compares.
enum Field {
  batches,
  heads,
  key_heads,
  queries,
  keys,
  dim,
  value_dim,
  scale,
  softcap,  // 0: none
  offset,   // the key of the first query, unless
  ends_at_last_key,
  lookback,  // infinity: unbounded
  lookahead,
  unseeing_is_nan,
  has_row_scale,
  has_sinks,
  has_key_lengths,
  bias_batches,  // 0: no bias
  bias_heads,
  bias_queries,
  bias_keys,
  mask_batches,  // 0: no mask
  mask_heads,
  mask_queries,
  mask_keys,
  true_attends,
  distances,  // of each head's bias by distance; 0: none
  first_distance,
  rotary_pairs,  // 0: no rotation
  is_half_split,
  attention_factor,
  query_positions,  // 0: those of the map
  key_positions,
  position_map,
  map_window,
  map_second,
  q_at,  // of a resident operand; 0: in the inbox
  k_at,
  v_at,
  want_scores,
  want_capped,
  want_biased,
  want_weights,
  want_entropy,
  want_log_sum_exp,
  field_count
};

}  // namespace

class AttentionRecord {
 public:
  std::size_t whole(Field field) const { return static_cast<std::size_t>(numbers_[field]); }
  double number(Field field) const { return numbers_[field]; }
  bool flag(Field field) const { return numbers_[field] != 0.0; }

  // The product of fields that follow each other.
  std::size_t product(Field first, std::size_t count) const {
    std::size_t product = 1;
    for (std::size_t i = 0; i < count; ++i) product *= whole(static_cast<Field>(first + i));
    return product;
  }

 private:
  const double* numbers_ = doubles_in.take(field_count).data();
};

namespace {

std::size_t bound(double keys) {
  return keys < 4294967295.0 ? static_cast<std::size_t>(keys) : all_keys;
}

std::span<float> operand(Pointer at, std::size_t count) {
  return at == 0 ? floats_in.take(count) : std::span(reinterpret_cast<float*>(at), count);
}

// Reserves one array for the output and the intermediates that the record wants, in their order.
AttentionResults reserved(const AttentionRecord& r, const AttentionShape& shape) {
  const std::size_t rows = shape.batches * shape.heads * shape.queries, cells = rows * shape.keys;
  const std::size_t sizes[] = {cells, cells, cells, cells, rows, rows};
  std::size_t size = rows * shape.value_dim;
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    if (r.flag(static_cast<Field>(want_scores + i))) size += sizes[i];
  }
  AttentionResults results;
  results.output = floats_out.reserve(size).data();
  float* next = results.output + rows * shape.value_dim;
  float** const parts[] = {&results.scores,  &results.capped,  &results.biased,
                           &results.weights, &results.entropy, &results.log_sum_exp};
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    if (r.flag(static_cast<Field>(want_scores + i)))
      *parts[i] = std::exchange(next, next + sizes[i]);
  }
  return results;
}

BroadcastShape extents(const AttentionRecord& r, Field first) {
  BroadcastShape shape;
  for (std::size_t i = 0; i < 4; ++i) shape.extents[i] = r.whole(static_cast<Field>(first + i));
  return shape;
}

}  // namespace

std::span<float> with_attention_call(Compute compute, BiasGradients* gradients) {
  const AttentionRecord r;
  AttentionCall call;
  AttentionShape& shape = call.shape;
  shape = {r.whole(batches), r.whole(heads), r.whole(key_heads), r.whole(queries),
           r.whole(keys),    r.whole(dim),   r.whole(value_dim)};
  const std::span<float> q =
      operand(r.whole(q_at), shape.batches * shape.heads * shape.queries * shape.dim);
  const std::size_t key_rows = shape.batches * shape.key_heads * shape.keys;
  const std::span<float> k = operand(r.whole(k_at), key_rows * shape.dim);
  const std::span<float> v = operand(r.whole(v_at), key_rows * shape.value_dim);
  const std::span<float> biases = floats_in.take(r.product(bias_batches, 4));
  const std::span<float> by_distance = floats_in.take(shape.heads * r.whole(distances));
  if (gradients) {
    gradients->bias.assign(biases.size(), 0.0f);
    gradients->by_distance.assign(by_distance.size(), 0.0f);
  }
  const Bias bias(biases, extents(r, bias_batches), gradients ? gradients->bias.data() : nullptr);
  const DistanceBias distance_bias(by_distance, shape.heads,
                                   static_cast<std::int64_t>(r.number(first_distance)),
                                   gradients ? gradients->by_distance.data() : nullptr);
  const RowScale row_scale(floats_in.take(r.flag(has_row_scale) ? shape.queries : 0));
  const Softcap softcap_modifier(static_cast<float>(r.number(softcap)));
  const BooleanMask mask(bytes_in.take(r.product(mask_batches, 4)), extents(r, mask_batches),
                         r.flag(true_attends));

  // The mask is last: what it hides may have any bias, NaN too.
  const std::pair<Field, const ScoreModifier*> all[] = {{has_row_scale, &row_scale},
                                                        {softcap, &softcap_modifier},
                                                        {bias_batches, &bias},
                                                        {distances, &distance_bias},
                                                        {mask_batches, &mask}};
  const ScoreModifier* modifiers[std::size(all)];
  std::size_t count = 0;
  for (const auto& [given, modifier] : all) {
    if (r.flag(given)) modifiers[count++] = modifier;
  }

  call.q = HeadsView::contiguous(q.data(), shape.heads, shape.queries, shape.dim);
  call.k = HeadsView::contiguous(k.data(), shape.key_heads, shape.keys, shape.dim);
  call.v = HeadsView::contiguous(v.data(), shape.key_heads, shape.keys, shape.value_dim);
  call.scale = static_cast<float>(r.number(scale));
  call.band = {static_cast<std::ptrdiff_t>(r.whole(offset)), bound(r.number(lookback)),
               bound(r.number(lookahead))};
  call.ends_at_last_key = r.flag(ends_at_last_key);
  call.modifiers = {modifiers, count};
  call.sinks = floats_in.take(r.flag(has_sinks) ? shape.heads : 0);
  call.unseeing_row = r.flag(unseeing_is_nan) ? UnseeingRow::nan : UnseeingRow::zeros;
  call.key_lengths = doubles_in.take(r.flag(has_key_lengths) ? shape.batches : 0);

  AttentionRotary rotary;
  if (r.flag(rotary_pairs)) {
    rotary.frequencies = doubles_in.take(r.whole(rotary_pairs));
    rotary.attention_factor = r.number(attention_factor);
    rotary.layout = r.flag(is_half_split) ? RotaryLayout::half_split : RotaryLayout::interleaved;
    // What is resident stays as it is, and gradients need the unrotated ones.
    if (!gradients && !r.flag(q_at)) rotary.q = q.data();
    if (!gradients && !r.flag(k_at)) rotary.k = k.data();
    const auto kind = static_cast<PositionMapKind>(r.whole(position_map));
    set_rotations(mapped_rotations, {kind, r.number(map_window), r.number(map_second)}, call);
    Rotation& first = mapped_rotations.rotations[0];
    if (r.flag(query_positions)) first.queries = doubles_in.take(r.whole(query_positions));
    if (r.flag(key_positions)) first.keys = doubles_in.take(r.whole(key_positions));
    rotary.rotations = mapped_rotations.rotations;
    call.rotary = &rotary;
  }

  return compute(call, r);
}

namespace {

// Result: output, then the intermediates in the order of the want_ fields.
std::span<float> attended(AttentionCall& call, const AttentionRecord& r) {
  const AttentionResults results = reserved(r, call.shape);
  attend(call, results, attention_scratch);
  return {results.output, floats_out.count()};
}

}  // namespace

Pointer attention() {
  return guarded([] { return with_attention_call(attended); });
}

namespace {

Pointer rotary_frequency_list(std::size_t dim, double base) {
  return guarded([&] { return doubles_out.assign(rotary_frequencies(dim, base)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::function("rotaryFrequencies", &rotary_frequency_list);
}

}  // namespace ropewalk::bindings
