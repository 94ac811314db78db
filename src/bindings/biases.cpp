// Biases that depend on head and distance (FIRE: and on the query's position).
#include "bias/buckets.hpp"
#include "bias/distance.hpp"
#include "bias/network.hpp"
#include "bindings/boundary.hpp"
#include "bindings/network.hpp"

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

// doubles: slopes
Pointer alibi_by_offset(std::size_t heads, double first, std::size_t count,
                        BiasDirection direction) {
  return distance_table(heads, count, [&](MatrixView table) {
    alibi(table, whole(first), doubles_in.take(heads), direction);
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

// floats: table, buckets x heads
Pointer t5_by_offset(std::size_t heads, double first, std::size_t count, T5Direction direction,
                     std::size_t buckets, double max_distance) {
  return distance_table(heads, count, [&](MatrixView by_offset) {
    const T5Buckets bucket(direction, whole(double(buckets)), whole(max_distance));
    const ConstMatrixView table(floats_in.take(buckets * heads).data(), buckets, heads);
    t5_bias(by_offset, whole(first), table, bucket);
  });
}

// doubles: r1, r2
Pointer kerple_by_offset(std::size_t heads, double first, std::size_t count, KerpleKind kind,
                         BiasDirection direction, double clamp) {
  return distance_table(heads, count, [&](MatrixView table) {
    const std::span<double> r1 = doubles_in.take(heads);
    kerple(table, whole(first), r1, doubles_in.take(heads), {kind, direction, clamp});
  });
}

Pointer sandwich_by_offset(std::size_t heads, double first, std::size_t count, std::size_t dim,
                           std::size_t first_pair, bool zero_at_origin, double base,
                           BiasDirection direction) {
  return distance_table(heads, count, [&](MatrixView table) {
    sandwich(table, whole(first), {dim, first_pair, zero_at_origin, base}, direction);
  });
}

// floats: table, heads x count; doubles: positions of queries and keys
Pointer expand_table(std::size_t heads, double first, std::size_t count, std::size_t queries,
                     std::size_t keys) {
  return distance_table(heads * queries, keys, [&](MatrixView full) {
    const ConstMatrixView table(floats_in.take(heads * count).data(), heads, count);
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

EMSCRIPTEN_BINDINGS(biases) {
  using namespace emscripten;
  enum_<SlopeConvention>("SlopeConvention", enum_value_type::string)
      .value("published", SlopeConvention::published)
      .value("sorted", SlopeConvention::sorted)
      .value("naive", SlopeConvention::naive);
  enum_<BiasDirection>("BiasDirection", enum_value_type::string)
      .value("causal", BiasDirection::causal)
      .value("symmetric", BiasDirection::symmetric);
  enum_<T5Direction>("T5Direction", enum_value_type::string)
      .value("causal", T5Direction::causal)
      .value("bidirectional", T5Direction::bidirectional);
  enum_<KerpleKind>("KerpleKind", enum_value_type::string)
      .value("log", KerpleKind::logarithmic)
      .value("power", KerpleKind::power);
  function("alibiSlopes", &alibi_slope_list);
  function("alibiByOffset", &alibi_by_offset);
  function("t5ByOffset", &t5_by_offset);
  function("kerpleByOffset", &kerple_by_offset);
  function("sandwichByOffset", &sandwich_by_offset);
  function("fire", &fire_bias);
  function("alibiTranslated", &alibi_translated_table);
  function("alibiMaskedPositions", &alibi_masked_position_list);
  function("t5Buckets", &t5_bucket_list);
  function("expandByOffset", &expand_table);
}

}  // namespace ropewalk::bindings
