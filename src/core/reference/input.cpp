#include "reference/input.hpp"

#include <cmath>

namespace ropewalk::reference {

double sinusoidal(double t, std::size_t column, std::size_t dim, double base) {
  const std::size_t even = column - column % 2;
  const double angle = t / std::pow(base, double(even) / double(dim));
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

double halving_dial(double t, std::size_t dial) {
  return std::sin(t / std::pow(2.0, double(dial)));
}

double dial_to_base(double t, std::size_t dial, std::size_t dim, double base) {
  return std::sin(t / std::pow(base, double(dial) / double(dim - 1)));
}

double dial_below_base(double t, std::size_t dial, std::size_t dim, double base) {
  return std::sin(t / std::pow(base, double(dial) / double(dim)));
}

Rows recurrent(const Rows& x, const Rows& w, const Rows& u, const std::vector<double>& b,
               std::vector<double> state, double (*f)(double)) {
  Rows states;
  for (const std::vector<double>& token : x) {
    std::vector<double> next(b.size());
    for (std::size_t c = 0; c < b.size(); ++c) {
      double sum = b[c];
      for (std::size_t r = 0; r < token.size(); ++r) sum += token[r] * w[r][c];
      for (std::size_t r = 0; r < state.size(); ++r) sum += state[r] * u[r][c];
      next[c] = f(sum);
    }
    states.push_back(state = next);
  }
  return states;
}

double grid(std::size_t row, std::size_t column, std::size_t channel, std::size_t dim) {
  const std::size_t half = dim / 2, quarter = dim / 4, within = channel % half;
  const double coordinate = channel < half ? double(column) : double(row);
  const double angle = coordinate / std::pow(10000.0, double(within % quarter) / double(quarter));
  return within < quarter ? std::sin(angle) : std::cos(angle);
}

double pixel(double y, double x, std::size_t channel, std::size_t dim, double base) {
  const std::size_t half = dim / 2;
  return sinusoidal(channel < half ? y : x, channel % half, half, base);
}

}  // namespace ropewalk::reference
