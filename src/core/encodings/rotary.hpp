// Rotary position embedding, RoPE (Su et al. 2021, equations 14, 15 and 34).
//
// Pair i of a query at position m, and of a key at position n, turns by its position times f_i:
//
//   (a, b) -> (a cos(m f_i) - b sin(m f_i), a sin(m f_i) + b cos(m f_i))    f_i = base^(-2i / dim)
//
// so that their product depends on m - n only. Angles are formed in double.
#pragma once

#include <span>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Which two values of a row are a pair: (2i, 2i + 1) as in the paper, GPT-J and Meta's Llama, or
// (i, i + dim/2) as in GPT-NeoX and Hugging Face ("rotate_half").
enum class RotaryLayout { interleaved, half_split };

// f_i for i = 0 ... dim/2 - 1, in radians per position.
// Throws std::invalid_argument on an odd dim, dim 0, or a base that is not positive and finite.
std::vector<double> rotary_frequencies(std::size_t dim, double base = 10000.0);

// cos and sin of every position times every frequency, both (positions x pairs) and multiplied by
// `attention_factor` (YaRN's temperature; 1 otherwise). Made once, used by every head.
struct RotaryTable {
  std::size_t pairs = 0;
  std::vector<float> cos, sin;

  std::span<const float> cos_row(std::size_t r) const { return {cos.data() + r * pairs, pairs}; }
  std::span<const float> sin_row(std::size_t r) const { return {sin.data() + r * pairs, pairs}; }
};

RotaryTable rotary_table(std::span<const double> positions, std::span<const double> frequencies,
                         double attention_factor = 1.0);

// Rotates row r of x in place by row r of the table. A row longer than two values per pair keeps
// what follows them (partial rotary). Throws std::invalid_argument when the table has not one row
// per row of x, or is wider than x.
void rotate(MatrixView x, const RotaryTable& table, RotaryLayout layout);

}  // namespace ropewalk
