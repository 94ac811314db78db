// The specification of rotary encodings, in plain formulas in double. Tests compare the core with
// it; it does not ship and shares no code with the core.
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk::reference {

// Row x at position m, pairs (2i, 2i + 1) rotated by m base^(-2i / dim).
std::vector<double> rotate_interleaved(const std::vector<double>& x, double m, double base);

// The same with pairs (i, i + dim/2).
std::vector<double> rotate_half_split(const std::vector<double>& x, double m, double base);

// Indices of the two values of pair i of `pairs` pairs.
struct PairPlaces {
  std::size_t a, b;
};
PairPlaces interleaved_pair(std::size_t i, std::size_t pairs);
PairPlaces half_split_pair(std::size_t i, std::size_t pairs);

using Places = PairPlaces (*)(std::size_t i, std::size_t pairs);

// One head: pairs at `from` are rotated by the angles and written at `to`. Other values are kept.
std::vector<double> turned(const std::vector<double>& x, const std::vector<double>& angles,
                           Places from, Places to);

// |sum_i e^(i offset f_i)| summed over the first 1, 2, ... pairs, by the definition.
double sum_of_partial_sums(const std::vector<double>& frequencies, double offset);

// zeta_i^(sign (position - center) / scale_base) of xPos.
double xpos_scale(std::size_t i, std::size_t pairs, double gamma, double exponent);

// Frequencies for longer contexts: pair i of dim values.
double rotary_frequency(std::size_t i, double dim, double base);

// YaRN's ramp over full turns, and over the index as shipped (floor, ceil and clamp included).
double yarn_published(std::size_t i, double dim, double base, double original_length,
                      double factor);
double yarn_coded(std::size_t i, double dim, double base, double original_length, double factor,
                  bool truncate);

// Meta's three cases by wavelength.
double llama3(std::size_t i, double dim, double base, double original_length, double factor,
              double low, double high);

}  // namespace ropewalk::reference
