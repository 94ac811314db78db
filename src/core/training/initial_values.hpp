// Initial values of parameters.
#pragma once

#include <algorithm>

#include "base/matrix_view.hpp"
#include "base/random.hpp"

namespace ropewalk {

inline constexpr float inverse_softplus_of_1 = 0.541324855f;

inline std::span<float> all_of(MatrixView matrix) {
  return {matrix.data, matrix.rows * matrix.cols};
}

inline void fill_normal(MatrixView values, Random& random, double deviation) {
  for (float& value : all_of(values)) value = static_cast<float>(deviation * random.normal());
}

// From `low` for the first to `high` for the last.
inline void fill_evenly(std::span<float> values, double low, double high) {
  const double steps = std::max<double>(1.0, static_cast<double>(values.size()) - 1.0);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(low + (high - low) * static_cast<double>(i) / steps);
}

}  // namespace ropewalk
