// Biases that depend on head and distance (FIRE: and on the query's position).
#include "bias/buckets.hpp"
#include "bias/distance.hpp"
#include "bias/network.hpp"
#include "bindings/boundary.hpp"
#include "bindings/distance_schemes.hpp"
#include "bindings/network.hpp"

namespace ropewalk::bindings {
namespace {

// Embind hands 64-bit whole numbers over as BigInt only; a double holds all that are needed.
std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

// A matrix of results.
template <class Fill>
Pointer filled(std::size_t rows, std::size_t cols, Fill fill) {
  return guarded([&] {
    const std::span<float> table = floats_out.reserve(rows * cols);
    fill(MatrixView(table.data(), rows, cols));
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
  return filled(heads, keys, [&](MatrixView table) {
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

// doubles and floats: a scheme, see SentScheme; then doubles: positions of queries and keys.
// Result: heads x queries x keys
Pointer distance_bias(double place, std::size_t heads, std::size_t queries, std::size_t keys) {
  return filled(heads * queries, keys, [&](MatrixView full) {
    const SentScheme sent = taken_scheme(place);
    const std::span<double> query_positions = doubles_in.take(queries);
    expand_bias(full, query_positions, doubles_in.take(keys),
                [&](MatrixView table, std::int64_t first) {
                  fill_distance_table(table, first, sent, {0, heads});
                });
  });
}

// floats: network; doubles: positions of queries and keys
Pointer fire_bias(std::size_t heads, std::size_t queries, std::size_t keys, std::size_t hidden,
                  bool has_head_bias, double c, double threshold, double multiplier,
                  double epsilon) {
  return filled(heads * queries, keys, [&](MatrixView bias) {
    const BiasNetwork network = take_network(1, hidden, heads, has_head_bias);
    const std::span<double> query_positions = doubles_in.take(queries);
    fire(bias, query_positions, doubles_in.take(keys), network,
         {c, threshold, multiplier, epsilon});
  });
}

}  // namespace

namespace {

// Takes the lists of a scheme, whose lengths are among its numbers.
struct ListTaker {
  const double* number;

  void operator()(const char*, auto& field, std::initializer_list<const char*> = {}) {
    [[maybe_unused]] const auto count = static_cast<std::size_t>(*number++);
    using Field = std::remove_reference_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, std::span<const double>>) doubles_in.take(count);
    if constexpr (std::is_same_v<Field, std::span<const float>>) floats_in.take(count);
  }
};

}  // namespace

SentScheme taken_scheme(double place) {
  SentScheme sent{static_cast<std::size_t>(place), nullptr, floats_in.take(0).data()};
  std::size_t at = 0;
  distance_schemes([&](const char*, auto scheme) {
    if (at++ != sent.place) return;
    sent.doubles = doubles_in.take(counted_fields(scheme).fields).data();
    scheme.fields(ListTaker{sent.doubles});
  });
  require(sent.doubles != nullptr, "a scheme must be below ", at, ", got ", place);
  return sent;
}

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
  function("distanceBias", &distance_bias);
  function("fire", &fire_bias);
  function("alibiTranslated", &alibi_translated_table);
  function("alibiMaskedPositions", &alibi_masked_position_list);
  function("t5Buckets", &t5_bucket_list);
}

}  // namespace ropewalk::bindings
