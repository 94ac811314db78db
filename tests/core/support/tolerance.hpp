// What rounding allows, derived from the operations and not from what a run happened to show.
#pragma once

#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>

namespace ropewalk {

inline constexpr double epsilon = std::numeric_limits<float>::epsilon();
inline constexpr double rounding = epsilon / 2;  // of one float operation, relative to its result
inline constexpr double smallest_normal = std::numeric_limits<float>::min();
// Smaller exponentials are 0.
inline constexpr double least_weight = 0x1p-100;

// Compares many numbers with one assertion at the end: keeps the one worst for its bound.
class Comparison {
 public:
  void add(double actual, double expected, double bound) {
    const bool equal = actual == expected || (std::isnan(actual) && std::isnan(expected));
    const double share = equal ? 0.0 : std::abs(actual - expected) / bound;
    ++count_;
    if (share <= worst_) return;  // NaN goes on, and counts as the worst there is
    worst_ = std::isnan(share) ? std::numeric_limits<double>::infinity() : share;
    std::ostringstream text;
    text << "number " << count_ - 1 << ": " << actual << " for " << expected << ", bound " << bound;
    text_ = text.str();
  }

  double worst() const { return worst_; }
  friend std::ostream& operator<<(std::ostream& out, const Comparison& comparison) {
    return out << comparison.text_;
  }

 private:
  double worst_ = 0;
  std::size_t count_ = 0;
  std::string text_ = "all equal";
};

struct WithinBounds : Catch::Matchers::MatcherBase<Comparison> {
  bool match(const Comparison& comparison) const override { return comparison.worst() <= 1.0; }
  std::string describe() const override { return "is within its bound"; }
};

// Relative error of exp on (-infinity, 0]: its polynomial, three roundings, and the reduction of
// the argument, which costs 1.25 roundings per unit.
inline double exp_error(double x) { return 9.2e-8 + rounding * (3.0 + 1.25 * std::abs(x)); }

// How far softmax in floats may be from the exact one, relative to each weight, for scores that
// arrive in pieces. What a weight's logarithm is off by, theta, is made of
//   score_error            the worst absolute error of a score of the row
//   rounding * spread      forming exp's arguments; spread = maximum - minimum, all pieces together
//   exp_error              of the weight itself, and once more, on the same spread, of rescaling
//   6 roundings per piece  exp of a rescaling factor, the product with it, the running sum
// A quotient of two such sums is off by at most 2 theta; adding `length` terms and dividing by the
// sum add length + 4 roundings.
inline double softmax_error(double score_error, double spread, std::size_t length,
                            std::size_t pieces) {
  const double theta = score_error + rounding * (spread + 6.0 * double(pieces)) + exp_error(spread);
  return std::expm1(2 * theta + rounding * double(length + 4));
}

}  // namespace ropewalk
