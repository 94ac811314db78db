// Rotary positions with any angles, as plain formulas in double. Tests only.
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk::reference {

// Where the two values of pair i stand among `pairs` pairs.
struct PairPlaces {
  std::size_t a, b;
};
PairPlaces interleaved_pair(std::size_t i, std::size_t pairs);
PairPlaces half_split_pair(std::size_t i, std::size_t pairs);

using Places = PairPlaces (*)(std::size_t i, std::size_t pairs);

// One head, its pairs read at `from`, turned by the angles, and left at `to`; the rest stays.
std::vector<double> turned(const std::vector<double>& x, const std::vector<double>& angles,
                           Places from, Places to);

// |sum_i e^(i offset f_i)| summed over the first 1, 2, ... pairs, by the definition.
double sum_of_partial_sums(const std::vector<double>& frequencies, double offset);

// zeta_i^(sign (position - centre) / scale_base) of xPos.
double xpos_scale(std::size_t i, std::size_t pairs, double gamma, double exponent);

}  // namespace ropewalk::reference
