// Positions as plain numbers: the integer itself, a fraction of the sequence, its bits, or one sine
// per dimension.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Integer positions: a token at position m carries the number m itself.
//
//   p(m) = m
//
// Unbounded: positions beyond those seen in training are larger than any of them.

// Fills column (positions x 1). Whole numbers are exact up to 2^24. Throws std::invalid_argument
// when the column has not one row per position.
void integer_positions(MatrixView column, std::span<const double> positions);

// Positions scaled to [0, 1] by the length of their sequence.
//
//   p(m) = m / (length - 1), and 0 when length is 1
//
// The distance between neighbours depends on the length: "one apart" has no fixed meaning.

// Fills column (positions x 1). Throws std::invalid_argument on length 0, a position outside
// [0, length - 1], or a column that has not one row per position.
void unit_interval(MatrixView column, std::span<const double> positions, std::size_t length);

// Binary positions: the bits of the position as a vector of zeros and ones.
//
//   p(m, k) = bit k of m
//
// Bounded and unique, but neighbours may differ in every bit (7 and 8 in four), and positions
// between whole numbers do not exist.

// The order of the bits in a row.
enum class BitOrder { lowest_first, highest_first };

// Fills table (positions x bits). Throws std::invalid_argument on 0 or more than 53 bits, a
// position that is not a whole number from 0 to 2^bits - 1, or a table with not one row for each.
void binary(MatrixView table, std::span<const double> positions,
            BitOrder order = BitOrder::lowest_first);

// Sine waves: one sine per dimension and no cosine, each slower than the one before, like the bits
// of a number.
//
//   p(m, j) = sin(m w_j)    w_j = 2^-j, base^(-j / (dim - 1)) or base^(-j / dim)
//
// Bounded and continuous. Without cosines the product of two positions depends on the positions
// themselves, not only on their distance.

// How the frequencies decrease from 1: by half from wave to wave, to 1/base at the last wave, or to
// base^(-(dim - 1) / dim) there.
enum class WaveSpacing { halving, endpoint_included, endpoint_excluded };

struct SineWaveOptions {
  WaveSpacing spacing = WaveSpacing::halving;
  double base = 10000.0;  // not read by halving
};

// The frequencies w_j of all waves, in radians per position.
std::vector<double> sine_wave_frequencies(std::size_t dim, const SineWaveOptions& options = {});

// Fills table (positions x dim). Throws std::invalid_argument on dim 0, a base that is not > 0 and
// finite, or a table that has not one row per position.
void sine_waves(MatrixView table, std::span<const double> positions,
                const SineWaveOptions& options = {});

}  // namespace ropewalk
