// Sines and cosines of sums of angles: two products and a sum each, where a sine costs a
// polynomial. Every build gives the same bits, since no step is fused.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace ropewalk {

// The sines and cosines of a list of angles.
struct SinCos {
  std::vector<double> sines, cosines;

  SinCos() = default;
  explicit SinCos(std::span<const double> angles);
};

inline double sine_of_sum(const SinCos& a, const SinCos& b, std::size_t i) {
  return a.sines[i] * b.cosines[i] + a.cosines[i] * b.sines[i];
}
inline double cosine_of_sum(const SinCos& a, const SinCos& b, std::size_t i) {
  return a.cosines[i] * b.cosines[i] - a.sines[i] * b.sines[i];
}

// Sine and cosine of a_i + b_i for the first `count` angles of both, as 32-bit floats: into two
// runs, or side by side.
void write_sums(const SinCos& a, const SinCos& b, std::size_t count, float* sines, float* cosines);
void write_sums_in_pairs(const SinCos& a, const SinCos& b, std::size_t count, float* pairs,
                         bool cosine_first);

// Sines and cosines of position * frequency for one position after another.
//
// Positions mostly follow one another. The angles of a position are then those of an earlier
// position plus those of a few steps, and the sine of a sum costs far less than a sine.
class IncrementalSinCos {
 public:
  // For about as many `positions`. The sines and cosines of every start are multiplied by `scale`.
  IncrementalSinCos(std::vector<double> frequencies, std::size_t positions, double scale = 1.0);

  struct Sum {
    const SinCos &start, &steps;
  };

  // position * frequency of every frequency; valid until the next call.
  Sum at(double position);

 private:
  SinCos sin_cos_of(double position);

  std::vector<double> frequencies_, angles_;
  double scale_;
  std::vector<SinCos> steps_;  // 0, 1, 2, ... positions further
  double start_ = std::numeric_limits<double>::quiet_NaN();
  SinCos start_values_;  // at start_
};

}  // namespace ropewalk
