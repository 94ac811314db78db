// Sines and cosines of sums of angles: two products and a sum each, where a sine costs a polynomial.
// Every build gives the same bits, since no step is fused.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ropewalk {

// Angles by what they turn: their sines and cosines.
struct Turns {
  std::vector<double> sines, cosines;

  Turns() = default;
  explicit Turns(std::span<const double> angles);
};

inline double sine_of_sum(const Turns& a, const Turns& b, std::size_t i) {
  return a.sines[i] * b.cosines[i] + a.cosines[i] * b.sines[i];
}
inline double cosine_of_sum(const Turns& a, const Turns& b, std::size_t i) {
  return a.cosines[i] * b.cosines[i] - a.sines[i] * b.sines[i];
}

// Sine and cosine of a_i + b_i for the first `count` angles of both, as 32-bit floats: into two
// runs, or side by side.
void write_sums(const Turns& a, const Turns& b, std::size_t count, float* sines, float* cosines);
void write_sums_in_pairs(const Turns& a, const Turns& b, std::size_t count, float* pairs,
                         bool cosine_first);

}  // namespace ropewalk
