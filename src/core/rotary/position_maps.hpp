// Which relative position a query at m gives a key at n, where that is not m - n: the schemes that
// keep every relative position inside the trained range without training.
//
//   ReRoPE        min(o, w),  o = m - n                       (Su, kexue.fm/archives/9708)
//   Leaky ReRoPE  o < w: o, else w + (o - w) / k               k = 1 is RoPE, k -> inf is ReRoPE
//   Self-Extend   o < w: o, else floor(m/g) + w - floor(w/g) - floor(n/g)   (Jin et al. 2024)
//   Dual chunk    by the chunks of m and n, of c - w tokens each:           (An et al. 2024)
//                 same       o
//                 next       min(m mod (c - w) + (c - w), c) - n mod (c - w)
//                 further    min(2 (c - w) - 1, c) - n mod (c - w)
//
// Attention computes them as several rotations, each with positions of its own for queries and
// keys, the nearest keys by the first. A key after its query gets its plain distance m - n < 0:
// these are causal schemes.
#pragma once

#include <cstddef>

namespace ropewalk {

enum class PositionMapKind { plain, rerope, leaky_rerope, self_extend, dual_chunk };

// rerope, leaky_rerope and self_extend: window is w. dual_chunk: window is c.
// leaky_rerope: second is k. self_extend: g. dual_chunk: w.
struct PositionMap {
  PositionMapKind kind = PositionMapKind::plain;
  double window = 0.0, second = 0.0;

  std::size_t rotations() const;

  // The positions that a query and a key at `at` have in rotation r.
  double query(std::size_t r, double at) const;
  double key(std::size_t r, double at) const;

  // Rotation r serves the keys from here on that nearer rotations leave; the last one serves the
  // rest.
  double first_key(std::size_t r, double query) const;
};

double relative_position(const PositionMap& map, double query, double key);

}  // namespace ropewalk
