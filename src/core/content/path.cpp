#include "content/path.hpp"

#include <algorithm>

#include "kernels/dot.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {
namespace {

// Matrices that are applied together.
constexpr std::size_t max_tokens = 24;

}  // namespace

void path_update_keys(MatrixView keys, std::span<const float> w, float beta) {
  require(keys.cols == w.size(), "path_update_keys: w must have ", keys.cols, " values, got ",
          w.size());
  for (std::size_t r = 0; r < keys.rows; ++r)
    add_scaled(keys.row(r), w, -beta * dot(keys.row(r), w));
}

void PathScores::check() const {
  check_count("beta", shape_.batches * shape_.key_heads * shape_.keys, factors_.betas.size());
}

ConstMatrixView PathScores::w() const {
  return {factors_.w.head(batch_, key_head_), shape_.keys, shape_.dim, factors_.w.row_step};
}

float PathScores::beta(std::size_t token) const {
  return factors_.betas[(batch_ * shape_.key_heads + key_head_) * shape_.keys + token];
}

void PathScores::reflect(std::span<float> x, std::size_t token) const {
  const std::span<const float> along = w().row(token);
  add_scaled(x, along, -beta(token) * dot(x, along));
}

void PathScores::begin(const GroupTiles& tiles, const Tile& tile) {
  batch_ = tiles.batch();
  head_ = tile.run.head;
  key_head_ = head_ / (shape_.heads / shape_.key_heads);
  block_ = tile.block;
  next_ = block_.first;
  carried_.resize((block_.past_end - block_.first) * shape_.dim);
  const ConstMatrixView keys = keys_of(tiles);
  for (std::size_t key = block_.first; key < block_.past_end; ++key)
    std::ranges::copy(keys.row(key), carried().row(key - block_.first).begin());
}

void PathScores::advance(std::size_t token) {
  while (next_ < token) {
    const std::size_t past_end = std::min(token, next_ + max_tokens);
    apply({next_, past_end});
    next_ = past_end;
  }
}

void PathScores::apply(IndexRange tokens) {
  const std::size_t count = tokens.past_end - tokens.first, dim = shape_.dim;
  // Keys before these tokens take all their matrices; the others those of later tokens.
  for (std::size_t key = tokens.first; key < std::min(tokens.past_end, block_.past_end); ++key) {
    for (std::size_t t = key + 1; t < tokens.past_end; ++t)
      reflect(carried().row(key - block_.first), t);
  }
  const std::size_t before = std::min(tokens.first, block_.past_end) - block_.first;
  if (before == 0) return;
  const ConstMatrixView along(w().row(tokens.first).data(), count, dim, w().stride);
  // k becomes k - sum of c_t w_t, c_t = beta_t (k w_t - sum over s < t of c_s w_s w_t).
  gram_.resize(count * count);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t s = 0; s < t; ++s) gram_[t * count + s] = dot(along.row(t), along.row(s));
  }
  const std::size_t stride = round_up(count, panel_cols);
  packed_.resize(std::max(stride * dim, count * round_up(dim, panel_cols)));
  products_.resize(before * stride);
  const MatrixView products(products_.data(), before, count, stride);
  const MatrixView keys(carried_.data(), before, dim);
  pack_rows_as_columns(packed_.data(), along);
  multiply_packed(products, keys, packed_.data());
  for (std::size_t r = 0; r < before; ++r) {
    const std::span<float> c = products.row(r);
    for (std::size_t t = 0; t < count; ++t) {
      float sum = c[t];
      for (std::size_t s = 0; s < t; ++s) sum += c[s] * gram_[t * count + s];
      c[t] = -beta(tokens.first + t) * sum;
    }
  }
  pack_columns(packed_.data(), along);
  accumulate_packed(keys, products, {packed_.data(), count * panel_cols});
}

