// Seeded pseudo-random numbers with the same bits in every build. The distributions of the standard
// library are implementation-defined: a native and a wasm build would give different numbers.
#pragma once

#include <cstdint>

namespace ropewalk {

// SplitMix64 (Steele, Lea, Flood 2014): one 64-bit word of state, full period.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t state() const { return state_; }  // Random(state()) continues from here
  std::uint64_t bits();
  double uniform();                         // [0, 1), 53 bits
  double uniform(double low, double high);  // [low, high)
  double normal();                          // mean 0, variance 1 (Leva 1992)

 private:
  std::uint64_t state_;
};

}  // namespace ropewalk
