#include "reference/encodings.hpp"

#include <cmath>

namespace ropewalk::reference {

double sinusoidal(double t, std::size_t column, std::size_t dim, double base) {
  const std::size_t even = column - column % 2;
  const double angle = t / std::pow(base, double(even) / double(dim));
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

std::vector<double> rotate_interleaved(const std::vector<double>& x, double m, double base) {
  std::vector<double> out(x.size());
  for (std::size_t c = 0; c < x.size(); c += 2) {
    const double angle = m / std::pow(base, double(c) / double(x.size()));
    out[c] = x[c] * std::cos(angle) - x[c + 1] * std::sin(angle);
    out[c + 1] = x[c] * std::sin(angle) + x[c + 1] * std::cos(angle);
  }
  return out;
}

std::vector<double> rotate_half_split(const std::vector<double>& x, double m, double base) {
  const std::size_t half = x.size() / 2;
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < half; ++i) {
    const double angle = m / std::pow(base, double(i) / double(half));
    out[i] = x[i] * std::cos(angle) - x[i + half] * std::sin(angle);
    out[i + half] = x[i] * std::sin(angle) + x[i + half] * std::cos(angle);
  }
  return out;
}

std::vector<double> alibi_slopes(std::size_t heads) {
  std::size_t power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes;
  for (std::size_t h = 1; h <= power; ++h) slopes.push_back(std::pow(2.0, -8.0 * double(h) / double(power)));
  if (power == heads) return slopes;
  const std::vector<double> finer = alibi_slopes(2 * power);
  for (std::size_t h = 0; slopes.size() < heads; h += 2) slopes.push_back(finer[h]);
  return slopes;
}

}  // namespace ropewalk::reference
