// Wall attention (Tilde Research 2026): a decay per channel inside the dot product.
//
//   score(m, n) = scale sum over d of q[m][d] k[n][d] exp(P[m][d] - P[n][d])
//
// P[n][d]: sum of the log gates of channel d over the tokens 0 ... n, per query head. Each is at
// most 0, so the factor is at most 1. Source: fla-org/flash-linear-attention, ops/wall_attn.
//
// An exponential for each pair of rows would be slow. fill() needs one for a query and one for a
// key: (q exp(P[m] - R)) (k exp(R - P[n])). It does so for a group of consecutive rows. R is P at
// the first of them. The group ends where a channel has fallen by more than 16 from R, so that no
// factor exceeds exp(16). R depends on no later row, so later rows change no bit of earlier scores.
// For the next group, with R' in place of R, the keys are multiplied by exp(R' - R) <= 1.
#pragma once

#include <vector>

#include "attention/product_scheme.hpp"
#include "content/prefix_sums.hpp"

namespace ropewalk {

class WallScores final : public ProductScheme {
 public:
  // sums: P, (batches, heads, keys, dim), never rising along the keys. A query reads the sums of
  // the key at its position; the call must hide the keys after it. backward() adds the gradient of
  // sums to d_sums.
  WallScores(const AttentionCall& call, std::span<const double> sums, std::span<double> d_sums = {})
      : ProductScheme(call, {"Wall", true}), sums_(sums), d_sums_(d_sums) {}
  void check() const override;
  void fill(MatrixView scores, const GroupTiles& tiles, const Tile& tile) override;
  // Computes an exponential for each pair of rows and each channel.
  void backward(ConstMatrixView d_scores, const GroupTiles& tiles, const Tile& tile, MatrixView d_q,
                MatrixView d_k) override;

 private:
  // Where the `dim` sums of a key begin in sums_ and d_sums_.
  std::size_t at(std::size_t batch, std::size_t head, std::size_t key) const {
    return ((batch * shape_.heads + head) * shape_.keys + key) * shape_.dim;
  }
  std::span<const double> sums(std::size_t batch, std::size_t head, std::size_t key) const {
    return sums_.subspan(at(batch, head, key), shape_.dim);
  }
  // Fills one row of scores, with an exponential for each key and channel.
  void fill_row(std::span<float> scores, const GroupTiles& tiles, const Tile& tile, std::size_t r);

  // A group of rows, at the positions of the keys first_own ... last_own, for which the keys
  // first_key ... last_own are packed. The default equals no group: no batch has that number.
  struct Packed {
    std::size_t batch = all_keys, head = 0, first_key = 0, first_own = 0, last_own = 0;
    bool operator==(const Packed&) const = default;
    // Whether the keys packed for this group can be used again for the other.
    bool precedes(const Packed& other) const {
      return batch == other.batch && head == other.head && first_key == other.first_key &&
             last_own <= other.first_own;
    }
  };
  // Packs the keys of a group, each times exp(R - P), and sets packed_ and anchor_.
  void pack(const GroupTiles& tiles, const Packed& wanted);

  // The most by which a sum may fall within a group; is_in_reach() compares two rows with it.
  static constexpr double reach = 16.0;
  bool is_in_reach(const GroupTiles& tiles, std::size_t head, std::size_t first,
                   std::size_t last) const;

  std::span<const double> sums_;
  std::span<double> d_sums_;
  Packed packed_;
  std::span<const double> anchor_;  // R of packed_, a row of sums_
  // Reused memory. keys_: keys times exp(R - P); packed_keys_: the same in the order of a product.
  std::vector<float> keys_, packed_keys_, queries_, factors_;
};

// Returns P of gates (rows x length x dim). `kind` says how a gate gives its log gate: it is that
// number, or the ln sigmoid of it or of its negative.
// Throws std::invalid_argument on a log gate that is above 0 or not finite.
std::vector<double> wall_sums(std::span<const float> gates, std::size_t length, std::size_t dim,
                              PrefixTerm kind);
// Writes the gradient of the gates, given that of the sums. The first gate of a row shifts all
// sums alike: its gradient is 0.
void wall_sums_backward(std::span<float> d_gates, std::span<const double> d_sums,
                        std::span<const float> gates, std::size_t length, std::size_t dim,
                        PrefixTerm kind);

}  // namespace ropewalk
