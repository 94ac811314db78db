// Which pairs of a rotary scheme meet angles that training never showed them.
//
// Over L0 positions pair i has covered the arc [0, L0 f_i), in steps of f_i. If L0 f_i >= 2 pi it
// has been all the way round, and no length shows it anything new. Otherwise a context of L
// positions, turned with g_i, leaves the trained arc when (L - 1) g_i >= L0 f_i.
#pragma once

#include <span>
#include <vector>

namespace ropewalk {

struct AngleCoverage {
  double trained_turns = 0.0;  // L0 f_i / 2 pi
  double turns = 0.0;          // L g_i / 2 pi
  // The first position whose angle is new, or -1 when none below L is.
  double first_unseen = -1.0;
};

// One per pair. Throws std::invalid_argument when the two lists differ in length, or a length is
// not a whole number of at least 1.
std::vector<AngleCoverage> angle_coverage(std::span<const double> trained,
                                          std::span<const double> used, double trained_length,
                                          double length);

}  // namespace ropewalk
