// Biases that depend only on the head and the distance: ALiBi, KERPLE and Sandwich, and the list of
// all, with T5's of buckets.hpp.
//
// Such a bias is a table, heads x count: column c is the bias of a key whose position minus the
// query's is first + c. For queries 0 ... Q - 1 and keys 0 ... K - 1 that is Q + K - 1 columns from
// first = 1 - Q on, and attention reads its rows without ever building Q x K values.
//
// A scheme is a struct of its parameters with
//
//   fields(visit)                   calls visit(name, field) for each parameter, and for an
//                                   enumeration visit(name, field, {names of its values})
//   fill(by_offset, first, heads)   fills a table; throws std::invalid_argument for parameters
//                                   out of range
//
// and, where its lists are learned,
//
//   backward(d, d_by_offset, first) sets d to the gradients of its lists, one after another, given
//                                   that of the table of all heads
//
// A parameter that is absent is 0, false or an empty list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"
#include "bias/buckets.hpp"

namespace ropewalk {

// The bias of a key after its query. causal: that of distance 0, since a mask hides the key.
// symmetric: that of its distance.
enum class BiasDirection { causal, symmetric };

// The distance of a key at offset = key - query: 0 for a later key if the direction is causal.
inline double bias_distance(std::int64_t offset, BiasDirection direction) {
  const bool is_hidden = offset > 0 && direction == BiasDirection::causal;
  return static_cast<double>(is_hidden ? 0 : offset < 0 ? -offset : offset);
}

// Sets row h, column c to value(h, distance).
template <class Value>
void fill_by_distance(MatrixView by_offset, std::int64_t first, BiasDirection direction,
                      Value value) {
  for (std::size_t h = 0; h < by_offset.rows; ++h) {
    const std::span<float> row = by_offset.row(h);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double distance = bias_distance(first + static_cast<std::int64_t>(c), direction);
      row[c] = static_cast<float>(value(h, distance));
    }
  }
}

// The bias in full, one head after another: full is (heads * queries) x keys.
// Throws std::invalid_argument if a distance is fractional or has no column.
void expand_by_offset(MatrixView full, ConstMatrixView by_offset, std::int64_t first,
                      std::span<const double> queries, std::span<const double> keys);

// The same from fill(table, first), which fills a table, for whole positions at any distance: pairs
// that are far apart have a table of one column each.
template <class Fill>
void expand_bias(MatrixView full, std::span<const double> queries, std::span<const double> keys,
                 Fill fill) {
  constexpr double longest_gap = 64.0;
  const std::size_t heads = full.rows / queries.size(), pairs = queries.size() * keys.size();
  const double least = std::ranges::min(keys) - std::ranges::max(queries);
  const double most = std::ranges::max(keys) - std::ranges::min(queries);
  const bool is_dense = most - least < longest_gap * static_cast<double>(pairs);
  std::vector<float> values(is_dense ? heads * (static_cast<std::size_t>(most - least) + 1)
                                     : heads);
  const MatrixView table(values.data(), heads, values.size() / heads);
  if (is_dense) {
    const auto first = static_cast<std::int64_t>(least);
    fill(table, first);
    return expand_by_offset(full, table, first, queries, keys);
  }
  for (std::size_t m = 0; m < queries.size(); ++m) {
    for (std::size_t n = 0; n < keys.size(); ++n) {
      fill(table, static_cast<std::int64_t>(keys[n] - queries[m]));
      for (std::size_t h = 0; h < heads; ++h) full.row(h * queries.size() + m)[n] = values[h];
    }
  }
}

// Attention with linear biases, ALiBi (Press, Smith, Lewis 2022, section 3).
//
//   score(m, n) <- score(m, n) - slope_h * |m - n|
//
// For H a power of two the slopes are 2^(-8h / H), h = 1 ... H. For other H the authors' code takes
// the slopes of the power of two below, then every other slope of the power of two above.
// Adding a constant to a row does not change its softmax, so slope_h * n, with n the key's
// position, does the same for a causal model: the translated form of the authors' code, BLOOM and
// MPT.

enum class SlopeConvention {
  published,  // the authors' code, in its order; BLOOM, Megatron and MPT agree
  sorted,     // the same values, steepest first
  naive,      // 2^(-8h / H) for every H, as the paper's sentence reads
};

// A range of consecutive heads.
struct HeadSlice {
  std::size_t first = 0, count = 0;
};

