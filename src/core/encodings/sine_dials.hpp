// Sine dials: one sine per dimension and no cosine, each dial turning slower than the one before,
// as the bits of a number do.
//
//   p(m, j) = sin(m w_j)    w_j = 2^-j, base^(-j / (dim - 1)) or base^(-j / dim)
//
// Bounded and continuous. Without cosines the product of two positions depends on where they stand,
// not only on their distance.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk {

// How the frequencies fall from 1: by half from dial to dial, to 1/base at the last dial, or by one
// dim-th of that way.
enum class DialSpacing { halving, to_base, below_base };

struct SineDialOptions {
  DialSpacing spacing = DialSpacing::halving;
  double base = 10000.0;  // not read by halving
};

// The frequencies w_j of all dials, in radians per position.
std::vector<double> sine_dial_frequencies(std::size_t dim, const SineDialOptions& options = {});

// Fills table (positions x dim). Throws std::invalid_argument on dim 0, a base that is not > 0 and
// finite, or a table that has not one row per position.
void sine_dials(MatrixView table, std::span<const double> positions,
                const SineDialOptions& options = {});

}  // namespace ropewalk
