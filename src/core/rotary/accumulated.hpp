// Angles that accumulate from token to token, by increments computed from the text.
//
//   inclusive  angle[t] = temperature (start + phi[0] + ... + phi[t])    Selective RoPE
//   exclusive  angle[t] = temperature (start + phi[0] + ... + phi[t-1])  GRAPE-M
//   each       angle[t] = temperature phi[t]                             Selective RoPE with
//              increments phi[t] - phi[t-1], whose sum telescopes ("skip_conv")
//
// Selective RoPE (openreview AQo1SEElNb, 2026), GRAPE (Zhang et al. 2025, section 3).
#pragma once

#include <span>
#include <vector>

namespace ropewalk {

enum class AngleSum { inclusive, exclusive, each };

// How increments become angles: (heads x length x pairs). increments: heads x length x width, where
// a width of 1 serves all pairs. temperatures: pairs, or repeats of a list of heads x pairs.
struct AngleAccumulation {
  std::size_t heads, length, width, pairs;
  std::span<const float> increments;
  std::span<const double> temperatures;
  AngleSum sum = AngleSum::inclusive;
};

// Fills `angles`, and advances `state` (heads x width): the sums before the first token, then those
// after the last, from which the next piece of a sequence continues.
void accumulate_angles(std::span<double> angles, std::span<double> state,
                       const AngleAccumulation& of);

// Writes the gradient of the increments, given that of the angles.
void accumulate_angles_backward(std::span<float> d_increments, std::span<const double> d_angles,
                                const AngleAccumulation& of);

// The temperature of each pair.
//   rope  max base^(-i / pairs)
//   rfa   max t_i / t_last, t_i = sqrt((1 - cos a_i) / (1 + cos a_i)) = tan(a_i / 2),
//         with a_i from 0 to base pi in even steps
enum class AngleTemperature { rope, rfa };
std::vector<double> angle_temperatures(std::size_t pairs, AngleTemperature kind, double base,
                                       double max);

}  // namespace ropewalk
