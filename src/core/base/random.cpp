#include "base/random.hpp"

#include <cmath>

#include "base/elementary.hpp"

namespace ropewalk {

std::uint64_t Random::bits() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::uniform(double low, double high) { return low + (high - low) * uniform(); }

// Leva's ratio of uniforms. Two quadratic bounds accept or reject most points without a logarithm;
// portable::log decides the rest and gives the same bits in every build.
double Random::normal() {
  for (;;) {
    const double u = 1.0 - uniform();  // (0, 1], so log(u) and v / u are finite
    const double v = uniform(-0.8578, 0.8578);
    const double x = u - 0.449871, y = std::abs(v) + 0.386595;
    const double q = x * x + y * (0.196 * y - 0.25472 * x);
    const bool inside = q < 0.27597, outside = q > 0.27846;
    if (inside || (!outside && v * v <= -4.0 * u * u * portable::log(u))) return v / u;
  }
}

}  // namespace ropewalk
