// Sines and cosines of sums of angles: two products and a sum each, where a sine costs a
// polynomial. Every build gives the same bits, since no step is fused.
#pragma once

#include <cstddef>
#include <limits>
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

// The angles of positions, one after another, as sums that are cheap to form.
//
// Positions mostly follow one another. The angles of a position are then those of an earlier one, a
// few steps back, plus those of the steps, and a sum of angles is far cheaper than a sine.

class AnglesNearby {
 public:
  // For about as many `positions`. The sines and cosines of every start are multiplied by `scale`.
  AnglesNearby(std::vector<double> frequencies, std::size_t positions, double scale = 1.0);

  struct Sum {
    const Turns &start, &steps;
  };

  // position * frequency of every frequency; valid until the next call.
  Sum at(double position);

 private:
  Turns turns(double position);

  std::vector<double> frequencies_, angles_;
  double scale_;
  std::vector<Turns> steps_;  // 0, 1, 2, ... positions further
  double start_ = std::numeric_limits<double>::quiet_NaN();
  Turns turns_;  // at start_
};

}  // namespace ropewalk