// Returns one positive slope per head of the slice; `heads` is the number of all heads. max_bias is
// the 8 of 2^(-8h / H) (MPT's alibi_bias_max). Throws std::invalid_argument for 0 heads, a slice
// that ends beyond them, or a max_bias that is not positive and finite.
std::vector<double> alibi_slopes(std::size_t heads, SlopeConvention convention, double max_bias,
                                 HeadSlice slice);

// The slopes of all heads.
inline std::vector<double> alibi_slopes(std::size_t heads,
                                        SlopeConvention convention = SlopeConvention::published,
                                        double max_bias = 8.0) {
  return alibi_slopes(heads, convention, max_bias, {0, heads});
}

// Fills a table with -slope * distance, one row per slope.
void alibi(MatrixView by_offset, std::int64_t first, std::span<const double> slopes,
           BiasDirection direction = BiasDirection::symmetric);

struct AlibiBias {
  SlopeConvention convention{};
  double max_bias = 0.0;
  std::size_t head_offset = 0, total_heads = 0;  // total 0: up to the last head of the call
  BiasDirection direction{};
  std::span<const double> slopes;  // one per head, in place of a convention

  void fields(auto&& visit) {
    visit("convention", convention, {"published", "sorted", "naive"});
    visit("maxBias", max_bias);
    visit("headOffset", head_offset);
    visit("totalHeads", total_heads);
    visit("direction", direction, {"causal", "symmetric"});
    visit("slopes", slopes);
  }
  void fill(MatrixView by_offset, std::int64_t first, TableHeads heads) const;
};

// The translated form: slope * position, one row per slope and one column per key.
void alibi_translated(MatrixView by_key, std::span<const double> slopes,
                      std::span<const double> positions);

// BLOOM's positions of padded keys: 0, 1, ... over the keys whose mask is not 0; the others get 0.
std::vector<double> alibi_masked_positions(std::span<const double> mask);

// KERPLE: biases that are conditionally positive definite kernels (Chi et al. 2022, section 4.2).
//
//   logarithmic   -r1 ln(1 + r2 |m - n|)    r1, r2 > 0
//   power         -r1 |m - n|^r2            r1 > 0, 0 < r2 <= 2
//
// with r1 and r2 learned per head; power with r2 = 1 is ALiBi with learned slopes.

enum class KerpleKind { logarithmic, power };

struct KerpleBias {
  KerpleKind kind{};
  BiasDirection direction{};
  // Above 0: smaller parameters are raised to it, and an r2 of the power kind above 2 lowered to 2;
  // the authors' code uses 0.01.
  double clamp = 0.0;
  std::span<const double> r1, r2;  // one per head

  void fields(auto&& visit) {
    visit("kind", kind, {"log", "power"});
    visit("direction", direction, {"causal", "symmetric"});
    visit("clamp", clamp);
    visit("r1", r1);
    visit("r2", r2);
  }
  void fill(MatrixView by_offset, std::int64_t first, TableHeads heads) const;
  // What the clamp replaces has no gradient.
  void backward(std::span<double> d, ConstMatrixView d_by_offset, std::int64_t first) const;
};

// Sandwich: the product of two sinusoidal positions as a bias (Chi et al. 2023, appendix E).
//
//   bias_h(m, n) = (sum_i cos((m - n) 10000^(-2i / dim)) - center) / (8h / H)    h = 1 ... H
//
// The authors' code sums i = 0 ... dim/2 - 1 and subtracts nothing; the paper's text also writes
// i from 1, and minus dim/2, which makes the bias 0 at distance 0.

struct SandwichBias {
  std::size_t dim = 0;          // of the sinusoid, not of a head; even
  std::size_t first_pair = 0;   // 0 or 1: where i starts
  bool zero_at_origin = false;  // subtract dim/2
  double base = 0.0;
  BiasDirection direction{};

  void fields(auto&& visit) {
    visit("dim", dim);
    visit("firstPair", first_pair);
    visit("zeroAtOrigin", zero_at_origin);
    visit("base", base);
    visit("direction", direction, {"causal", "symmetric"});
  }
  void fill(MatrixView by_offset, std::int64_t first, TableHeads heads) const;
};

// The list of all: calls visit(name, scheme) for each.
void distance_schemes(auto visit) {
  visit("alibi", AlibiBias());
  visit("t5", T5Bias());
  visit("kerple", KerpleBias());
  visit("sandwich", SandwichBias());
}

}  // namespace ropewalk
