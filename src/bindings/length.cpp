// Schemes that meet longer contexts in the scores: row factors and relative-position maps.
#include "attention/temperature.hpp"
#include "bindings/boundary.hpp"
#include "rotary/position_maps.hpp"

namespace ropewalk::bindings {
namespace {

// doubles: positions
Address log_n_list(std::size_t count, double trained_length, LogNForm form, double length) {
  return guarded([&] {
    return doubles_out.hold(log_n_factors(doubles_in.take(count), trained_length, form, length));
  });
}

// doubles: positions
Address llama4_list(std::size_t count, double scale, double floor_length) {
  return guarded([&] {
    return doubles_out.hold(llama4_factors(doubles_in.take(count), scale, floor_length));
  });
}

enum class RelativeMap { plain, rerope, leaky_rerope, self_extend, dual_chunk };

double mapped(RelativeMap map, double query, double key, double first, double second) {
  switch (map) {
    case RelativeMap::rerope:
      return rerope_position(query, key, first);
    case RelativeMap::leaky_rerope:
      return leaky_rerope_position(query, key, first, second);
    case RelativeMap::self_extend:
      return self_extend_position(query, key, first, second);
    case RelativeMap::dual_chunk:
      return dual_chunk_position(query, key, first, second);
    case RelativeMap::plain:
      break;
  }
  return query - key;
}

// doubles: query positions, key positions; `first` and `second` are the map's own two numbers
Address relative_position_table(RelativeMap map, std::size_t queries, std::size_t keys,
                                      double first, double second) {
  return guarded([&] {
    const std::span<double> query_positions = doubles_in.take(queries);
    const std::span<double> key_positions = doubles_in.take(keys);
    const std::span<float> table = floats_out.reserve(queries * keys);
    auto cell = table.begin();
    for (const double query : query_positions) {
      for (const double key : key_positions) {
        *cell++ = static_cast<float>(mapped(map, query, key, first, second));
      }
    }
    return table;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(length) {
  using namespace emscripten;
  enum_<LogNForm>("LogNForm", enum_value_type::string)
      .value("length", LogNForm::length)
      .value("position", LogNForm::position)
      .value("clipped", LogNForm::clipped);
  enum_<RelativeMap>("RelativeMap", enum_value_type::string)
      .value("rope", RelativeMap::plain)
      .value("rerope", RelativeMap::rerope)
      .value("leaky-rerope", RelativeMap::leaky_rerope)
      .value("self-extend", RelativeMap::self_extend)
      .value("dual-chunk", RelativeMap::dual_chunk);
  function("logN", &log_n_list);
  function("llama4Factors", &llama4_list);
  function("relativePositions", &relative_position_table);
}

}  // namespace ropewalk::bindings
