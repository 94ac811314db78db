// Exact softmax attention of all batches and heads, with position where the scheme acts.
//
//   out = softmax(softcap(scale q kT) + bias) v       (Vaswani et al. 2017, equation 1)
//
// q: (batches, heads, queries, dim)        k: (batches, key_heads, keys, dim)
// out: (batches, heads, queries, value_dim)  v: (batches, key_heads, keys, value_dim)
//
// Query head h reads key head h / (heads / key_heads). Keys and values that heads share are packed
// once for all of them.
//
// Keys and values may be stored in fewer bits (quantized_heads.hpp).
//
// Error, with u = 2^-24 and a row's scores spread over [low, high]: each score is off by at most
// e = (dim + 5) u scale sum |q k|, and each weight relatively by 2 e + 4.5 u (high - low) + 1.2
// keys u + 2e-6; the output is off by at most that, and keys u more, of sum weight |v|. These are
// worst cases: the sum of n rounding errors of random sign is about sqrt(n) times one error.
// tests/core/support has the terms.
//
// A row that sees no key becomes zero. A NaN reaches only the rows that see it: a weight of exactly
// zero does not multiply its value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "attention/band.hpp"
#include "attention/score_modifiers.hpp"
#include "base/row_lists.hpp"
#include "rotary/position_maps.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk {

// The rows of a tensor (batches, heads, rows, cols): one row's values follow each other.
struct HeadsView {
  const float* data = nullptr;
  std::size_t batch_step = 0, head_step = 0, row_step = 0;

  static HeadsView contiguous(const float* data, std::size_t heads, std::size_t rows,
                              std::size_t cols) {
    return {data, heads * rows * cols, rows * cols, cols};
  }
  const float* head(std::size_t batch, std::size_t head) const {
    return data + batch * batch_step + head * head_step;
  }
};

// The query of a row, in a tensor of a call's queries.
inline std::span<const float> query_of(const ScoreRow& row, const HeadsView& q) {
  return {q.head(row.batch, row.head) + row.query * q.row_step, row.shape.dim};
}
// The same in a contiguous tensor.
inline std::span<float> query_of(const ScoreRow& row, float* q) {
  return {q + row.query_index() * row.shape.dim, row.shape.dim};
}

// One rotation of a call's queries and keys. One list for both is faster than two alike.
struct Rotation {
  RowLists<double> queries, keys;        // positions; or angles, see AttentionRotary
  RowLists<std::uint32_t> first_keys{};  // of each query, for all heads; empty in the last rotation
};

inline constexpr std::size_t max_rotations = 3;

// How queries and keys are rotated before q kT. Several rotations give near and far keys different
// relative positions; each rotation costs one more copy of q and k.
struct AttentionRotary {
  std::span<const Rotation> rotations;  // nearest keys first
  std::span<const double> frequencies;
  // Pairs with given angles; 0: angles are positions times frequencies. With given angles there is
  // one rotation, whose lists have angle_pairs angles in place of each position.
  std::size_t angle_pairs = 0;
  double attention_factor = 1.0;  // unused with given angles
  RotaryLayout layout = RotaryLayout::interleaved;
  // Where the last rotated copies of q and k are written, contiguous; may be q and k themselves.
  // Null: to scratch.
  float *q = nullptr, *k = nullptr;
};

// The output and the weights of a row that sees no key.
enum class FullyMaskedRow { zeros, nan };

// What turns the scores of a row into weights in place of the softmax. Blocks of keys arrive from
// the last to the first: `rest` is 1 for the last one, then what the block after returned; what the
// first returns is the row's remainder. stick_breaking_step (kernels/stick_breaking.hpp) is one. A
// pointer, so that only who uses it links it.
using Weighting = float (*)(std::span<float> scores, float rest);
// Its gradient, of a whole row: scores become weights, and the gradient of the weights that of the
// scores.
using WeightingBackward = void (*)(std::span<float> scores, std::span<float> d_weights);

class ProductScheme;
class StoredValues;
struct AttentionScratch;  // attention/scratch.hpp

struct AttentionCall {
  AttentionShape shape;
  HeadsView q, k, v;
  float scale = 1.0f;  // 1 / sqrt(dim) is the usual one
  Band band = {};      // key_length stays as it is: see key_lengths
  // Aligns the last query with the last real key; band.offset is then unused.
  bool ends_at_last_key = false;
  std::span<const double> key_lengths = {};  // real keys of each batch, whole numbers; empty: all
  std::span<const ScoreModifier* const> modifiers = {};  // in the order of their steps
  // One score per head without key and value, which adds to the softmax denominator. Empty: none.
  std::span<const float> sinks = {};
  FullyMaskedRow fully_masked_row = FullyMaskedRow::zeros;
  const AttentionRotary* rotary = nullptr;
  ProductScheme* product = nullptr;  // computes scores in place of scale q kT; without a rotary
  const StoredValues* stored_v = nullptr;  // in place of v; not for attend_backward
  std::size_t stored_rows = 0;  // of a key head in stored keys and values; 0: as many as keys
  // Null: softmax. Another has a remainder and no denominator: it takes neither sinks nor
  // FullyMaskedRow::nan.
  Weighting weighting = nullptr;
  WeightingBackward weighting_backward = nullptr;  // for attend_backward
};

// Where results go, contiguous; null: not wanted. Those of (batches, heads, queries, keys) take
// memory and time for all their cells.
struct AttentionResults {
  float* output = nullptr;  // (batches, heads, queries, value_dim), always wanted
  // scale q kT times the row factors, of every key, also of those that are hidden. A causal product
  // has none of keys after the query: -infinity.
  float* scores = nullptr;
  float* capped = nullptr;   // after the softcap; -infinity where the scores are by that rule
  float* biased = nullptr;   // with every bias; -infinity where masked
  float* weights = nullptr;  // softmax of biased, or what a weighting makes of it
  float* entropy = nullptr;  // (batches, heads, queries): -sum(w ln w) of a row of weights, in nats
  // (batches, heads, queries): ln of the softmax denominator; not for a weighting
  float* log_sum_exp = nullptr;
  float* remainder = nullptr;  // (batches, heads, queries): that of a weighting, 1 without a key
};

// The key that the first query of a batch is aligned with; negative if queries outnumber keys.
std::ptrdiff_t first_query(const AttentionCall& call, std::size_t batch);
// The call's band with the offset and the key length of a batch.
Band band_of(const AttentionCall& call, std::size_t batch);

// The rotations of a position map, and their lists.
struct MappedRotations {
  std::vector<Rotation> rotations;
  std::vector<double> positions;
  std::vector<std::uint32_t> first_keys;
};

// Fills the lists with the positions of queries and keys under the map; keys count from 0.
void set_rotations(MappedRotations& mapped, const PositionMap& map, const AttentionCall& call);

// Whether a modifier takes all scores of a row at once.
bool needs_whole_rows(const AttentionCall& call);

// Throws std::invalid_argument on shapes that do not fit, on options that exclude each other, on
// modifiers out of the order of their steps, and on queries that stand where their scheme has
// nothing to read.
void check_call(const AttentionCall& call);

// Tiled, with an online softmax: memory is O(tile) beside the operands, time O(queries * keys), and
// tiles outside the band are never computed. Throws as check_call(), on results without an output,
// and on a log_sum_exp wanted of a weighting or a remainder wanted without one.
void attend(const AttentionCall& call, const AttentionResults& results, AttentionScratch& scratch);

}  // namespace ropewalk
