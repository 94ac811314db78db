// The buffers of attention.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/softmax.hpp"

namespace ropewalk {

// Those of attend_backward, as large as a tile or a block of keys but for the last two.
struct BackwardScratch {
  std::vector<float> keys, key_columns, values, queries, d_output;  // packed
  std::vector<float> weights, d_weights, other;
  std::vector<float> before;          // a row's scores before each modifier
  std::vector<float> delta;           // of each row of a group
  std::vector<float> more_gradients;  // of q and k under further rotations
};

// Buffers that calls reuse. Without rotations and intermediates their size does not grow with
// queries * keys: a few hundred kilobytes and eight bytes per row of a group of heads.
struct AttentionScratch {
  // Of a block whose values are not all summable: its first key, and the first row of the group's
  // tile that leaves them out; no row: all tiles do.
  struct ExtremeBlock {
    static constexpr std::uint32_t all_rows = ~std::uint32_t{0};
    std::uint32_t first_key, row = all_rows;
  };
  std::vector<float> keys, values, scores, other_scores, rows_before, copied_values, rotated;
  std::vector<ExtremeBlock> extreme_blocks;
  std::vector<SoftmaxState> rows;
  BackwardScratch backward;
};

}  // namespace ropewalk
