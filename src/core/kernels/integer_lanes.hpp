// Lanes of 16-bit integers, whose products are summed in 32 bits: exact on every target.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/lanes.hpp"

namespace ropewalk {

using ShortLanes = xsimd::batch<std::int16_t>;
using IntLanes = xsimd::batch<std::int32_t>;

inline ShortLanes load(const std::int16_t* from) { return ShortLanes::load_unaligned(from); }

// As many 8-bit integers as there are 16-bit lanes.
inline ShortLanes load_widened(const std::int8_t* from) {
#ifdef __wasm_simd128__
  return ShortLanes(wasm_i16x8_load8x8(from));
#else
  std::int16_t wide[ShortLanes::size];
  std::copy_n(from, ShortLanes::size, wide);
  return load(wide);
#endif
}

// sum + a[0] b[0] + a[1] b[1], sum + a[2] b[2] + a[3] b[3], ...
inline IntLanes add_pair_products(ShortLanes a, ShortLanes b, IntLanes sum) {
#ifdef __wasm_simd128__
  return sum + IntLanes(wasm_i32x4_dot_i16x8(a, b));
#else
  std::int16_t x[ShortLanes::size], y[ShortLanes::size];
  std::int32_t products[IntLanes::size];
  a.store_unaligned(x);
  b.store_unaligned(y);
  for (std::size_t i = 0; i < IntLanes::size; ++i)
    products[i] = x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
  return sum + IntLanes::load_unaligned(products);
#endif
}

// The pair from[0], from[1] in every pair of lanes.
inline ShortLanes load_pair_splat(const std::int16_t* from) {
#ifdef __wasm_simd128__
  return ShortLanes(wasm_v128_load32_splat(from));
#else
  std::int16_t pairs[ShortLanes::size];
  for (std::size_t i = 0; i < ShortLanes::size; ++i) pairs[i] = from[i % 2];
  return load(pairs);
#endif
}

// Stores floats of at most 2^15 - 1 in magnitude as the nearest integers; NaN as any.
inline void store_rounded(std::int16_t* to, Lanes low, Lanes high) {
  // Added to 1.5 * 2^23, a number has its nearest integer in the lowest bits.
  const Lanes magic(0x1.8p23f), a = low + magic, b = high + magic;
#ifdef __wasm_simd128__
  wasm_v128_store(to, wasm_i16x8_shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
#else
  std::int32_t bits[2 * Lanes::size];
  xsimd::bitwise_cast<std::int32_t>(a).store_unaligned(bits);
  xsimd::bitwise_cast<std::int32_t>(b).store_unaligned(bits + Lanes::size);
  for (std::size_t i = 0; i < 2 * Lanes::size; ++i) to[i] = static_cast<std::int16_t>(bits[i]);
#endif
}

}  // namespace ropewalk
