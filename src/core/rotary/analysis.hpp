// Properties of rotary frequencies before any training: wavelengths, turns within a length, and
// how far a score can fall with distance (Su, kexue.fm 8265; Su et al. 2021, section 3.4.3).
//
// With h_i = q_i conj(k_i), the pairs as complex numbers, the score at offset o = m - n is
// Re sum_i h_i e^(i o f_i). Summation by parts over S_j = sum_{i < j} e^(i o f_i), where h_pairs
// is 0, gives
//
//   |sum_i h_i e^(i o f_i)|  <=  max_i |h_(i+1) - h_i| * sum_{j = 1 ... pairs} |S_j|
//
// The second factor falls with |o| on the whole, though not everywhere.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rotary/rotate.hpp"

namespace ropewalk {

// 2 pi / f_i, the positions that one turn takes; infinite for a frequency of 0.
std::vector<double> rotary_wavelengths(std::span<const double> frequencies);

// length * f_i / (2 pi): below 1, a pair never completes a turn within the length.
std::vector<double> rotary_turns(std::span<const double> frequencies, double length);

struct RotaryDecay {
  // One value per offset.
  std::vector<double> mean_partial_sum;  // (1 / pairs) sum_j |S_j|: the curve to draw
  std::vector<double> mean_cosine;       // (1 / pairs) sum_i cos(o f_i): the score of equal vectors
};
RotaryDecay rotary_decay(std::span<const double> frequencies, std::span<const double> offsets);

struct RotaryScoreBound {
  std::vector<double> score;      // q rotated to offset, times k
  std::vector<double> magnitude;  // |sum_i h_i e^(i o f_i)|, at least |score|
  std::vector<double> bound;
};
// q, k: one head's vectors of two values per pair.
// Throws std::invalid_argument when they have not two values for each frequency.
RotaryScoreBound rotary_score_bound(std::span<const double> q, std::span<const double> k,
                                    std::span<const double> frequencies,
                                    std::span<const double> offsets, RotaryLayout layout);

// The pairs of a rotary scheme that reach angles unseen in training.
//
// Over L0 positions pair i covers the arc [0, L0 f_i), in steps of f_i. If L0 f_i >= 2 pi, it has
// completed a turn, and no length gives it new angles. Otherwise a context of L positions with
// frequency g_i leaves the trained arc when (L - 1) g_i >= L0 f_i.

struct AngleCoverage {
  double trained_turns = 0.0;  // L0 f_i / 2 pi
  double turns = 0.0;          // L g_i / 2 pi
  // The first position whose angle is new, or -1 when none below L is.
  double first_unseen = -1.0;
};

// One per pair. Throws std::invalid_argument when the two lists differ in length, or a length is
// not a whole number of at least 1.
std::vector<AngleCoverage> angle_coverage(std::span<const double> trained,
                                          std::span<const double> used, double original_length,
                                          double length);

// A position's sinusoid is its expansion in base beta = base^(2 / dim), digit by digit
// (Su, kexue.fm/archives/9675):
//
//   digit i = floor(t / beta^i) mod beta      angle i = t / beta^i mod 2 pi
//
// since t / beta^i = t f_i is exactly the angle of pair i. A digit starts over after beta steps, an
// angle after 2 pi radians; each is beta times slower than the one before it.

struct PositionDigits {
  double beta = 0.0;
  std::vector<double> digits;  // least significant first, in [0, beta)
  std::vector<double> angles;  // radians in [0, 2 pi)
};

// Throws std::invalid_argument on an odd dim, a base of at most 1, or a negative position.
PositionDigits position_digits(double position, std::size_t dim, double base = 10000.0);

}  // namespace ropewalk
