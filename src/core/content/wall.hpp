// Wall attention (Tilde Research 2026): a decay per channel inside the dot product.
//
//   score(m, n) = scale sum over d of q[m][d] k[n][d] exp(P[m][d] - P[n][d])
//
// P: prefix sums of gates, each at most 0, per query head and channel. Source: fla-org/
// flash-linear-attention, ops/wall_attn. One exponential for a query and one for a key serve a
// block: (q exp(P[m] - R)) (k exp(R - P[n])). R is the sum at the first of a few rows, so many that
// no sum falls by more than 16 from it: nothing overflows, and no pair is computed by itself. No
// later row takes part in R, so it changes no bit of an earlier one. For the rows after them the
// keys are multiplied by exp(R' - R) <= 1.
#pragma once

#include <vector>

#include "attention/product_scheme.hpp"
#include "content/prefix_sums.hpp"

namespace ropewalk {

class WallScores final : public ProductScheme {
 public:
  // sums: (batches, heads, keys, dim), falling along the keys. A query reads those of the key at
  // which it stands; keys after it are not to be seen.
  // Their gradient is added to d_sums.
  WallScores(const AttentionCall& call, std::span<const double> sums, std::span<double> d_sums = {})
      : ProductScheme(call, {"Wall", true}), sums_(sums), d_sums_(d_sums) {}
  void check() const override;
  void fill(MatrixView scores, const GroupTiles& tiles, const Tile& tile) override;
  // Pair by pair, with an exponential for each channel.
  void backward(ConstMatrixView d_scores, const GroupTiles& tiles, const Tile& tile, MatrixView d_q,
                MatrixView d_k) override;

 private:
  std::size_t at(std::size_t batch, std::size_t head, std::size_t key) const {
    return ((batch * shape_.heads + head) * shape_.keys + key) * shape_.dim;
  }
  std::span<const double> sums(std::size_t batch, std::size_t head, std::size_t key) const {
    return sums_.subspan(at(batch, head, key), shape_.dim);
  }
  // The scores of one row, pair by pair.
  void fill_row(std::span<float> scores, const GroupTiles& tiles, const Tile& tile, std::size_t r);

  // Rows that stand at keys first_own ... last_own, and the keys from first_key on that they see.
  struct Packed {
    std::size_t batch = all_keys, head = 0, first_key = 0, first_own = 0, last_own = 0;
    bool operator==(const Packed&) const = default;
    bool precedes(const Packed& other) const {
      return batch == other.batch && head == other.head && first_key == other.first_key &&
             last_own <= other.first_own;
    }
  };
  // Packs those keys, each times exp(R - P).
  void pack(const GroupTiles& tiles, const Packed& wanted);

  // The most by which sums may fall over rows that share one R.
  static constexpr double reach = 16.0;
  bool is_in_reach(const GroupTiles& tiles, std::size_t head, std::size_t first,
                   std::size_t last) const;

  std::span<const double> sums_;
  std::span<double> d_sums_;
  Packed packed_;
  std::span<const double> anchor_;  // R of packed_, a row of sums_
  std::vector<float> keys_, packed_keys_, queries_, factors_;
};

// P of gates (rows x length x dim), each of them a number that is at most 0, or its ln sigmoid.
// Throws std::invalid_argument on a term above 0, or not finite.
std::vector<double> wall_sums(std::span<const float> gates, std::size_t length, std::size_t dim,
                              PrefixTerm kind);
// Writes the gradient of the gates, given that of the sums. The first gate of a row shifts all
// sums alike: its gradient is 0.
void wall_sums_backward(std::span<float> d_gates, std::span<const double> d_sums,
                        std::span<const float> gates, std::size_t length, std::size_t dim,
                        PrefixTerm kind);

}  // namespace ropewalk
