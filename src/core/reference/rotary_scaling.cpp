#include "reference/rotary_scaling.hpp"

#include <cmath>

namespace ropewalk::reference {
namespace {

constexpr double two_pi = 6.283185307179586;

}  // namespace

double rotary_frequency(std::size_t i, double dim, double base) {
  return 1.0 / std::pow(base, 2.0 * double(i) / dim);
}

double yarn_published(std::size_t i, double dim, double base, double original_length,
                      double factor) {
  const double theta = rotary_frequency(i, dim, base);
  const double turns = original_length * theta / two_pi;
  const double gamma = turns < 1.0 ? 0.0 : turns > 32.0 ? 1.0 : (turns - 1.0) / 31.0;
  return ((1.0 - gamma) / factor + gamma) * theta;
}

double yarn_coded(std::size_t i, double dim, double base, double original_length, double factor,
                  bool truncate) {
  const auto at = [&](double turns) {
    return dim * std::log(original_length / (two_pi * turns)) / (2.0 * std::log(base));
  };
  double low = truncate ? std::floor(at(32.0)) : at(32.0);
  double high = truncate ? std::ceil(at(1.0)) : at(1.0);
  low = low < 0.0 ? 0.0 : low;
  high = high > dim - 1.0 ? dim - 1.0 : high;
  if (low == high) high += 0.001;
  const double along = (double(i) - low) / (high - low);
  const double gamma = 1.0 - (along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along);
  return ((1.0 - gamma) / factor + gamma) * rotary_frequency(i, dim, base);
}

double llama3(std::size_t i, double dim, double base, double original_length, double factor,
              double low, double high) {
  const double theta = rotary_frequency(i, dim, base);
  const double wavelength = two_pi / theta;
  if (wavelength < original_length / high) return theta;
  if (wavelength > original_length / low) return theta / factor;
  const double smooth = (original_length / wavelength - low) / (high - low);
  return (1.0 - smooth) * theta / factor + smooth * theta;
}

}  // namespace ropewalk::reference
