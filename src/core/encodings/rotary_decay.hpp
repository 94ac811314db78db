// What rotary frequencies say before any model is trained: wavelengths, turns within a length, and
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

#include <span>
#include <vector>

#include "encodings/rotary.hpp"

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

}  // namespace ropewalk
