// Rotary positions with several axes, and what frequencies say about distance.
#include "bindings/boundary.hpp"
#include "rotary/analysis.hpp"
#include "rotary/axes.hpp"

namespace ropewalk::bindings {
namespace {

// Frequencies, then the axis of each pair.
Pointer axial_frequency_list(std::size_t dim, std::size_t axes, double base, AxialSplit split) {
  return guarded([&] {
    const auto [frequencies, axis_of_pair] = axial_frequencies(dim, axes, base, split);
    const std::span<double> packed = doubles_out.reserve(2 * frequencies.size());
    std::ranges::copy(axis_of_pair, std::ranges::copy(frequencies, packed.begin()).out);
    return packed;
  });
}

// doubles: sections
Pointer section_axis_list(std::size_t pairs, std::size_t count, SectionOrder order) {
  return guarded([&] {
    const std::span<double> given = doubles_in.take(count);
    const std::vector<std::size_t> sections(given.begin(), given.end());
    const std::vector<std::size_t> axes = section_axes(pairs, sections, order);
    const std::span<double> packed = doubles_out.reserve(axes.size());
    std::ranges::copy(axes, packed.begin());
    return packed;
  });
}

Pointer pixel_frequency_list(std::size_t dim, double max_frequency) {
  return guarded([&] { return doubles_out.assign(pixel_frequencies(dim, max_frequency)); });
}

Pointer grid_position_list(const GridOptions& options) {
  return guarded([&] {
    const std::span<double> positions = doubles_out.reserve(2 * grid_tokens(options));
    grid_positions(options, positions);
    return positions;
  });
}

Pointer wavelength_list(std::size_t pairs) {
  return guarded([&] { return doubles_out.assign(rotary_wavelengths(doubles_in.take(pairs))); });
}

Pointer turn_list(std::size_t pairs, double length) {
  return guarded([&] { return doubles_out.assign(rotary_turns(doubles_in.take(pairs), length)); });
}

// doubles: frequencies, offsets. Result: mean |S|, then mean cosine, one per offset each.
Pointer decay_curves(std::size_t pairs, std::size_t offsets) {
  return guarded([&] {
    const std::span<double> frequencies = doubles_in.take(pairs);
    const RotaryDecay decay = rotary_decay(frequencies, doubles_in.take(offsets));
    return doubles_out.assign({decay.mean_partial_sum, decay.mean_cosine});
  });
}

// doubles: q, k, frequencies, offsets. Result: score, magnitude, bound, one per offset each.
Pointer score_bound(std::size_t pairs, std::size_t offsets, RotaryLayout layout) {
  return guarded([&] {
    const std::span<double> q = doubles_in.take(2 * pairs), k = doubles_in.take(2 * pairs);
    const std::span<double> frequencies = doubles_in.take(pairs);
    const auto bound = rotary_score_bound(q, k, frequencies, doubles_in.take(offsets), layout);
    return doubles_out.assign({bound.score, bound.magnitude, bound.bound});
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary_axes) {
  using namespace emscripten;
  enum_<AxialSplit>("AxialSplit", enum_value_type::string)
      .value("repeated", AxialSplit::repeated)
      .value("interleaved", AxialSplit::interleaved);
  enum_<SectionOrder>("SectionOrder", enum_value_type::string)
      .value("consecutive", SectionOrder::consecutive)
      .value("interleaved", SectionOrder::interleaved);
  enum_<GridCoordinate>("GridCoordinate", enum_value_type::string)
      .value("index", GridCoordinate::index)
      .value("number", GridCoordinate::number)
      .value("center", GridCoordinate::center)
      .value("edge", GridCoordinate::edge);
  value_object<GridOptions>("GridOptions")
      .field("frames", &GridOptions::frames)
      .field("height", &GridOptions::height)
      .field("width", &GridOptions::width)
      .field("coordinate", &GridOptions::coordinate)
      .field("isColumnFirst", &GridOptions::is_column_first)
      .field("block", &GridOptions::block)
      .field("before", &GridOptions::before)
      .field("after", &GridOptions::after);
  function("axialFrequencies", &axial_frequency_list);
  function("sectionAxes", &section_axis_list);
  function("pixelFrequencies", &pixel_frequency_list);
  function("gridPositions", &grid_position_list);
  function("rotaryWavelengths", &wavelength_list);
  function("rotaryTurns", &turn_list);
  function("rotaryDecay", &decay_curves);
  function("rotaryScoreBound", &score_bound);
}

}  // namespace ropewalk::bindings
