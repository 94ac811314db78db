#include "reference/rotary.hpp"

#include <cmath>

namespace ropewalk::reference {

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
