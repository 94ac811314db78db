// A distance table with its numbers, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk {

// heads x count, first column key - query = first.
struct DistanceTable {
  DistanceTable(std::size_t heads, std::int64_t first, std::size_t count)
      : heads(heads), count(count), first(first), values(heads * count) {}

  MatrixView view() { return {values.data(), heads, count}; }
  float at(std::size_t head, std::int64_t offset) const {
    return values[head * count + static_cast<std::size_t>(offset - first)];
  }

  std::size_t heads, count;
  std::int64_t first;
  std::vector<float> values;
};

}  // namespace ropewalk
