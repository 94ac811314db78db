#include "encodings/angles_nearby.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ropewalk {
namespace {

constexpr std::size_t most_steps = 64;

}  // namespace

AnglesNearby::AnglesNearby(std::vector<double> frequencies, std::size_t positions, double scale)
    : frequencies_(std::move(frequencies)), angles_(frequencies_.size()), scale_(scale) {
  const std::size_t count = std::min(positions, most_steps);
  for (std::size_t step = 0; step < count; ++step) {
    steps_.push_back(turns(static_cast<double>(step)));
  }
}

AnglesNearby::Sum AnglesNearby::at(double position) {
  const double steps = position - start_;
  const bool near =
      steps >= 0 && steps < static_cast<double>(steps_.size()) && steps == std::floor(steps);
  if (near) return {turns_, steps_[static_cast<std::size_t>(steps)]};
  start_ = position;
  turns_ = turns(position);
  for (double& sine : turns_.sines) sine *= scale_;
  for (double& cosine : turns_.cosines) cosine *= scale_;
  return {turns_, steps_[0]};
}

Turns AnglesNearby::turns(double position) {
  std::ranges::transform(frequencies_, angles_.begin(), [&](double f) { return position * f; });
  return Turns(angles_);
}

}  // namespace ropewalk
