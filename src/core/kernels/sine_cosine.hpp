// Sines and cosines of many angles at once. Every build gives the same bits: no step is fused.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ropewalk {

// sines[i] = sin(angles[i]) and cosines[i] = cos(angles[i]), each within 4e-16 of the exact value
// for |angle| up to 2^24 pi/2; beyond that the standard library's. All three have one length.
void sines_and_cosines(std::span<const double> angles, std::span<double> sines,
                       std::span<double> cosines);

// Angles by what they turn: sines and cosines of one length.
struct Turns {
  std::vector<double> sines, cosines;

  Turns() = default;
  explicit Turns(std::span<const double> angles);
};

// Sine and cosine of a_i + b_i: two products and a sum, where a sine costs a polynomial.
inline double sine_of_sum(const Turns& a, const Turns& b, std::size_t i) {
  return a.sines[i] * b.cosines[i] + a.cosines[i] * b.sines[i];
}
inline double cosine_of_sum(const Turns& a, const Turns& b, std::size_t i) {
  return a.cosines[i] * b.cosines[i] - a.sines[i] * b.sines[i];
}

// The same for the first `count` angles, as 32-bit floats: into two runs, or in pairs.
void write_sums(const Turns& a, const Turns& b, std::size_t count, float* sines, float* cosines);
void write_sums_in_pairs(const Turns& a, const Turns& b, std::size_t count, float* pairs,
                         bool cosine_first);

}  // namespace ropewalk
