// What the extensions for longer contexts share: each takes the frequencies that a rotary scheme
// was trained with and gives those that it shall turn with instead.
//
// Pair i of `dim` rotating values was trained with f_i = base^(-2i / dim). Lengths count positions:
// L0 is the length of training, s (or k) how many times further to reach.
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk {

struct ScaledFrequencies {
  // Radians per position, one per pair.
  std::vector<double> inverse;
  // The share of the trained frequency in each pair, where a family blends: 1 is kept as trained,
  // 0 is interpolated in full. Empty where nothing is blended.
  std::vector<double> kept;
  // From which `inverse` is formed; NTK changes it.
  double base = 0.0;
  // Where `kept` begins and ends to fall, in the unit of its ramp (pairs or turns).
  double ramp_from = 0.0, ramp_to = 0.0;
};

// How a blend takes its mean: of the two frequencies (the papers and all shipped code), or of the
// two wavelengths.
enum class BlendOf { frequencies, wavelengths };

// Each f_i between itself and f_i / factor, by the share `kept` of the trained one.
std::vector<double> blended(const std::vector<double>& trained, const std::vector<double>& kept,
                            double factor, BlendOf blend = BlendOf::frequencies);

// Throws std::invalid_argument, naming `function`, unless factor is positive and finite.
void require_factor(const char* function, double factor);

// The same for the length of training, which must exceed 1 where its logarithm divides.
void require_original_length(const char* function, double original_length);

}  // namespace ropewalk
