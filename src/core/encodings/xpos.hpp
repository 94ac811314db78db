// xPos, RoPE whose queries shrink and whose keys grow with position (Sun et al. 2022, A
// Length-Extrapolatable Transformer, section 3.2 and algorithm 1).
//
//   q at m: rotated, times zeta_i^((m - centre) / scale_base)
//   k at n: rotated, times zeta_i^(-(n - centre) / scale_base)
//   zeta_i = (i / pairs + gamma) / (1 + gamma)
//
// A score carries zeta_i^((m - n) / scale_base): it fades with distance, slowest in slow pairs. The
// centre cancels in every score, so it only keeps the numbers small; but a key in a cache keeps the
// centre it was scaled with. It is therefore a parameter and never the length of one call.
#pragma once

#include <span>

#include "encodings/rotary_angles.hpp"

namespace ropewalk {

enum class XposRole { query, key };

struct XposOptions {
  double scale_base = 512.0;
  double gamma = 0.4;
  double centre = 0.0;
};

// zeta_i of every pair.
std::vector<double> xpos_decays(std::size_t pairs, double gamma = 0.4);

// Multiplies cos and sin of row r (rows x pairs) by the scale of position positions[r].
// Throws std::invalid_argument when scale_base or gamma is not positive and finite, or a position
// lies so far from the centre that floats cannot hold its scale (at the defaults 35 000 away).
void scale_xpos(DoubleMatrixView cos, DoubleMatrixView sin, std::span<const double> positions,
                XposRole role, const XposOptions& options = {});

}  // namespace ropewalk
