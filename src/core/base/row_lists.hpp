// Values for the rows of every head of a tensor (batches, heads, rows), where batches or heads may
// share a list.
#pragma once

#include <cstddef>
#include <span>

namespace ropewalk {

// How many rows later the list of the next batch, and of the next head, begins. 0: they share one.
struct RowSteps {
  std::size_t batch = 0, head = 0;

  // Those of lists of `count` rows in all: one for all heads, one for each head, or else as given.
  static RowSteps of(std::size_t count, std::size_t batches, std::size_t heads, std::size_t rows,
                     const RowSteps& otherwise) {
    if (count == rows) return {};
    if (count != batches * heads * rows) return otherwise;
    return {heads * rows, heads == 1 ? 0 : rows};
  }

  bool operator==(const RowSteps&) const = default;
  // The first row of a head's list.
  std::size_t first(std::size_t of_batch, std::size_t of_head) const {
    return of_batch * batch + of_head * head;
  }
  // The rows of all lists: where the last one ends. Without batches or heads that is 0, modulo 2^n.
  std::size_t count(std::size_t batches, std::size_t heads, std::size_t rows) const {
    return first(batches - 1, heads - 1) + rows;
  }
};

template <class T>
struct RowLists {
  std::span<const T> values;
  RowSteps steps{};
};

}  // namespace ropewalk
