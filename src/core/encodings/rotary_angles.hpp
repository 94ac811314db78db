// By how much each pair of a rotary scheme turns: a position times a frequency.
//
//   angle(row, pair) = coordinate(axis of the pair, row) * frequency(pair)
//
// Plain RoPE has one axis. Images and video have several (time, height, width), and each pair turns
// by one of them: how the pairs are shared out is a list, axis_of_pair (rotary_axes.hpp makes it).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"
#include "encodings/angles_nearby.hpp"

namespace ropewalk {

struct RotaryAngles {
  std::size_t rows = 0;
  // axes x rows: the position of each row, fractions and negative ones allowed, up to 2^53.
  std::span<const double> coordinates;
  std::span<const double> frequencies;          // radians per unit of position, one per pair
  std::span<const std::size_t> axis_of_pair{};  // empty: every pair turns by the first axis
  double attention_factor = 1.0;                // multiplies cos and sin (YaRN's temperature)
  std::span<const double> frequency_tails{};    // what the doubles have no room for, if known

  std::size_t pairs() const { return frequencies.size(); }
};

using DoubleMatrixView = BasicMatrixView<double>;

// Throws std::invalid_argument when coordinates are no whole number of axes or not finite, or an
// axis of axis_of_pair has none.
void check_rotary_angles(const RotaryAngles& angles);

// out (rows x pairs): the angles in radians.
void rotary_angles(DoubleMatrixView out, const RotaryAngles& angles);

// cos and sin (rows x pairs) of the angles of exactly these positions and frequencies, whose
// product may need more digits than a double has: within 1e-15 at any position.
void rotary_table(DoubleMatrixView cos, DoubleMatrixView sin, const RotaryAngles& angles);

// Forms rows of the table as floats, from angles in double: within 1e-7 of the exact values for
// positions up to 2^24. Keeps what neighbouring rows share.
class RotaryRows {
 public:
  explicit RotaryRows(const RotaryAngles& angles);  // which must outlive the maker

  // Rows first ... first + cos.rows - 1.
  void form(MatrixView cos, MatrixView sin, std::size_t first);

 private:
  AnglesNearby::Sum sum_at(std::size_t row);

  const RotaryAngles& angles_;
  std::optional<AnglesNearby> nearby_;  // one axis
  std::vector<double> row_angles_;      // several
  Turns row_, still_;                   // still_: no turn, times the attention factor
};

// base^(-2i / dim), i = 0 ... dim/2 - 1, each as a sum of two doubles, good to 30 digits.
struct ExactFrequencies {
  std::vector<double> heads, tails;
};
ExactFrequencies exact_rotary_frequencies(std::size_t dim, double base);

}  // namespace ropewalk
