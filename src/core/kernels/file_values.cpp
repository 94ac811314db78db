#include "kernels/file_values.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

#include "kernels/half_lanes.hpp"

namespace ropewalk {
namespace {

static_assert(std::endian::native == std::endian::little, "files are read as they are");

constexpr std::size_t group = 2 * Lanes::size;
constexpr std::size_t block_values = 32, block_bytes = 2 + block_values;

constexpr float infinity = std::numeric_limits<float>::infinity();

// Halves from 2^16 on have the exponent of infinity and NaN.
Lanes float16(Lanes scaled) {
  const Lanes values = scaled * Lanes(Halves::factor);
  return xsimd::select(xsimd::abs(values) >= Lanes(0x1p16f), values * Lanes(infinity), values);
}

struct Float16 {
  Halves halves;

  Lanes low(IntLanes pairs) const { return float16(halves.low(pairs)); }
  Lanes high(IntLanes pairs) const { return float16(halves.high(pairs)); }
};

struct Bfloat16 {
  Lanes low(IntLanes pairs) const { return xsimd::bitwise_cast<float>(pairs << 16); }
  Lanes high(IntLanes pairs) const {
    return xsimd::bitwise_cast<float>(pairs & IntLanes(std::int32_t(0xffff0000)));
  }
};

// The floats of eight values.
template <class Format>
void read_group(float* to, const std::uint8_t* from, const Format& format) {
  const IntLanes pairs = load_pairs(from);
  const Lanes even = format.low(pairs), odd = format.high(pairs);
  store(to, xsimd::zip_lo(even, odd));
  store(to + Lanes::size, xsimd::zip_hi(even, odd));
}

template <class Format>
void read_pairs(std::span<float> to, const std::uint8_t* from, const Format& format) {
  const std::size_t rest = to.size() % group, whole = to.size() - rest;
  for (std::size_t i = 0; i < whole; i += group) read_group(to.data() + i, from + 2 * i, format);
  if (rest == 0) return;
  std::uint8_t codes[2 * group] = {};
  float values[group];
  std::copy_n(from + 2 * whole, 2 * rest, codes);
  read_group(values, codes, format);
  std::copy_n(values, rest, to.data() + whole);
}

void read_q8_0(std::span<float> to, const std::uint8_t* from) {
  for (std::size_t first = 0; first < to.size(); first += block_values, from += block_bytes) {
    float factor;
    read_pairs({&factor, 1}, from, Float16());
    for (std::size_t i = 0; i < block_values; ++i)
      to[first + i] = factor * static_cast<float>(static_cast<std::int8_t>(from[2 + i]));
  }
}

}  // namespace

std::size_t file_bytes(FileFormat format, std::size_t count) {
  assert(format != FileFormat::q8_0 || count % block_values == 0);
  if (format == FileFormat::q8_0) return count / block_values * block_bytes;
  return count * (format == FileFormat::float32 ? 4 : 2);
}

void read_values(std::span<float> to, const std::uint8_t* from, FileFormat format) {
  switch (format) {
    case FileFormat::float32:
      if (!to.empty()) std::memcpy(to.data(), from, to.size_bytes());
      break;
    case FileFormat::float16:
      return read_pairs(to, from, Float16());
    case FileFormat::bfloat16:
      return read_pairs(to, from, Bfloat16());
    case FileFormat::q8_0:
      return read_q8_0(to, from);
  }
}

}  // namespace ropewalk
