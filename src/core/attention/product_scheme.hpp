// Scores in place of scale q kT, for schemes that act inside the dot product of a query and a key.
// Masks, biases, the softmax and the product with the values stay those of attention.
#pragma once

#include "attention/tiles.hpp"

namespace ropewalk {

// Made for one call, whose shape, scale, q and k it reads.
class ProductScheme {
 public:
  // Throws std::invalid_argument when the scheme's tensors do not fit its call.
  virtual void check() const = 0;
  // Fills the scores of a tile: one column for each of tile.seen, also of keys that are hidden from
  // a row. Where a scheme is causal, keys after the query have no score: their columns may receive
  // any number, and results have -infinity there. A block's tiles come head by head, in
  // the order of their queries; a block may come again.
  virtual void fill(MatrixView scores, const GroupTiles& tiles, const Tile& tile) = 0;
  virtual bool has_gradient() const { return true; }
  // Adds the gradients of q, k and the scheme's own tensors, given that of the scores that fill()
  // computed just before: 0 where a row does not see a key. The tile's block has all keys. d_q has
  // a row for each of the tile, d_k for each key of the key head.
  virtual void backward(ConstMatrixView d_scores, const GroupTiles& tiles, const Tile& tile,
                        MatrixView d_q, MatrixView d_k) = 0;

  const OwnKeyRule own_key;  // if causal, a call must hide the keys after the query

 protected:
  explicit ProductScheme(const AttentionCall& call, OwnKeyRule own_key = {})
      : own_key(own_key), shape_(call.shape), scale_(call.scale), rows_{call.q, call.k, {}} {}
  ~ProductScheme() = default;

  ConstMatrixView keys_of(const GroupTiles& tiles) const { return tiles.keys_of(rows_); }
  ConstMatrixView queries_of(const GroupTiles& tiles, const Tile& tile) const {
    return tiles.queries_of(rows_, tile);
  }

  const AttentionShape shape_;
  const float scale_;

 private:
  RotatedQK rows_;
};

// The key at which row r of a tile stands.
inline std::int64_t key_of_row(const GroupTiles& tiles, const Tile& tile, std::size_t r) {
  return static_cast<std::int64_t>(tile.query(r)) + tiles.band().offset;
}

}  // namespace ropewalk
