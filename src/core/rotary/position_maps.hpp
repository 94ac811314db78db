// The relative position of a key at n for a query at m, in schemes that keep all relative positions
// within the trained range without training.
//
//   ReRoPE        min(o, w),  o = m - n                       (Su, kexue.fm/archives/9708)
//   Leaky ReRoPE  o < w: o, else w + (o - w) / k               k = 1 is RoPE, k -> inf is ReRoPE
//   Self-Extend   o < w: o, else floor(m/g) + w - floor(w/g) - floor(n/g)   (Jin et al. 2024)
//   Dual chunk    by the chunks of m and n, of c - w tokens each:           (An et al. 2024)
//                 same       o
//                 next       min(m mod (c - w) + (c - w), c) - n mod (c - w)
//                 further    min(2 (c - w) - 1, c) - n mod (c - w)
//
// Attention computes them as several rotations, each with its own positions of queries and keys;
// the first one is for the nearest keys. A key after its query gets its plain distance m - n < 0:
// these are causal schemes.
#pragma once

#include <cstddef>

namespace ropewalk {

enum class PositionMapKind { plain, rerope, leaky_rerope, self_extend, dual_chunk };
inline constexpr std::size_t position_map_kinds = 5;

// rerope, leaky_rerope and self_extend: window is w. dual_chunk: window is c.
// second is k of leaky_rerope, g of self_extend, w of dual_chunk.
struct PositionMap {
  PositionMapKind kind = PositionMapKind::plain;
  double window = 0.0, second = 0.0;

  std::size_t rotations() const;

  // The positions that a query and a key at `at` have in rotation r.
  double query(std::size_t r, double at) const;
  double key(std::size_t r, double at) const;

  // The first key of rotation r: it covers the keys from here on that rotations before it do not.
  // The last rotation covers the rest.
  double first_key(std::size_t r, double query) const;
};

double relative_position(const PositionMap& map, double query, double key);

}  // namespace ropewalk
