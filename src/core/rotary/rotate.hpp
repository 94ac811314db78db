// Rotary position embedding, RoPE (Su et al. 2021, equations 14, 15 and 34).
//
// Pair i of a query at position m, or of a key at position n, is rotated by position * f_i:
//
//   (a, b) -> (a cos(m f_i) - b sin(m f_i), a sin(m f_i) + b cos(m f_i))    f_i = base^(-2i / dim)
//
// so that their product depends on m - n only. A table holds cos and sin of every row and pair;
// one rotation applies it in either layout, whether it comes from one position or several axes,
// from xPos or from another program's cache. Values of a head beyond two per pair pass through
// (partial rotary).
#pragma once

#include <span>
#include <vector>

#include "base/matrix_view.hpp"
#include "kernels/rotate_pairs.hpp"
#include "rotary/angles.hpp"

namespace ropewalk {

// Which two values of a head are a pair: (2i, 2i + 1) as in the paper, GPT-J and Meta's Llama, or
// (i, i + dim/2) as in GPT-NeoX and Hugging Face ("rotate_half").
enum class RotaryLayout { interleaved, half_split };

// The indices of the two values of pair i, of `pairs` pairs in a head.
struct PairAddresses {
  std::size_t pair_step, second_offset;

  PairAddresses(RotaryLayout layout, std::size_t pairs)
      : pair_step(layout == RotaryLayout::interleaved ? 2 : 1),
        second_offset(layout == RotaryLayout::interleaved ? 1 : pairs) {}

  std::size_t first(std::size_t i) const { return i * pair_step; }
  std::size_t second(std::size_t i) const { return first(i) + second_offset; }
};

// The layouts of input and output. They differ in Hugging Face's DeepSeek-V3: pairs are read
// interleaved and written half-split, in queries and keys.
struct RotaryLayouts {
  RotaryLayout from, to;
};

// f_i for i = 0 ... dim/2 - 1, in radians per position.
// Throws std::invalid_argument on an odd dim, dim 0, or a base that is not positive and finite.
std::vector<double> rotary_frequencies(std::size_t dim, double base = 10000.0);

// cos and sin, both (rows x pairs).
struct RotaryTableView {
  ConstMatrixView cos, sin;
};

struct RotaryTable {
  std::size_t pairs = 0;
  std::vector<float> cos, sin;

  RotaryTableView view() const;
  std::span<const float> cos_row(std::size_t r) const { return {cos.data() + r * pairs, pairs}; }
  std::span<const float> sin_row(std::size_t r) const { return {sin.data() + r * pairs, pairs}; }
};

RotaryTable rotary_table(std::span<const double> positions, std::span<const double> frequencies,
                         double attention_factor = 1.0);

// The table of given angles (rows x pairs), in radians, for schemes that compute angles from the
// text.
RotaryTable table_of_angles(std::span<const double> angles, std::size_t pairs);

// Rotates row r of x in place by row r of the table.
// Throws std::invalid_argument unless the table has one row per row of x and is no wider than x.
void rotate(MatrixView x, const RotaryTable& table, RotaryLayout layout);

// The heads of a tensor: [batches, heads, length, dim] (head-major), or
// [batches, length, heads, dim].
struct Heads {
  float* data;
  std::size_t batches, heads, length, dim;
  bool is_head_major = true;

  HeadRows rows(std::size_t batch, std::size_t first, std::size_t count) const;
};

// Rotates every head by the table of these angles, which is computed once, a few rows at a time,
// and is never held in memory as a whole. Tensors that share a table, as queries and keys do, have
// the same batches and length, and the same heads where those have lists of their own.
// Throws std::invalid_argument unless the rows of angles are those of its steps, or when the pairs
// exceed dim.
void rotate_heads(std::span<const Heads> all, const RotaryAngles& angles, RotaryLayouts layouts);
inline void rotate_heads(const Heads& x, const RotaryAngles& angles, RotaryLayouts layouts) {
  rotate_heads({&x, 1}, angles, layouts);
}

// The same by given angles in radians, `pairs` for each row.
void rotate_heads(std::span<const Heads> all, const RowLists<double>& angles, std::size_t pairs,
                  RotaryLayouts layouts);

// Rotates every head by rows of a given table: those that row_of names, or without any all rows of
// the table in their order. Throws also when row_of names a row that the table does not have.
void rotate_heads(const Heads& x, RotaryTableView table, const RowLists<std::size_t>& row_of,
                  RotaryLayouts layouts);

// For each value of a head in layout `to`, its index in layout `from`. Only the
// first rotary_dim of dim values are pairs; the rest stay.
std::vector<std::size_t> rotary_layout_permutation(std::size_t dim, std::size_t rotary_dim,
                                                   RotaryLayouts layouts);

// Reorders the middle axis of x (outer x dim x inner) from one layout to the other: inner 1 for the
// values of queries and keys, inner = input width for the rows of the weights W_q and W_k per head.
// Queries and keys reordered alike have the same products, so a model's weights can be moved from
// the layout it was trained in to the layout a kernel expects.
void convert_rotary_layout(std::span<float> to, std::span<const float> x, std::size_t dim,
                           std::size_t inner, std::size_t rotary_dim, RotaryLayouts layouts);

}  // namespace ropewalk
