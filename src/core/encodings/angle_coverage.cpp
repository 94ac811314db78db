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

}  // namespace

std::vector<AngleCoverage> angle_coverage(std::span<const double> trained,
                                          std::span<const double> used, double trained_length,
                                          double length) {
  require(trained.size() == used.size(), "angle_coverage: both lists need one frequency per pair, got ",
          trained.size(), " and ", used.size());
  require_length("the trained length", trained_length);
  require_length("length", length);
  std::vector<AngleCoverage> pairs(trained.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].trained_turns = trained_length * trained[i] / turn;
    pairs[i].turns = length * used[i] / turn;
    // Interpolation by L / L0 ends within a rounding of the trained arc: that is not a new angle.
    const double seen = (trained_length - 1.0) * trained[i] * (1.0 + 1e-12);
    if (pairs[i].trained_turns < 1.0 && (length - 1.0) * used[i] > seen) {
      pairs[i].first_unseen = std::floor(seen / used[i]) + 1.0;
    }
  }
  return pairs;
}

}  // namespace ropewalk
