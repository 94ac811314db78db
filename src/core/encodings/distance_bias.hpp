// What every bias shares that knows only the head and the distance.
//
// Such a bias is a table, heads x count: column c holds what a key gets whose position minus the
// query's is first + c. For queries 0 ... Q - 1 and keys 0 ... K - 1 that is Q + K - 1 columns from
// first = 1 - Q on, and attention reads its rows without ever building Q x K values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

// What a key after its query gets: the same as the query's own key, since a mask hides it, or what
// its distance says.
enum class BiasDirection { causal, symmetric };

// How far a key is from its query, as the direction counts.
inline double bias_distance(std::int64_t offset, BiasDirection direction) {
  const bool unseen = offset > 0 && direction == BiasDirection::causal;
  return static_cast<double>(unseen ? 0 : offset < 0 ? -offset : offset);
}

// Row h, column c becomes value(h, distance).
template <class Value>
void fill_by_distance(MatrixView by_offset, std::int64_t first, BiasDirection direction,
                      Value value) {
  for (std::size_t h = 0; h < by_offset.rows; ++h) {
    const std::span<float> row = by_offset.row(h);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double distance = bias_distance(first + static_cast<std::int64_t>(c), direction);
      row[c] = static_cast<float>(value(h, distance));
    }
  }
}

// The bias in full, one head after another: full is (heads * queries) x keys.
// Throws std::invalid_argument where a distance has no column, as one that is no whole number.
void expand_by_offset(MatrixView full, ConstMatrixView by_offset, std::int64_t first,
                      std::span<const double> queries, std::span<const double> keys);

}  // namespace ropewalk
