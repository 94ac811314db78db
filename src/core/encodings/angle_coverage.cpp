#include "encodings/angle_coverage.hpp"

#include <cmath>
#include <numbers>

#include "base/require.hpp"

namespace ropewalk {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

void require_length(const char* name, double length) {
  require(length >= 1.0 && std::isfinite(length) && length == std::floor(length),
          "angle_coverage: ", name, " must be a whole number of at least 1, got ", length);
}

// The first position below length whose angle reaches the end of the arc, or -1.
double first_beyond(double arc, double frequency, double length) {
  if (frequency == 0.0 || (length - 1.0) * frequency < arc) return -1.0;
  const double position = std::floor(arc / frequency);
  return position * frequency < arc ? position + 1.0 : position;
}

}  // namespace

std::vector<AngleCoverage> angle_coverage(std::span<const double> trained,
                                          std::span<const double> used, double trained_length,
                                          double length) {
  require(trained.size() == used.size(),
          "angle_coverage: both lists need one frequency per pair, got ", trained.size(), " and ",
          used.size());
  require_length("trained_length", trained_length);
  require_length("length", length);
  std::vector<AngleCoverage> pairs(trained.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].trained_turns = trained_length * trained[i] / turn;
    pairs[i].turns = length * used[i] / turn;
    if (pairs[i].trained_turns < 1.0) {
      pairs[i].first_unseen = first_beyond(trained_length * trained[i], used[i], length);
    }
  }
  return pairs;
}

}  // namespace ropewalk
