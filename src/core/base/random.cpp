#include "base/random.hpp"

#include <cmath>
#include <numbers>

namespace ropewalk {

std::uint64_t Random::bits() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 - u is never 0
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace ropewalk
