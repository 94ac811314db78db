// Attention over batches and heads, with position where the scheme acts.
#include "attention/attention.hpp"

#include <optional>
#include <utility>

#include "attention/temperature.hpp"
#include "bindings/attention_call.hpp"
#include "bindings/boundary.hpp"
#include "bindings/scratch.hpp"

namespace ropewalk::bindings {
namespace {

// The numbers of one attention call, which come first in the transfer buffer in this order: an
// Embind value_object would take longer than a small call. src/js/attention/call.ts sends them
// under the same names, which a test compares.
enum Field {
  batches,
  heads,
  key_heads,
  queries,
  keys,
  dim,
  value_dim,
  scale,    // NaN: the default
  softcap,  // 0: none
  offset,   // the key of the first query, unless
  ends_at_last_key,
  lookback,  // infinity: unbounded
  lookahead,
  fully_masked_is_nan,
  row_factors,  // 0: none
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
  distance_positions,  // of the keys, where they do not count up from 0; 0: they do
  prefix_source,       // 0: none, 1: numbers, 2: sums
  prefix_term,
  has_later_sums,
  rotary_pairs,  // 0: no rotation
  angle_pairs,   // 0: positions times frequencies
  is_half_split,
  attention_factor,
  query_positions,  // 0: those of the map
  key_positions,    // 0: those of the queries if given, else of the map
  position_map,
  map_window,
  map_second,
  q_at,  // address of a stored operand, see stored.hpp; 0: in the transfer buffer
  k_at,
  v_at,
  want_scores,
  want_capped,
  want_biased,
  want_weights,
  want_entropy,
  want_log_sum_exp,
  want_remainder,
  content_scheme,  // 0: none; see content.cpp
  content_1,       // its own numbers
  content_2,
  content_3,
  field_count
};

}  // namespace

class AttentionRecord {
 public:
  std::size_t whole(Field field) const { return static_cast<std::size_t>(numbers_[field]); }
  double number(Field field) const { return numbers_[field]; }
  bool flag(Field field) const { return numbers_[field] != 0.0; }

  // The value of an enumeration of so many values.
  template <class Enum>
  Enum named(Field field, std::size_t count) const {
    const double number = numbers_[field];
    require(number >= 0.0 && number < static_cast<double>(count),
            "attention: a name must be one of ", count, ", got ", number);
    return static_cast<Enum>(static_cast<std::size_t>(number));
  }

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

// Reserves one array for the output and the requested intermediates, in the order of the record.
AttentionResults reserved(const AttentionRecord& r, const AttentionShape& shape) {
  const std::size_t rows = shape.batches * shape.heads * shape.queries, cells = rows * shape.keys;
  const std::size_t sizes[] = {cells, cells, cells, cells, rows, rows, rows};
  std::size_t size = rows * shape.value_dim;
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    if (r.flag(static_cast<Field>(want_scores + i))) size += sizes[i];
  }
  AttentionResults results;
  results.output = floats_out.reserve(size).data();
  float* next = results.output + rows * shape.value_dim;
  float** const parts[] = {&results.scores,   &results.capped,  &results.biased,
                           &results.weights,  &results.entropy, &results.log_sum_exp,
                           &results.remainder};
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    if (r.flag(static_cast<Field>(want_scores + i)))
      *parts[i] = std::exchange(next, next + sizes[i]);
  }
  return results;
}

BroadcastShape extents(const AttentionRecord& r, Field first) {
  std::array<std::size_t, 4> all;
  for (std::size_t i = 0; i < 4; ++i) all[i] = r.whole(static_cast<Field>(first + i));
  return BroadcastShape(all);
}

// Of so many factors: (queries), (heads, queries) or (batches, heads, queries).
BroadcastShape extents_of_rows(std::size_t count, const AttentionShape& shape) {
  const std::size_t of_heads = shape.heads * shape.queries;
  return BroadcastShape({count == shape.batches * of_heads ? shape.batches : 1,
                         count == shape.queries ? 1 : shape.heads, shape.queries, 1});
}

