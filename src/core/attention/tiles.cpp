#include "attention/tiles.hpp"

namespace ropewalk {
GroupTiles::GroupTiles(const AttentionCall& call, std::span<const RotatedQK> rotations,
                       std::size_t batch, std::size_t key_head, bool takes_every_key,
                       std::size_t keys_per_block)
    : call_(call),
      shape_(call.shape),
      rotations_(rotations),
      batch_(batch),
      key_head_(key_head),
      heads_(call.shape.heads / call.shape.key_heads),
      takes_every_key_(takes_every_key),
      keys_per_block_(keys_per_block),
      band_(band_of(call, batch)),
      computed_(takes_every_key ? IndexRange{0, shape_.keys} : seen_by(0, shape_.queries)) {}

ConstMatrixView GroupTiles::queries_of(const RotatedQK& rotated, const Tile& tile) const {
  const std::size_t step = tile.run.is_row_per_head ? rotated.q.head_step : rotated.q.row_step;
  const float* first = rotated.q.head(batch_, tile.run.head) + tile.first * step;
  return {first, tile.rows(), shape_.dim, step};
}

IndexRange GroupTiles::keys_of_rotation(std::size_t s, std::size_t query, IndexRange keys) const {
  const auto first_key = [&](std::size_t rotation) -> std::size_t {
    const auto& [values, steps] = rotations_[rotation].first_keys;
    return values.empty() ? 0 : values[steps.first(batch_, 0) + query];
  };
  if (s > 0) keys.past_end = std::min(keys.past_end, first_key(s - 1));
  keys.first = std::max(keys.first, first_key(s));
  return keys;
}

IndexRange GroupTiles::keys_of_rotation(std::size_t s, const Tile& tile) const {
  if (rotations_.size() == 1) return tile.seen;
  IndexRange all{tile.seen.past_end, tile.seen.first};
  for (std::size_t r = 0; r < tile.rows(); ++r) {
    const IndexRange keys = keys_of_rotation(s, tile.query(r), tile.seen);
    if (keys.empty()) continue;
    all = {std::min(all.first, keys.first), std::max(all.past_end, keys.past_end)};
  }
  if (!all.empty()) all.first -= (all.first - tile.block.first) % panel_cols;
  return all;
}

void GroupTiles::copy_own_scores(MatrixView scores, ConstMatrixView from, std::size_t s,
                                 IndexRange keys, const Tile& tile) const {
  for (std::size_t r = 0; r < scores.rows; ++r) {
    const IndexRange own = keys_of_rotation(s, tile.query(r), tile.seen);
    if (own.empty()) continue;
    const auto part = from.row(r).subspan(own.first - keys.first, own.past_end - own.first);
    std::ranges::copy(part, scores.row(r).begin() + (own.first - tile.seen.first));
  }
}

IndexRange GroupTiles::seen_by(std::size_t first, std::size_t past_end) const {
  if (first == past_end) return {};
  return {visible(first).first, visible(past_end - 1).past_end};
}

bool GroupTiles::sees_all_of(IndexRange keys, const RowRun& run, std::size_t first,
                             std::size_t past_end) const {
  return visible(run.query_of(past_end - 1)).first <= keys.first &&
         visible(run.query_of(first)).past_end >= keys.past_end;
}

IndexRange GroupTiles::rows_seeing(const RowRun& run, IndexRange block) const {
  const IndexRange all{0, run.rows};
  if (takes_every_key_) return all;
  const IndexRange rows = queries_seeing(band_, block, shape_.queries);
  return run.is_row_per_head && !rows.empty() ? all : rows;
}

Tile GroupTiles::tile_at(const RowRun& run, IndexRange block, std::size_t first,
                         std::size_t past_rows) const {
  std::size_t past_end = std::min(first + max_tile_rows, past_rows);
  if (takes_every_key_) return {run, first, past_end, block, block};
  // Fewer rows where they see different keys, so that little is computed that no row sees.
  if (!sees_all_of(block, run, first, past_end))
    past_end = std::min(first + 2 * micro_rows, past_rows);
  IndexRange seen =
      intersection(block, seen_by(run.query_of(first), run.query_of(past_end - 1) + 1));
  if (!seen.empty()) seen.first -= (seen.first - block.first) % panel_cols;
  return {run, first, past_end, block, seen};
}

}  // namespace ropewalk
