#include "rotary/axes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/require.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk {
namespace {

double coordinate_of(std::size_t i, std::size_t count, GridCoordinate coordinate) {
  const double index = static_cast<double>(i), n = static_cast<double>(count);
  switch (coordinate) {
    case GridCoordinate::index:
      return index;
    case GridCoordinate::number:
      return index + 1.0;
    case GridCoordinate::center:
      return (index + 0.5) / n * 2.0 - 1.0;
    case GridCoordinate::edge:
      return count == 1 ? -1.0 : 2.0 * index / (n - 1.0) - 1.0;
  }
  return 0.0;
}

}  // namespace

AxialFrequencies axial_frequencies(std::size_t dim, std::size_t axes, double base,
                                   AxialSplit split) {
  require(axes > 0, "axial_frequencies: axes must be positive, got 0");
  AxialFrequencies result{std::vector<double>(dim / 2), std::vector<std::size_t>(dim / 2)};
  std::size_t pair = 0;
  const auto add = [&](double frequency, std::size_t axis) {
    result.frequencies[pair] = frequency;
    result.axis_of_pair[pair++] = axis;
  };
  if (split == AxialSplit::repeated) {
    // More axes than pairs first: twice their number may be more than a size counts.
    require(axes <= dim / 2 && dim % (2 * axes) == 0,
            "axial_frequencies: dim must be a multiple of 2 * axes = ",
            2.0 * static_cast<double>(axes), ", got ", dim);
    const std::vector<double> own = rotary_frequencies(dim / axes, base);
    for (std::size_t axis = 0; axis < axes; ++axis) {
      for (const double frequency : own) add(frequency, axis);
    }
    return result;
  }
  const std::vector<double> all = rotary_frequencies(dim, base);
  for (std::size_t axis = 0; axis < std::min(axes, all.size()); ++axis) {
    for (std::size_t i = axis; i < all.size(); i += axes) add(all[i], axis);
  }
  return result;
}

std::vector<std::size_t> section_axes(std::size_t pairs, std::span<const std::size_t> sections,
                                      SectionOrder order) {
  // In double, since two sections may be more than a size of 32 bits counts.
  const double sum = std::accumulate(sections.begin(), sections.end(), 0.0);
  require(sum == static_cast<double>(pairs),
          "section_axes: the sections must add up to the number of pairs, ", pairs, ", got ", sum);
  std::vector<std::size_t> axis_of_pair;
  if (order == SectionOrder::consecutive) {
    for (std::size_t axis = 0; axis < sections.size(); ++axis) {
      for (std::size_t i = 0; i < sections[axis]; ++i) axis_of_pair.push_back(axis);
    }
    return axis_of_pair;
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const std::size_t axis = i % sections.size();
    axis_of_pair.push_back(i < sections.size() * sections[axis] ? axis : 0);
  }
  return axis_of_pair;
}

std::vector<double> pixel_frequencies(std::size_t dim, double max_frequency) {
  require_even("pixel_frequencies: dim", dim);
  require_positive("pixel_frequencies: max_frequency", max_frequency);
  std::vector<double> frequencies(dim / 2);
  const double last = static_cast<double>(frequencies.size() - 1);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double share = last == 0.0 ? 0.0 : static_cast<double>(i) / last;
    frequencies[i] = std::numbers::pi * (1.0 + (max_frequency / 2.0 - 1.0) * share);
  }
  return frequencies;
}

std::size_t grid_tokens(const GridOptions& o) {
  require(o.frames > 0 && o.height > 0 && o.width > 0,
          "grid_positions: frames, height and width must be positive, got ", o.frames, ", ",
          o.height, ", ", o.width);
  require(o.block > 0 && o.height % o.block == 0 && o.width % o.block == 0,
          "grid_positions: height and width must be multiples of the block, ", o.block, ", got ",
          o.height, " x ", o.width);
  return o.before + o.frames * o.height * o.width + o.after;
}

void grid_positions(const GridOptions& o, std::span<double> positions) {
  const std::size_t tokens = positions.size() / 2;
  std::ranges::fill(positions, 0.0);
  double* of_row = positions.data() + (o.is_column_first ? tokens : 0) + o.before;
  double* of_column = positions.data() + (o.is_column_first ? 0 : tokens) + o.before;
  const std::size_t blocks_across = o.width / o.block, in_block = o.block * o.block;
  for (std::size_t i = 0; i < o.frames * o.height * o.width; ++i) {
    const std::size_t cell = i % (o.height * o.width);
    const std::size_t square = cell / in_block, inside = cell % in_block;
    const std::size_t row = square / blocks_across * o.block + inside / o.block;
    const std::size_t column = square % blocks_across * o.block + inside % o.block;
    of_row[i] = coordinate_of(row, o.height, o.coordinate);
    of_column[i] = coordinate_of(column, o.width, o.coordinate);
  }
}

}  // namespace ropewalk
