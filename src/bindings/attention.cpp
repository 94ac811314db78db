// Attention over batches and heads, with position where the scheme acts.
#include "attention/attention.hpp"

#include <optional>
#include <utility>

#include "attention/temperature.hpp"
#include "bindings/attention_call.hpp"
#include "bindings/boundary.hpp"
#include "bindings/fields.hpp"
#include "bindings/scratch.hpp"

namespace ropewalk::bindings {
namespace {

std::size_t whole(double number) { return static_cast<std::size_t>(number); }

// The value of an enumeration of so many values.
template <class Enum>
Enum named(double number, std::size_t count) {
  require(number >= 0.0 && number < static_cast<double>(count), "attention: a name must be one of ",
          count, ", got ", number);
  return static_cast<Enum>(whole(number));
}

BroadcastShape broadcast(const std::array<double, 4>& extents) {
  return BroadcastShape(
      {whole(extents[0]), whole(extents[1]), whole(extents[2]), whole(extents[3])});
}

std::size_t bound(double keys) {
  return keys < 4294967295.0 ? static_cast<std::size_t>(keys) : all_keys;
}

std::span<float> operand(Pointer at, std::size_t count) {
  return at == 0 ? floats_in.take(count) : std::span(reinterpret_cast<float*>(at), count);
}

// Reserves one array for the output and the requested intermediates, in the order of the record.
AttentionResults reserved(const AttentionRecord& r, const AttentionShape& shape) {
  const std::size_t rows = shape.batches * shape.heads * shape.queries, cells = rows * shape.keys;
  AttentionResults results;
  const std::pair<float**, std::size_t> parts[] = {
      {&results.scores, cells},  {&results.capped, cells}, {&results.biased, cells},
      {&results.weights, cells}, {&results.entropy, rows}, {&results.log_sum_exp, rows},
      {&results.remainder, rows}};
  std::size_t size = rows * shape.value_dim;
  for (std::size_t i = 0; i < std::size(parts); ++i)
    size += r.wanted[i] != 0.0 ? parts[i].second : 0;
  results.output = floats_out.reserve(size).data();
  float* next = results.output + rows * shape.value_dim;
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    const auto [part, count] = parts[i];
    if (r.wanted[i] != 0.0) *part = std::exchange(next, next + count);
  }
  return results;
}

// The prefix sums of a call, given or formed of numbers: first those of keys up to the query, then
// those of later keys. Of numbers the gradient is collected.
class PrefixOperand {
 public:
  PrefixOperand(const AttentionRecord& r, const AttentionShape& shape, BiasGradients* gradients) {
    const std::size_t rows = shape.batches * shape.heads, count = rows * shape.keys;
    const std::size_t lists = 1 + whole(r.has_later_sums);
    for (std::size_t i = 0; i < lists; ++i) {
      if (r.prefix_source == 2.0) {
        sums_[i] = doubles_in.take(count);
        continue;
      }
      PrefixNumbers& numbers = (gradients ? gradients->prefix : formed_)[i];
      numbers.form(floats_in.take(count), rows,
                   named<PrefixTerm>(r.prefix_term, prefix_terms_count), gradients != nullptr);
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
  const auto& r = take_record<AttentionRecord>();
  AttentionCall call;
  AttentionShape& shape = call.shape;
  shape = {whole(r.batches), whole(r.heads), whole(r.key_heads), whole(r.queries),
           whole(r.keys),    whole(r.dim),   whole(r.value_dim)};
  const std::span<float> q =
      operand(whole(r.q_address), shape.batches * shape.heads * shape.queries * shape.dim);
  const std::size_t key_rows = shape.batches * shape.key_heads * shape.keys;
  const std::span<float> k = operand(whole(r.k_address), key_rows * shape.dim);
  const std::span<float> v = operand(whole(r.v_address), key_rows * shape.value_dim);
  // What a call does not have is not read either: it would be a tenth of the time of a small call.
  if (gradients) {
    for (auto* list : {&gradients->bias, &gradients->by_distance, &gradients->row_factors})
      list->clear();
    for (PrefixNumbers& prefix : gradients->prefix) prefix = {};
  }
  std::optional<Bias> bias;
  if (r.bias[0] != 0.0) {
    const BroadcastShape extents = broadcast(r.bias);
    const std::span<float> values = floats_in.take(extents.count());
    bias.emplace(values, extents, zeros(gradients, &BiasGradients::bias, values));
  }
  std::optional<DistanceBias> distance_bias;
  if (r.distances != 0.0) {
    const SentScheme scheme = taken_scheme(r.distance_scheme);
    const std::size_t count = whole(r.distances);
    const std::span<float> lists = distance_lists.reserve(shape.heads * count);
    const auto first = static_cast<std::int64_t>(r.first_distance);
    const std::size_t positions = whole(r.distance_positions);
    fill_distance_table({lists.data(), shape.heads, count}, first, scheme,
                        {whole(r.first_head), whole(r.all_heads)});
    if (gradients) {
      gradients->scheme = scheme;
      gradients->first_distance = first;
    }
    distance_bias.emplace(
        lists, shape.heads, first, zeros(gradients, &BiasGradients::by_distance, lists),
        RowLists<double>{doubles_in.take(positions), {positions == shape.keys ? 0 : shape.keys}});
  }
  std::optional<PrefixOperand> prefix;
  if (r.prefix_source != 0.0) prefix.emplace(r, shape, gradients);
  std::optional<RowScale> row_scale;
  if (r.row_factors != 0.0) {
    const std::span<float> factors = floats_in.take(whole(r.row_factors));
    const RowSteps steps = RowSteps::of(factors.size(), shape.batches, shape.heads, shape.queries,
                                        {.head = shape.queries});
    row_scale.emplace(RowLists<float>{factors, steps},
                      zeros(gradients, &BiasGradients::row_factors, factors));
  }
  std::optional<Softcap> softcap;
  if (r.softcap != 0.0) softcap.emplace(static_cast<float>(r.softcap));
  std::optional<BooleanMask> mask;
  if (r.mask[0] != 0.0) {
    const BroadcastShape extents = broadcast(r.mask);
    mask.emplace(bytes_in.take(extents.count()), extents, r.true_attends != 0.0);
  }

  // In the order of their steps. The mask is last: what it hides may have any bias, NaN too.
  const ScoreModifier* modifiers[6];
  std::size_t count = 0;
  const auto add = [&](const auto& modifier) {
    if (modifier) modifiers[count++] = &*modifier;
  };
  add(row_scale);
  add(softcap);
  add(bias);
  add(distance_bias);
  if (prefix) modifiers[count++] = &prefix->bias();
  add(mask);

  call.q = HeadsView::contiguous(q.data(), shape.heads, shape.queries, shape.dim);
  call.k = HeadsView::contiguous(k.data(), shape.key_heads, shape.keys, shape.dim);
  call.v = HeadsView::contiguous(v.data(), shape.key_heads, shape.keys, shape.value_dim);
  call.scale = scale_or_default(r.scale, shape.dim);
  call.band = {static_cast<std::ptrdiff_t>(r.offset), bound(r.lookback), bound(r.lookahead)};
  call.ends_at_last_key = r.ends_at_last_key != 0.0;
  call.modifiers = {modifiers, count};
  call.sinks = floats_in.take(r.has_sinks != 0.0 ? shape.heads : 0);
  call.fully_masked_row =
      r.fully_masked_is_nan != 0.0 ? FullyMaskedRow::nan : FullyMaskedRow::zeros;
  call.key_lengths = doubles_in.take(r.has_key_lengths != 0.0 ? shape.batches : 0);

  AttentionRotary rotary;
  if (r.rotary_pairs + r.angle_pairs != 0.0) {
    rotary.frequencies = doubles_in.take(whole(r.rotary_pairs));
    rotary.angle_pairs = whole(r.angle_pairs);
    rotary.attention_factor = r.attention_factor;
    rotary.layout = r.is_half_split != 0.0 ? RotaryLayout::half_split : RotaryLayout::interleaved;
    // Resident operands must not change, and gradients need the unrotated ones.
    if (!gradients && r.q_address == 0.0) rotary.q = q.data();
    if (!gradients && r.k_address == 0.0) rotary.k = k.data();
    const auto kind = named<PositionMapKind>(r.position_map, position_map_kinds);
    set_rotations(mapped_rotations, {kind, r.map_window, r.map_second}, call);
    Rotation& first = mapped_rotations.rotations[0];
    const auto lists_of = [&](std::span<const double> values, std::size_t heads, std::size_t rows) {
      const std::size_t count = values.size() / std::max<std::size_t>(1, rotary.angle_pairs);
      return RowLists<double>{values,
                              RowSteps::of(count, shape.batches, heads, rows, {.batch = rows})};
    };
    const std::span<const double> of_queries = doubles_in.take(whole(r.query_positions)),
                                  of_keys = doubles_in.take(whole(r.key_positions));
    if (!of_queries.empty()) first.queries = lists_of(of_queries, shape.heads, shape.queries);
    if (!of_queries.empty() || !of_keys.empty())
      first.keys = lists_of(of_keys.empty() ? of_queries : of_keys, shape.key_heads, shape.keys);
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
