// How the query heads that share one key head pass over its keys: in tiles of rows and keys, of
// which none lies outside the band.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "attention/rotations.hpp"
#include "kernels/matmul.hpp"

namespace ropewalk {

// Rows that are taken together: the queries of one head, or, with one query per head, all heads.
struct RowRun {
  std::size_t first_row;  // of the group, by head and query
  std::size_t rows;
  std::size_t head;
  bool is_row_per_head;

  std::size_t query_of(std::size_t row) const { return is_row_per_head ? 0 : row; }
  std::size_t head_of(std::size_t row) const { return is_row_per_head ? head + row : head; }
};

// Rows of a run that see some keys of a block, and the union of those keys, from a whole panel on.
struct Tile {
  const RowRun& run;
  std::size_t first, past_end;
  IndexRange block, seen;

  IndexRange in_block(IndexRange keys) const {
    return {keys.first - block.first, keys.past_end - block.first};
  }
  std::size_t rows() const { return past_end - first; }
  std::size_t row(std::size_t r) const { return run.first_row + first + r; }  // of the group
  std::size_t query(std::size_t r) const { return run.query_of(first + r); }
  std::size_t head(std::size_t r) const { return run.head_of(first + r); }
};

inline ConstMatrixView rows_of(ConstMatrixView matrix, IndexRange rows) {
  return {matrix.row(rows.first).data(), rows.past_end - rows.first, matrix.cols, matrix.stride};
}

// Most rows of a tile.
inline constexpr std::size_t max_tile_rows = 24;
static_assert(max_tile_rows % micro_rows == 0);

class GroupTiles {
 public:
  GroupTiles(const AttentionCall& call, std::span<const RotatedQK> rotations, std::size_t batch,
             std::size_t key_head, bool takes_every_key, std::size_t keys_per_block);

  std::size_t batch() const { return batch_; }
  std::size_t rows() const { return heads_ * shape_.queries; }
  std::size_t first_head() const { return key_head_ * heads_; }
  // Index of the group's first row among the rows of all batches and heads.
  std::size_t first_row() const { return (batch_ * shape_.heads + first_head()) * shape_.queries; }
  // Index of a key among the stored rows of all batches and key heads.
  std::size_t key_row(std::size_t key) const {
    const std::size_t rows = call_.stored_rows == 0 ? shape_.keys : call_.stored_rows;
    return (batch_ * shape_.key_heads + key_head_) * rows + key;
  }
  const Band& band() const { return band_; }

  IndexRange visible(std::size_t query) const { return visible_keys(band_, query, shape_.keys); }
  // Whether each row of a tile sees every key that the tile computes.
  bool sees_all(const Tile& tile) const {
    return sees_all_of(tile.seen, tile.run, tile.first, tile.past_end);
  }

  ConstMatrixView keys_of(const RotatedQK& rotated) const {
    return {rotated.k.head(batch_, key_head_), shape_.keys, shape_.dim, rotated.k.row_step};
  }
  ConstMatrixView values() const {
    return {call_.v.head(batch_, key_head_), shape_.keys, shape_.value_dim, call_.v.row_step};
  }
  ConstMatrixView queries_of(const RotatedQK& rotated, const Tile& tile) const;

  // The keys whose scores come from rotation s for a query, within these.
  IndexRange keys_of_rotation(std::size_t s, std::size_t query, IndexRange keys) const;
  // The keys whose scores come from rotation s for any row of a tile, from a whole panel on.
  IndexRange keys_of_rotation(std::size_t s, const Tile& tile) const;

  // Fills the scores of a tile by multiply(to, s, keys), which computes those of rotation s for a
  // range of keys; `other` has room for a tile.
  template <class Multiply>
  void gather_scores(MatrixView scores, float* other, const Tile& tile, Multiply multiply) const {
    bool is_first = true;
    for (std::size_t s = 0; s < rotations_.size(); ++s) {
      const IndexRange keys = keys_of_rotation(s, tile);
      if (keys.empty()) continue;
      const bool goes_direct = std::exchange(is_first, false);
      const MatrixView to(goes_direct ? scores.data + (keys.first - tile.seen.first) : other,
                          scores.rows, keys.past_end - keys.first, scores.stride);
      multiply(to, s, keys);
      if (!goes_direct) copy_own_scores(scores, to, s, keys, tile);
    }
  }

  IndexRange block_from(std::size_t first) const {
    return {first, std::min(first + keys_per_block_, computed_.past_end)};
  }
  template <class Use>
  void for_blocks(Use use) const {
    for (std::size_t key = computed_.first; key < computed_.past_end; key += keys_per_block_)
      use(block_from(key));
  }
  // The same blocks from the last on.
  template <class Use>
  void for_blocks_reversed(Use use) const {
    std::size_t past_end = computed_.past_end;
    while (past_end > computed_.first) {
      const std::size_t before = (past_end - 1 - computed_.first) / keys_per_block_;
      const IndexRange block = block_from(computed_.first + before * keys_per_block_);
      use(block);
      past_end = block.first;
    }
  }

  // Rows that see none of the block's keys are not visited: with a window they are nearly all.
  template <class User>
  void for_tiles(IndexRange block, User& user, void (User::*use)(const Tile&)) const {
    if (shape_.queries == 1) return for_tiles_of({0, heads_, first_head(), true}, block, user, use);
    for (std::size_t h = 0; h < heads_; ++h) {
      for_tiles_of({h * shape_.queries, shape_.queries, first_head() + h, false}, block, user, use);
    }
  }

 private:
  void copy_own_scores(MatrixView scores, ConstMatrixView from, std::size_t s, IndexRange keys,
                       const Tile& tile) const;

  // The union of what queries first ... past_end - 1 see; both ends move up with the query.
  IndexRange seen_by(std::size_t first, std::size_t past_end) const;
  bool sees_all_of(IndexRange keys, const RowRun& run, std::size_t first,
                   std::size_t past_end) const;
  IndexRange rows_seeing(const RowRun& run, IndexRange block) const;
  // The tile that begins at a row; its `seen` may be empty.
  Tile tile_at(const RowRun& run, IndexRange block, std::size_t first, std::size_t past_rows) const;

  template <class User>
  void for_tiles_of(const RowRun& run, IndexRange block, User& user,
                    void (User::*use)(const Tile&)) const {
    const IndexRange rows = rows_seeing(run, block);
    for (std::size_t row = rows.first; row < rows.past_end;) {
      const Tile tile = tile_at(run, block, row, rows.past_end);
      if (!tile.seen.empty()) (user.*use)(tile);
      row = tile.past_end;
    }
  }

  const AttentionCall& call_;
  const AttentionShape& shape_;
  std::span<const RotatedQK> rotations_;
  std::size_t batch_, key_head_, heads_;
  bool takes_every_key_;
  std::size_t keys_per_block_;
  Band band_;
  IndexRange computed_;  // what any query sees; all keys where every key is taken
};

}  // namespace ropewalk
