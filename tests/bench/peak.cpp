// The limits of one wasm instance, measured beside everything else: multiply-adds that stay in
// registers, and copying and reading memory.
#include <wasm_simd128.h>

#include <cstddef>
#include <cstring>

namespace {

v128_t multiply_add(v128_t a, v128_t b, v128_t sum) {
#ifdef __wasm_relaxed_simd__
  return wasm_f32x4_relaxed_madd(a, b, sum);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), sum);
#endif
}

float sum(v128_t x) {
  return wasm_f32x4_extract_lane(x, 0) + wasm_f32x4_extract_lane(x, 1) +
         wasm_f32x4_extract_lane(x, 2) + wasm_f32x4_extract_lane(x, 3);
}

}  // namespace

extern "C" {

// 12 independent chains, more than latency times throughput: 12 x 4 multiply-adds per round. The
// operands come from outside, as an engine would make a constant anew for each use.
float multiply_adds(std::size_t rounds, float factor, float addend) {
  const v128_t a = wasm_f32x4_splat(factor);
  const v128_t b = wasm_f32x4_splat(addend);
  v128_t chain[12];
  for (int i = 0; i < 12; ++i) chain[i] = wasm_f32x4_splat(factor + static_cast<float>(i));
  for (; rounds != 0; --rounds) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 12; ++i) chain[i] = multiply_add(chain[i], a, b);
  }
  v128_t total = chain[0];
  for (int i = 1; i < 12; ++i) total = wasm_f32x4_add(total, chain[i]);
  return sum(total);
}

void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

// Adds up `count` floats, a multiple of 32, in eight strands.
float read(const float* from, std::size_t count) {
  v128_t strand[8];
  for (v128_t& s : strand) s = wasm_f32x4_splat(0.0f);
  for (std::size_t at = 0; at < count; at += 32) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 8; ++i) {
      strand[i] = wasm_f32x4_add(strand[i], wasm_v128_load(from + at + 4 * i));
    }
  }
  v128_t total = strand[0];
  for (int i = 1; i < 8; ++i) total = wasm_f32x4_add(total, strand[i]);
  return sum(total);
}
}
