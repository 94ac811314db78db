// Attention with linear biases, ALiBi (Press, Smith, Lewis 2022, section 3).
//
//   score(m, n) <- score(m, n) - slope_h * |m - n|
//
// For H a power of two the slopes are 2^(-8h / H), h = 1 ... H. For other H the authors' code takes
// the slopes of the power of two below, then every other slope of the power of two above.
// Adding a constant to a row leaves its softmax alone, so slope_h * n, with n the key's position,
// does the same for a causal model: the translated form of the authors' code, BLOOM and MPT.
#pragma once

#include <span>
#include <vector>

#include "base/matrix_view.hpp"
#include "encodings/distance_bias.hpp"

namespace ropewalk {

enum class SlopeConvention {
  published,  // the authors' code, in its order; BLOOM, Megatron and MPT agree
  sorted,     // the same values, steepest first
  naive,      // 2^(-8h / H) for every H, as the paper's sentence reads
};

// Consecutive heads of all.
struct HeadSlice {
  std::size_t first = 0, count = 0;
};

// One positive slope per head of the slice, of `heads` in all. max_bias is the 8 of 2^(-8h / H)
// (MPT's alibi_bias_max). Throws std::invalid_argument for 0 heads, a slice that ends beyond them,
// or a max_bias that is not positive and finite.
std::vector<double> alibi_slopes(std::size_t heads, SlopeConvention convention, double max_bias,
                                 HeadSlice slice);

// Those of all heads.
inline std::vector<double> alibi_slopes(std::size_t heads,
                                        SlopeConvention convention = SlopeConvention::published,
                                        double max_bias = 8.0) {
  return alibi_slopes(heads, convention, max_bias, {0, heads});
}

// Fills a distance table with -slope * distance, one row per slope.
void alibi(MatrixView by_offset, std::int64_t first, std::span<const double> slopes,
           BiasDirection direction = BiasDirection::symmetric);

// The translated form: slope * position, one row per slope and one column per key.
void alibi_translated(MatrixView by_key, std::span<const double> slopes,
                      std::span<const double> positions);

// BLOOM's positions of padded keys: 0, 1, ... over the keys whose mask is not 0; the others get 0.
std::vector<double> alibi_masked_positions(std::span<const double> mask);

}  // namespace ropewalk
