// The angle by which each pair of a rotary scheme is rotated: a position times a frequency.
//
//   angle(row, pair) = coordinate(axis of the pair, row) * frequency(pair)
//
// Plain RoPE has one axis. Images and video have several (time, height, width), and each pair
// belongs to one of them, given by the list axis_of_pair (see rotary/axes.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"
#include "base/row_lists.hpp"
#include "kernels/angle_sums.hpp"

namespace ropewalk {

struct RotaryAngles {
  std::size_t rows = 0;
  // axes x rows: the position of each row, fractions and negative ones allowed, up to 2^53.
  std::span<const double> coordinates;
  std::span<const double> frequencies;          // radians per unit of position, one per pair
  std::span<const std::size_t> axis_of_pair{};  // empty: every pair belongs to the first axis
  double attention_factor = 1.0;                // multiplies cos and sin (YaRN's temperature)
  std::span<const double> frequency_tails{};    // digits beyond the doubles, if known
  RowSteps steps{};                             // of the rows that rotate each head

  std::size_t pairs() const { return frequencies.size(); }
};

using DoubleMatrixView = BasicMatrixView<double>;

// Throws std::invalid_argument when the coordinates do not fill whole axes or are not finite, or
// when axis_of_pair names an axis without coordinates.
void check_rotary_angles(const RotaryAngles& angles);

// out (rows x pairs): the angles in radians.
void rotary_angles(DoubleMatrixView out, const RotaryAngles& angles);

// cos and sin (rows x pairs) of the angles of exactly these positions and frequencies, whose
// product may need more digits than a double has: within 1e-15 at any position.
void rotary_table(DoubleMatrixView cos, DoubleMatrixView sin, const RotaryAngles& angles);

// Forms rows of the table as floats, from angles in double: within 1e-7 of the exact values for
// positions up to 2^24. Reuses the angles that neighboring rows share.
class RotaryRows {
 public:
  explicit RotaryRows(const RotaryAngles& angles);  // angles must outlive it

  // Rows first ... first + cos.rows - 1.
  void form(MatrixView cos, MatrixView sin, std::size_t first);

 private:
  IncrementalSinCos::Sum sum_at(std::size_t row);

  const RotaryAngles& angles_;
  std::optional<IncrementalSinCos> nearby_;  // one axis
  std::vector<double> row_angles_;           // several
  SinCos row_, unrotated_;                   // unrotated_: angle 0, times the attention factor
};

// base^(-2i / dim), i = 0 ... dim/2 - 1, each as a sum of two doubles, good to 30 digits.
struct ExactFrequencies {
  std::vector<double> heads, tails;
};
ExactFrequencies exact_rotary_frequencies(std::size_t dim, double base);

// xPos, RoPE whose queries shrink and whose keys grow with position (Sun et al. 2022, A
// Length-Extrapolatable Transformer, section 3.2 and algorithm 1).
//
//   q at m: rotated, times zeta_i^((m - center) / scale_base)
//   k at n: rotated, times zeta_i^(-(n - center) / scale_base)
//   zeta_i = (i / pairs + gamma) / (1 + gamma)
//
// A score has the factor zeta_i^((m - n) / scale_base): it decays with distance, slowest in slow
// pairs. The center cancels in every score, so it only keeps the numbers small; but a key in a
// cache keeps the center it was scaled with. It is therefore a parameter and never the length of
// one call.

enum class XposRole { query, key };

struct XposOptions {
  double scale_base = 512.0;
  double gamma = 0.4;
  double center = 0.0;
};

// zeta_i of every pair.
std::vector<double> xpos_decays(std::size_t pairs, double gamma = 0.4);

// Multiplies cos and sin of row r (rows x pairs) by the scale of position positions[r].
// Throws std::invalid_argument when scale_base or gamma is not positive and finite, or a position
// is so far from the center that floats cannot hold its scale (at the defaults 35,000 away).
void scale_xpos(DoubleMatrixView cos, DoubleMatrixView sin, std::span<const double> positions,
                XposRole role, const XposOptions& options = {});

}  // namespace ropewalk
