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
// A key after its query gets its plain distance m - n < 0: these are causal schemes.
#pragma once

namespace ropewalk {

double rerope_position(double query, double key, double window);

// The largest relative position over L tokens is window + (L - 1 - window) / factor.
double leaky_rerope_position(double query, double key, double window, double factor);

double self_extend_position(double query, double key, double window, double group);

// c the chunk size, w the local window: consecutive tokens stay close across a chunk's border.
double dual_chunk_position(double query, double key, double chunk, double local_window);

}  // namespace ropewalk