// The prefix sums of a call, given or formed of numbers: first those of keys up to the query, then
// those of later keys. Of numbers the gradient is collected.
class PrefixOperand {
 public:
  PrefixOperand(const AttentionRecord& r, const AttentionShape& shape, BiasGradients* gradients) {
    const std::size_t rows = shape.batches * shape.heads, count = rows * shape.keys;
    const std::size_t lists = 1 + r.whole(has_later_sums);
    for (std::size_t i = 0; i < lists; ++i) {
      if (r.whole(prefix_source) == 2) {
        sums_[i] = doubles_in.take(count);
        continue;
      }
      PrefixNumbers& numbers = (gradients ? gradients->prefix : formed_)[i];
      numbers.form(floats_in.take(count), rows,
                   r.named<PrefixTerm>(prefix_term, prefix_terms_count), gradients != nullptr);
      sums_[i] = numbers.sums();
      d_sums_[i] = numbers.d_sums();
    }
    bias_.emplace(sums_[0], d_sums_[0], sums_[1], d_sums_[1]);
  }
  const PrefixSumBias& bias() const { return *bias_; }

 private:
  PrefixNumbers formed_[2];
  std::span<const double> sums_[2];
  std::span<double> d_sums_[2];
  std::optional<PrefixSumBias> bias_;
};

// A place for the gradient of an operand in a list that is empty, where gradients are wanted; else
// null.
float* zeros(BiasGradients* gradients, std::vector<float> BiasGradients::* member,
             std::span<const float> operand) {
  if (!gradients) return nullptr;
  (gradients->*member).resize(operand.size());
  return (gradients->*member).data();
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
  // What a call does not have is not read either: it would be a tenth of the time of a small call.
  if (gradients) {
    for (auto* list : {&gradients->bias, &gradients->by_distance, &gradients->row_factors})
      list->clear();
    for (PrefixNumbers& prefix : gradients->prefix) prefix = {};
  }
  std::optional<Bias> bias;
  if (r.flag(bias_batches)) {
    const std::span<float> values = floats_in.take(r.product(bias_batches, 4));
    bias.emplace(values, extents(r, bias_batches), zeros(gradients, &BiasGradients::bias, values));
  }
  std::optional<DistanceBias> distance_bias;
  if (r.flag(distances)) {
    const std::span<float> lists = floats_in.take(shape.heads * r.whole(distances));
    const auto first = static_cast<std::int64_t>(r.number(first_distance));
    const std::size_t positions = r.whole(distance_positions);
    distance_bias.emplace(
        lists, shape.heads, first, zeros(gradients, &BiasGradients::by_distance, lists),
        BatchRows<double>{doubles_in.take(positions), positions == shape.keys ? 0 : shape.keys});
  }
  std::optional<PrefixOperand> prefix;
  if (r.flag(prefix_source)) prefix.emplace(r, shape, gradients);
  std::optional<RowScale> row_scale;
  if (r.flag(row_factors)) {
    const std::span<float> factors = floats_in.take(r.whole(row_factors));
    row_scale.emplace(factors, extents_of_rows(factors.size(), shape),
                      zeros(gradients, &BiasGradients::row_factors, factors));
  }
  std::optional<Softcap> softcap_modifier;
  if (r.flag(softcap)) softcap_modifier.emplace(static_cast<float>(r.number(softcap)));
  std::optional<BooleanMask> mask;
  if (r.flag(mask_batches)) {
    mask.emplace(bytes_in.take(r.product(mask_batches, 4)), extents(r, mask_batches),
                 r.flag(true_attends));
  }

  // In the order of their steps. The mask is last: what it hides may have any bias, NaN too.
  const ScoreModifier* modifiers[6];
  std::size_t count = 0;
  const auto add = [&](const auto& modifier) {
    if (modifier) modifiers[count++] = &*modifier;
  };
  add(row_scale);
  add(softcap_modifier);
  add(bias);
  add(distance_bias);
  if (prefix) modifiers[count++] = &prefix->bias();
  add(mask);

  call.q = HeadsView::contiguous(q.data(), shape.heads, shape.queries, shape.dim);
  call.k = HeadsView::contiguous(k.data(), shape.key_heads, shape.keys, shape.dim);
  call.v = HeadsView::contiguous(v.data(), shape.key_heads, shape.keys, shape.value_dim);
  call.scale = scale_or_default(r.number(scale), shape.dim);
  call.band = {static_cast<std::ptrdiff_t>(r.whole(offset)), bound(r.number(lookback)),
               bound(r.number(lookahead))};
  call.ends_at_last_key = r.flag(ends_at_last_key);
  call.modifiers = {modifiers, count};
  call.sinks = floats_in.take(r.flag(has_sinks) ? shape.heads : 0);
  call.fully_masked_row = r.flag(fully_masked_is_nan) ? FullyMaskedRow::nan : FullyMaskedRow::zeros;
  call.key_lengths = doubles_in.take(r.flag(has_key_lengths) ? shape.batches : 0);

  AttentionRotary rotary;
  if (r.flag(rotary_pairs) || r.flag(angle_pairs)) {
    rotary.frequencies = doubles_in.take(r.whole(rotary_pairs));
    rotary.angle_pairs = r.whole(angle_pairs);
    rotary.attention_factor = r.number(attention_factor);
    rotary.layout = r.flag(is_half_split) ? RotaryLayout::half_split : RotaryLayout::interleaved;
    // Resident operands must not change, and gradients need the unrotated ones.
    if (!gradients && !r.flag(q_at)) rotary.q = q.data();
    if (!gradients && !r.flag(k_at)) rotary.k = k.data();
    const auto kind = r.named<PositionMapKind>(position_map, position_map_kinds);
    set_rotations(mapped_rotations, {kind, r.number(map_window), r.number(map_second)}, call);
    Rotation& first = mapped_rotations.rotations[0];
    if (r.flag(query_positions))
      first.queries = first.keys = doubles_in.take(r.whole(query_positions));
    if (r.flag(key_positions)) first.keys = doubles_in.take(r.whole(key_positions));
    rotary.rotations = mapped_rotations.rotations;
    call.rotary = &rotary;
  }

  return compute(call, r);
}

