#include "content/wall.hpp"

#include <cmath>

#include "kernels/dot.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {

std::vector<double> wall_sums(std::span<const float> gates, std::size_t length, std::size_t dim,
                              PrefixTerm kind) {
  std::vector<double> sums(gates.size());
  prefix_terms(sums, gates, kind);
  for (const double term : sums)
    require(term <= 0.0 && std::isfinite(term),
            "wall: logarithms of gates must be finite and at most 0, got ", term);
  for (std::size_t row = 0; row < sums.size(); row += length * dim) {
    for (std::size_t i = row + dim; i < row + length * dim; ++i) sums[i] += sums[i - dim];
  }
  return sums;
}

void wall_sums_backward(std::span<float> d_gates, std::span<const double> d_sums,
                        std::span<const float> gates, std::size_t length, std::size_t dim,
                        PrefixTerm kind) {
  std::vector<double> later(dim);
  for (std::size_t i = gates.size(); i-- > 0;) {
    const std::size_t token = i / dim % length;
    double& sum = later[i % dim];
    sum = (token == length - 1 ? 0.0 : sum) + d_sums[i];
    const double slope = prefix_term_slope(kind, double(gates[i]));
    d_gates[i] = token == 0 ? 0.0f : static_cast<float>(sum * slope);
  }
}

void WallScores::check() const {
  check_count("sums of gates", shape_.batches * shape_.heads * shape_.keys * shape_.dim,
              sums_.size());
}

void WallScores::fill_row(std::span<float> scores, const GroupTiles& tiles, const Tile& tile,
                          std::size_t r) {
  const std::int64_t own = key_of_row(tiles, tile, r);
  if (own < 0) return;
  const std::size_t head = tile.head(r), at = static_cast<std::size_t>(own);
  const std::span<const float> query = queries_of(tiles, tile).row(r);
  const ConstMatrixView keys = keys_of(tiles);
  queries_.resize(std::max(queries_.size(), shape_.dim));
  const std::span<float> faded(queries_.data(), shape_.dim);
  for (std::size_t key = tile.seen.first; key < tile.seen.past_end && key <= at; ++key) {
    decayed(faded, query, sums(tiles.batch(), head, at), sums(tiles.batch(), head, key));
    scores[key - tile.seen.first] = scale_ * dot(faded, keys.row(key));
  }
}

bool WallScores::is_in_reach(const GroupTiles& tiles, std::size_t head, std::size_t first,
                             std::size_t last) const {
  const std::span<const double> from = sums(tiles.batch(), head, first),
                                to = sums(tiles.batch(), head, last);
  for (std::size_t d = 0; d < shape_.dim; ++d) {
    if (from[d] - to[d] > reach) return false;
  }
  return true;
}

void WallScores::pack(const GroupTiles& tiles, const Packed& wanted) {
  if (packed_ == wanted) return;
  const auto sums_at = [&](std::size_t key) { return sums(tiles.batch(), wanted.head, key); };
  const std::span<const double> anchor = sums_at(wanted.first_own);

  const std::size_t count = wanted.last_own + 1 - wanted.first_key;
  keys_.resize(std::max(keys_.size(), count * shape_.dim));
  packed_keys_.resize(std::max(packed_keys_.size(), round_up(count, panel_cols) * shape_.dim));
  const MatrixView faded(keys_.data(), count, shape_.dim);
  std::size_t ready = 0;
  if (packed_.precedes(wanted)) {
    ready = packed_.last_own + 1 - packed_.first_key;
    factors_.assign(shape_.dim, 1.0f);
    decayed(factors_, factors_, anchor, anchor_);
    for (std::size_t i = 0; i < ready; ++i) decay_further(faded.row(i), factors_);
  }
  const ConstMatrixView given = keys_of(tiles);
  for (std::size_t i = ready; i < count; ++i) {
    const std::size_t key = wanted.first_key + i;
    decayed(faded.row(i), given.row(key), anchor, sums_at(key));
  }
  pack_rows_as_columns(packed_keys_.data(), faded, scale_);
  anchor_ = anchor;
  packed_ = wanted;
}

void WallScores::fill(MatrixView scores, const GroupTiles& tiles, const Tile& tile) {
  const IndexRange seen = tile.seen;
  if (tile.run.is_row_per_head) {
    for (std::size_t r = 0; r < scores.rows; ++r) fill_row(scores.row(r), tiles, tile, r);
    return;
  }
  const std::size_t head = tile.head(0);
  // A row that stands before the block sees none of it, and may receive any scores.
  const auto own = [&](std::size_t r) {
    const std::int64_t key = key_of_row(tiles, tile, r);
    return key < static_cast<std::int64_t>(seen.first) ? seen.first : static_cast<std::size_t>(key);
  };
  const auto last_of = [&](std::size_t r) { return std::min(own(r), seen.past_end - 1); };
  queries_.resize(std::max(queries_.size(), scores.rows * shape_.dim));
  const ConstMatrixView given = queries_of(tiles, tile);
  for (std::size_t first = 0, past_end; first < scores.rows; first = past_end) {
    past_end = first + 1;
    while (past_end < scores.rows && is_in_reach(tiles, head, last_of(first), last_of(past_end)))
      ++past_end;
    const std::size_t last_own = last_of(past_end - 1);
    pack(tiles, {tiles.batch(), head, seen.first, last_of(first), last_own});
    const MatrixView queries(queries_.data(), past_end - first, shape_.dim);
    for (std::size_t r = 0; r < queries.rows; ++r)
      decayed(queries.row(r), given.row(first + r), sums(tiles.batch(), head, own(first + r)),
              anchor_);
    multiply_packed(
        {scores.row(first).data(), queries.rows, last_own + 1 - seen.first, scores.stride}, queries,
        packed_keys_.data());
  }
}

void WallScores::backward(ConstMatrixView d_scores, const GroupTiles& tiles, const Tile& tile,
                          MatrixView d_q, MatrixView d_k) {
  const ConstMatrixView keys = keys_of(tiles), queries = queries_of(tiles, tile);
  const std::vector<float> ones(shape_.dim, 1.0f);
  factors_.resize(shape_.dim);
  // score = scale sum over c of q[c] k[c] factor[c], factor = exp(own sum - sum of the key)
  for (std::size_t r = 0; r < d_scores.rows; ++r) {
    const std::size_t head = tile.head(r);
    const std::int64_t own = key_of_row(tiles, tile, r);
    const std::span<const float> q = queries.row(r);
    for (std::size_t i = 0; i < d_scores.cols; ++i) {
      const float d = scale_ * d_scores.row(r)[i];
      if (d == 0.0f) continue;
      const std::size_t key = tile.seen.first + i, row = static_cast<std::size_t>(own);
      decayed(factors_, ones, sums(tiles.batch(), head, row), sums(tiles.batch(), head, key));
      const std::span<double> d_own = d_sums_.subspan(at(tiles.batch(), head, row), shape_.dim),
                              d_key = d_sums_.subspan(at(tiles.batch(), head, key), shape_.dim);
      const std::span<const float> k = keys.row(key);
      for (std::size_t c = 0; c < shape_.dim; ++c) {
        const float of_factor = d * factors_[c];
        d_q.row(r)[c] += of_factor * k[c];
        d_k.row(key)[c] += of_factor * q[c];
        const double of_exponent = double(of_factor) * double(q[c]) * double(k[c]);
        d_own[c] += of_exponent;
        d_key[c] -= of_exponent;
      }
    }
  }
}

}  // namespace ropewalk