void PathScores::fill(MatrixView scores, const GroupTiles& tiles, const Tile& tile) {
  const std::int64_t first_key = std::max<std::int64_t>(key_of_row(tiles, tile, 0), 0);
  const auto first_own = static_cast<std::size_t>(first_key);
  // One query of several heads takes its own matrix with the keys, and so does its own key.
  const bool is_one_query = tile.run.is_row_per_head;
  const std::size_t due = is_one_query ? first_own + 1 : first_own;
  if (batch_ != tiles.batch() || head_ != tile.run.head || block_.first != tile.block.first ||
      block_.past_end != tile.block.past_end || next_ > due) {
    begin(tiles, tile);
  }
  advance(due);

  // A row's own matrices act on its query, from the last to the first; on the way it meets the keys
  // of the tile's own tokens.
  const std::size_t past_carried = std::clamp(due, tile.seen.first, tile.seen.past_end);
  const std::size_t own_keys = tile.seen.past_end - past_carried;
  queries_.resize(scores.rows * shape_.dim);
  own_scores_.resize(scores.rows * own_keys);
  const MatrixView queries(queries_.data(), scores.rows, shape_.dim),
      own(own_scores_.data(), scores.rows, own_keys);
  const ConstMatrixView keys = keys_of(tiles), given = queries_of(tiles, tile);
  for (std::size_t r = 0; r < scores.rows; ++r) {
    std::ranges::copy(given.row(r), queries.row(r).begin());
    const std::int64_t last = is_one_query ? -1 : key_of_row(tiles, tile, r);
    for (std::int64_t t = last; t >= first_key; --t) {
      const auto token = static_cast<std::size_t>(t);
      if (token >= past_carried && token < tile.seen.past_end)
        own.row(r)[token - past_carried] = scale_ * dot(queries.row(r), keys.row(token));
      reflect(queries.row(r), token);
    }
  }

  const std::size_t count = past_carried - tile.seen.first;
  if (count > 0) {
    packed_.resize(std::max(packed_.size(), round_up(count, panel_cols) * shape_.dim));
    const MatrixView before(carried().row(tile.seen.first - block_.first).data(), count,
                            shape_.dim);
    pack_rows_as_columns(packed_.data(), before, scale_);
    multiply_packed({scores.data, scores.rows, count, scores.stride}, queries, packed_.data());
  }
  for (std::size_t r = 0; r < scores.rows && own_keys > 0; ++r)
    std::ranges::copy(own.row(r), scores.row(r).begin() + std::ptrdiff_t(count));
}

// With u[n] = H[n+1] ... H[own] q, so that u[n-1] = H[n] u[n], and g[n] the gradient of u[n]:
//   g[n] = scale d_score[n] k[n] + H[n] g[n-1]        d_k[n] += scale d_score[n] u[n]
//   d_beta[n] -= (u[n] w[n]) (g[n-1] w[n])
//   d_w[n] -= beta[n] ((g[n-1] w[n]) u[n] + (u[n] w[n]) g[n-1])
void PathScores::differentiate_row(std::span<float> d_q, MatrixView d_k,
                                   std::span<const float> d_scores, std::size_t first_key,
                                   std::size_t own, std::span<const float> query,
                                   ConstMatrixView keys) {
  const std::size_t count = own + 1 - first_key, dim = shape_.dim;
  const std::size_t first_token = (batch_ * shape_.key_heads + key_head_) * shape_.keys;
  walked_.resize(std::max(walked_.size(), count * dim));
  along_.resize(std::max(along_.size(), count));
  d_query_.assign(dim, 0.0f);
  const MatrixView walked(walked_.data(), count, dim);
  std::ranges::copy(query, walked.row(count - 1).begin());
  for (std::size_t i = count; i-- > 0;) {
    const std::span<const float> along = w().row(first_key + i);
    along_[i] = dot(walked.row(i), along);
    if (i == 0) break;
    std::ranges::copy(walked.row(i), walked.row(i - 1).begin());
    add_scaled(walked.row(i - 1), along, -beta(first_key + i) * along_[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t key = first_key + i;
    if (i > 0) {
      const std::span<const float> along = w().row(key);
      const float of_gradient = dot(d_query_, along), strength = beta(key);
      gradients_.betas[first_token + key] -= along_[i] * of_gradient;
      const std::span<float> d_w = gradients_.w.subspan((first_token + key) * dim, dim);
      add_scaled(d_w, walked.row(i), -strength * of_gradient);
      add_scaled(d_w, d_query_, -strength * along_[i]);
      add_scaled(d_query_, along, -strength * of_gradient);
    }
    if (i >= d_scores.size()) continue;
    const float d = scale_ * d_scores[i];
    add_scaled(d_query_, keys.row(key), d);
    add_scaled(d_k.row(key), walked.row(i), d);
  }
  add(d_q, d_query_);
}

void PathScores::backward(ConstMatrixView d_scores, const GroupTiles& tiles, const Tile& tile,
                          MatrixView d_q, MatrixView d_k) {
  const ConstMatrixView keys = keys_of(tiles), queries = queries_of(tiles, tile);
  for (std::size_t r = 0; r < d_scores.rows; ++r) {
    const std::int64_t own = key_of_row(tiles, tile, r);
    if (own < static_cast<std::int64_t>(tile.seen.first)) continue;
    differentiate_row(d_q.row(r), d_k, d_scores.row(r), tile.seen.first,
                      static_cast<std::size_t>(own), queries.row(r), keys);
  }
}

}  // namespace ropewalk