std::span<float> attended(AttentionCall& call, const AttentionRecord& r) {
  const AttentionResults results = reserved(r, call.shape);
  attend(call, results, attention_scratch);
  return {results.output, floats_out.count()};
}

ContentNumbers content_numbers(const AttentionRecord& r) {
  return {r.whole(content_scheme), {r.number(content_1), r.number(content_2), r.number(content_3)}};
}

namespace {

Pointer attention() {
  return guarded([] { return with_attention_call(attended_by_any_scheme); });
}

Pointer rotary_frequency_list(std::size_t dim, double base) {
  return guarded([&] { return doubles_out.assign(rotary_frequencies(dim, base)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using namespace emscripten;
  enum_<PrefixTerm>("PrefixTerm", enum_value_type::number)
      .value("number", PrefixTerm::number)
      .value("log-sigmoid", PrefixTerm::log_sigmoid)
      .value("log-sigmoid-of-negative", PrefixTerm::log_sigmoid_of_negative);
  enum_<PositionMapKind>("PositionMapKind", enum_value_type::number)
      .value("rope", PositionMapKind::plain)
      .value("rerope", PositionMapKind::rerope)
      .value("leaky-rerope", PositionMapKind::leaky_rerope)
      .value("self-extend", PositionMapKind::self_extend)
      .value("dual-chunk", PositionMapKind::dual_chunk);
  function("attention", &attention);
  function("rotaryFrequencies", &rotary_frequency_list);
}

}  // namespace ropewalk::bindings
