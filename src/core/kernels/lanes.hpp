// SIMD lanes: the only header that includes xsimd, and the only place with a fused multiply-add.
#pragma once

#include <cstddef>
#include <xsimd/xsimd.hpp>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace ropewalk {

using Lanes = xsimd::batch<float>;

inline Lanes load(const float* from) { return Lanes::load_unaligned(from); }
inline void store(float* to, Lanes lanes) { lanes.store_unaligned(to); }

using DoubleLanes = xsimd::batch<double>;

inline DoubleLanes load(const double* from) { return DoubleLanes::load_unaligned(from); }

// As many 32-bit floats as there are lanes.
inline DoubleLanes load_widened(const float* from) {
#ifdef __wasm_simd128__
  return DoubleLanes(wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from)));
#else
  double wide[DoubleLanes::size];
  for (std::size_t i = 0; i < DoubleLanes::size; ++i) wide[i] = from[i];
  return load(wide);
#endif
}

// Stores lanes as 32-bit floats.
inline void store_narrowed(float* to, DoubleLanes lanes) {
#ifdef __wasm_simd128__
  wasm_v128_store64_lane(to, wasm_f32x4_demote_f64x2_zero(lanes), 0);
#else
  double wide[DoubleLanes::size];
  lanes.store_unaligned(wide);
  for (std::size_t i = 0; i < DoubleLanes::size; ++i) to[i] = static_cast<float>(wide[i]);
#endif
}

// Two halves as 32-bit floats.
inline Lanes narrowed(DoubleLanes low, DoubleLanes high) {
#ifdef __wasm_simd128__
  return Lanes(wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(low),
                                  wasm_f32x4_demote_f64x2_zero(high), 0, 1, 4, 5));
#else
  float narrow[Lanes::size];
  store_narrowed(narrow, low);
  store_narrowed(narrow + DoubleLanes::size, high);
  return load(narrow);
#endif
}

// Stores first[0], second[0], first[1], second[1], ... as 32-bit floats.
inline void store_narrowed_pairs(float* to, DoubleLanes first, DoubleLanes second) {
#ifdef __wasm_simd128__
  const v128_t a = wasm_f32x4_demote_f64x2_zero(first), b = wasm_f32x4_demote_f64x2_zero(second);
  wasm_v128_store(to, wasm_i32x4_shuffle(a, b, 0, 4, 1, 5));
#else
  double a[DoubleLanes::size], b[DoubleLanes::size];
  first.store_unaligned(a);
  second.store_unaligned(b);
  for (std::size_t i = 0; i < DoubleLanes::size; ++i) {
    to[2 * i] = static_cast<float>(a[i]);
    to[2 * i + 1] = static_cast<float>(b[i]);
  }
#endif
}

// a * b + c. One rounding where the target has the instruction, else two: builds differ in the
// last bits by design. xsimd does not support relaxed SIMD, so that case is written here.
inline Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
#ifdef __wasm_relaxed_simd__
  return Lanes(wasm_f32x4_relaxed_madd(a, b, c));
#else
  return xsimd::fma(a, b, c);
#endif
}

// The same for the remainder of a loop. It rounds as the lanes do, so that no result depends on
// where a group of lanes ends.
inline float multiply_add(float a, float b, float c) {
  return multiply_add(Lanes(a), Lanes(b), Lanes(c)).get(0);
}

// The maximum or minimum of x and bound in each lane; NaN where x is NaN. Which operand of an
// unordered pair the hardware's maximum returns differs between targets, so the comparison is
// written out.
inline Lanes max_propagate_nan(Lanes x, Lanes bound) {
#ifdef __wasm_simd128__
  return Lanes(wasm_f32x4_pmax(x, bound));  // x < bound ? bound : x
#else
  return xsimd::select(x < bound, bound, x);
#endif
}

inline Lanes min_propagate_nan(Lanes x, Lanes bound) {
#ifdef __wasm_simd128__
  return Lanes(wasm_f32x4_pmin(x, bound));  // bound < x ? bound : x
#else
  return xsimd::select(x > bound, bound, x);
#endif
}

// The maximum in each lane; best where x is NaN.
inline Lanes max_ignore_nan(Lanes best, Lanes x) { return max_propagate_nan(best, x); }

// Sums of lanes, one for each of as many registers as a register has lanes.
inline Lanes sums_across(Lanes* lanes) {
  xsimd::transpose(lanes, lanes + Lanes::size);
  Lanes total = lanes[0];
  for (std::size_t i = 1; i < Lanes::size; ++i) total += lanes[i];
  return total;
}

// The same number in every lane, hidden from the compiler. V8 rebuilds a constant that it can see
// at every use, in three instructions; one loaded from memory stays in a register during a loop.
inline Lanes broadcast_opaque(const float& number) {
  const float* from = &number;
  asm("" : "+r"(from));
  return Lanes(*from);
}

// Applies `whole` to each full group of lanes of [0, count), then `single` to what remains.
template <class Whole, class Single>
inline void for_lanes(std::size_t count, Whole whole, Single single) {
  const std::size_t body = count - count % Lanes::size;
  for (std::size_t i = 0; i < body; i += Lanes::size) whole(i);
  for (std::size_t i = body; i < count; ++i) single(i);
}

}  // namespace ropewalk
