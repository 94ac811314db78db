// PaTH attention (Yang et al. 2025): products of Householder-like matrices between key and query.
//
//   score(m, n) = scale q[m]T H[m] H[m-1] ... H[n+1] k[n]        H[t] = I - beta[t] w[t] w[t]T
//
// Source: fla-org/flash-linear-attention, ops/path_attn. Keys of a block are carried along with the
// queries: before the tile of queries from m0 on, key n is H[m0-1] ... H[n+1] k[n]. A tile's own
// matrices act on its queries. The matrices of a tile are applied to all keys of a block together,
// with the triangular products of their w (the WY form), which are matrix products.
#pragma once

#include <vector>

#include "attention/product_scheme.hpp"

namespace ropewalk {

// Whether FoX's gates stand beside the product, and whether the call's scale multiplies them.
enum class PathGate { none, unscaled, scaled };
inline double path_gate_factor(PathGate gate, float scale) {
  return gate == PathGate::scaled ? double(scale) : 1.0;
}

// Per token of the keys: w (batches, key_heads, keys, dim), beta (batches, key_heads, keys).
struct PathFactors {
  HeadsView w;
  std::span<const float> betas;
};

// Where the gradients of w and beta are added, contiguous, in their shapes.
struct PathGradients {
  std::span<float> w, betas;
};

class PathScores final : public ProductScheme {
 public:
  PathScores(const AttentionCall& call, const PathFactors& factors,
             const PathGradients& gradients = {})
      : ProductScheme(call, {"PaTH", true}), factors_(factors), gradients_(gradients) {}
  void check() const override;
  void fill(MatrixView scores, const GroupTiles& tiles, const Tile& tile) override;
  // Row by row, in time O(queries keys dim): down the keys with the query, and up again with the
  // gradient of what became of it.
  void backward(ConstMatrixView d_scores, const GroupTiles& tiles, const Tile& tile, MatrixView d_q,
                MatrixView d_k) override;

 private:
  ConstMatrixView w() const;
  float beta(std::size_t token) const;
  MatrixView carried() { return {carried_.data(), block_.past_end - block_.first, shape_.dim}; }
  // x becomes H[token] x.
  void reflect(std::span<float> x, std::size_t token) const;

  void begin(const GroupTiles& tiles, const Tile& tile);
  // Applies the matrices of the tokens before `token` that are still due to the keys.
  void advance(std::size_t token);
  void apply(IndexRange tokens);
  void differentiate_row(std::span<float> d_q, MatrixView d_k, std::span<const float> d_scores,
                         std::size_t first_key, std::size_t own, std::span<const float> query,
                         ConstMatrixView keys);

  PathFactors factors_;
  PathGradients gradients_;
  // Where the carried keys stand: of this head's block, under the matrices before next_.
  std::size_t batch_ = all_keys, key_head_ = 0, head_ = 0, next_ = 0;
  IndexRange block_;
  std::vector<float> carried_, queries_, own_scores_, packed_, products_, gram_;
  std::vector<float> walked_, along_,
      d_query_;  // of a row: queries at each key, their products with w
};

// What a cache of keys becomes with a new token: keys (rows x dim), the token's w and beta. Then
// scale q kT is the last row of the scores.
void path_update_keys(MatrixView keys, std::span<const float> w, float beta);

}  // namespace ropewalk
