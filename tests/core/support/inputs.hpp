// Seeded inputs: the same numbers in every build.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace ropewalk {

inline std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

inline std::vector<double> counted_positions(std::size_t count) {
  std::vector<double> positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[i] = static_cast<double>(i);
  return positions;
}

}  // namespace ropewalk
