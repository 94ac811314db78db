// Not in the header: a virtual table belongs to one object, and linking with
// -fvirtual-function-elimination needs that to be the core's, not one of a test.
#include "attention/quantized_heads.hpp"

namespace ropewalk {

void QuantizedValues::accumulate(MatrixView out, ConstMatrixView weights,
                                 std::size_t first_row) const {
  accumulate_quantized(out, weights, rows_.rows_from(first_row, weights.cols));
}

void QuantizedKeys::fill(MatrixView scores, const GroupTiles& tiles, const Tile& tile) {
  multiply_quantized(scores, queries_of(tiles, tile),
                     rows_.rows_from(tiles.key_row(tile.seen.first), scores.cols), scale_);
}

}  // namespace ropewalk
