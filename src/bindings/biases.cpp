// Biases that depend on head and distance.
#include "encodings/alibi.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

DoublesOrError alibi_slope_list(std::size_t heads, SlopeConvention convention) {
  return guarded<DoublesOrError>([&] {
    return doubles_out.hold(alibi_slopes(heads, convention));
  });
}

// doubles: slopes. Result: heads x (queries + keys - 1), column key - query + queries - 1
FloatsOrError alibi_by_offset(std::size_t heads, std::size_t queries, std::size_t keys,
                              AlibiDirection direction) {
  return guarded<FloatsOrError>([&] {
    const std::size_t offsets = queries + keys - 1;
    const std::span<float> table = floats_out.reserve(heads * offsets);
    alibi({table.data(), heads, offsets}, queries, doubles_in.take(heads), direction);
    return table;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(biases) {
  using namespace emscripten;
  enum_<SlopeConvention>("SlopeConvention", enum_value_type::string)
      .value("published", SlopeConvention::published)
      .value("sorted", SlopeConvention::sorted)
      .value("naive", SlopeConvention::naive);
  enum_<AlibiDirection>("AlibiDirection", enum_value_type::string)
      .value("causal", AlibiDirection::causal)
      .value("symmetric", AlibiDirection::symmetric);
  function("alibiSlopes", &alibi_slope_list);
  function("alibiByOffset", &alibi_by_offset);
}

}  // namespace ropewalk::bindings
