// Biases that depend on head and distance (FIRE: and on the query's position).
#include "bias/buckets.hpp"
#include "bias/distance.hpp"
#include "bias/network.hpp"
#include "bindings/boundary.hpp"
#include "bindings/distance_schemes.hpp"
#include "bindings/network.hpp"
#include "bindings/scratch.hpp"

namespace ropewalk::bindings {
namespace {

// Embind hands 64-bit whole numbers over as BigInt only; a double holds all that are needed.
std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

// A distance table, heads x count; its first column is key - query = first.
template <class Fill>
Pointer distance_table(std::size_t heads, std::size_t count, Fill fill) {
  return guarded([&] {
    const std::span<float> table = floats_out.reserve(heads * count);
    fill(MatrixView(table.data(), heads, count));
    return table;
  });
}

Pointer alibi_slope_list(std::size_t heads, SlopeConvention convention, double max_bias,
                         std::size_t first, std::size_t count) {
  return guarded([&] {
    return doubles_out.assign(alibi_slopes(heads, convention, max_bias, {first, count}));
  });
}

// doubles: slopes, positions
Pointer alibi_translated_table(std::size_t heads, std::size_t keys) {
  return distance_table(heads, keys, [&](MatrixView table) {
    const std::span<double> slopes = doubles_in.take(heads);
    alibi_translated(table, slopes, doubles_in.take(keys));
  });
}

// doubles: mask
Pointer alibi_masked_position_list(std::size_t keys) {
  return guarded([&] { return doubles_out.assign(alibi_masked_positions(doubles_in.take(keys))); });
}

// doubles: relative positions, key - query
Pointer t5_bucket_list(std::size_t count, T5Direction direction, double buckets,
                       double max_distance) {
  return guarded([&] {
    const T5Buckets bucket(direction, whole(buckets), whole(max_distance));
    const std::span<std::int32_t> out = integers_out.reserve(count);
    std::ranges::transform(doubles_in.take(count), out.begin(),
                           [&](double relative) { return bucket(whole(relative)); });
    return out;
  });
}

// A scheme's parameters, see SentScheme.
SentScheme taken_scheme(std::size_t place, std::size_t doubles, std::size_t floats) {
  return {place, doubles_in.take(doubles), floats_in.take(floats)};
}

// doubles and floats: a scheme. Result: heads x count
Pointer distance_table_of(std::size_t place, std::size_t doubles, std::size_t floats,
                          std::size_t heads, double first, std::size_t count) {
  return distance_table(heads, count, [&](MatrixView table) {
    fill_distance_table(table, whole(first), taken_scheme(place, doubles, floats), {0, heads});
  });
}

// The same, then doubles: positions of queries and keys. Result: heads x queries x keys
Pointer distance_bias(std::size_t place, std::size_t doubles, std::size_t floats, std::size_t heads,
                      double first, std::size_t count, std::size_t queries, std::size_t keys) {
  return distance_table(heads * queries, keys, [&](MatrixView full) {
    const SentScheme sent = taken_scheme(place, doubles, floats);
    const MatrixView table(distance_lists.reserve(heads * count).data(), heads, count);
    fill_distance_table(table, whole(first), sent, {0, heads});
    const std::span<double> query_positions = doubles_in.take(queries);
    expand_by_offset(full, table, whole(first), query_positions, doubles_in.take(keys));
  });
}

// floats: network; doubles: positions of queries and keys
Pointer fire_bias(std::size_t heads, std::size_t queries, std::size_t keys, std::size_t hidden,
                  bool has_head_bias, double c, double threshold, double multiplier,
                  double epsilon) {
  return distance_table(heads * queries, keys, [&](MatrixView bias) {
    const BiasNetwork network = take_network(1, hidden, heads, has_head_bias);
    const std::span<double> query_positions = doubles_in.take(queries);
    fire(bias, query_positions, doubles_in.take(keys), network,
         {c, threshold, multiplier, epsilon});
  });
}

}  // namespace

void fill_distance_table(MatrixView table, std::int64_t first, const SentScheme& sent,
                         TableHeads heads) {
  with_distance_scheme(sent, [&](const auto& scheme) { scheme.fill(table, first, heads); });
}

EMSCRIPTEN_BINDINGS(biases) {
  using namespace emscripten;
  enum_<SlopeConvention>("SlopeConvention", enum_value_type::string)
      .value("published", SlopeConvention::published)
      .value("sorted", SlopeConvention::sorted)
      .value("naive", SlopeConvention::naive);
  enum_<T5Direction>("T5Direction", enum_value_type::string)
      .value("causal", T5Direction::causal)
      .value("bidirectional", T5Direction::bidirectional);
  function("alibiSlopes", &alibi_slope_list);
  function("distanceTable", &distance_table_of);
  function("distanceBias", &distance_bias);
  function("fire", &fire_bias);
  function("alibiTranslated", &alibi_translated_table);
  function("alibiMaskedPositions", &alibi_masked_position_list);
  function("t5Buckets", &t5_bucket_list);
}

}  // namespace ropewalk::bindings
