#include "reference/rotary.hpp"

#include <cmath>

namespace ropewalk::reference {

PairPlaces interleaved_pair(std::size_t i, std::size_t) { return {2 * i, 2 * i + 1}; }
PairPlaces half_split_pair(std::size_t i, std::size_t pairs) { return {i, i + pairs}; }

std::vector<double> turned(const std::vector<double>& x, const std::vector<double>& angles,
                           Places from, Places to) {
  std::vector<double> out = x;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const PairPlaces read = from(i, angles.size()), write = to(i, angles.size());
    out[write.a] = x[read.a] * std::cos(angles[i]) - x[read.b] * std::sin(angles[i]);
    out[write.b] = x[read.a] * std::sin(angles[i]) + x[read.b] * std::cos(angles[i]);
  }
  return out;
}

double sum_of_partial_sums(const std::vector<double>& frequencies, double offset) {
  double sum = 0;
  for (std::size_t terms = 1; terms <= frequencies.size(); ++terms) {
    double real = 0, imaginary = 0;
    for (std::size_t i = 0; i < terms; ++i) {
      real += std::cos(offset * frequencies[i]);
      imaginary += std::sin(offset * frequencies[i]);
    }
    sum += std::hypot(real, imaginary);
  }
  return sum;
}

double xpos_scale(std::size_t i, std::size_t pairs, double gamma, double exponent) {
  return std::pow((double(i) / double(pairs) + gamma) / (1.0 + gamma), exponent);
}

}  // namespace ropewalk::reference
