// Lanes of 16-bit floats, in pairs as 32-bit integers.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/integer_lanes.hpp"

namespace ropewalk {

inline IntLanes load_pairs(const std::uint8_t* codes) {
  return xsimd::bitwise_cast<std::int32_t>(load(reinterpret_cast<const float*>(codes)));
}

// A half in the bits 13 to 27 of a float, with its sign, is the half times 2^-112, subnormal or
// not.
class Halves {
 public:
  static constexpr float factor = 0x1p112f;

  // The halves in the lower and in the upper 16 bits of lanes, times 2^-112.
  Lanes low(IntLanes pairs) const { return xsimd::bitwise_cast<float>((pairs << 16) >> 3) & mask_; }
  Lanes high(IntLanes pairs) const { return xsimd::bitwise_cast<float>(pairs >> 3) & mask_; }

 private:
  static constexpr float mask = std::bit_cast<float>(0x8fffe000);
  Lanes mask_ = broadcast_opaque(mask);
};

}  // namespace ropewalk
