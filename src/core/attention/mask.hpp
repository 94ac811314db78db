// Which keys a query sees, as one range per row: enough for causal masks of either alignment.
#pragma once

#include <cstddef>

namespace ropewalk {

// With as many queries as keys both alignments are the same.
enum class Causal {
  none,
  top_left,      // query i sees keys 0 ... i                      (PyTorch is_causal, ONNX)
  bottom_right,  // query i sees keys 0 ... i + keys - queries     (decoding with a cache)
};

struct KeyRange {
  std::size_t first = 0;
  std::size_t past_end = 0;
};

KeyRange visible_keys(Causal causal, std::size_t query, std::size_t queries, std::size_t keys);

}  // namespace ropewalk
