#include "kernels/angle_sums.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/lanes.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t width = DoubleLanes::size;

struct Sum {
  DoubleLanes sine, cosine;
};

Sum sum_at(const SinCos& a, const SinCos& b, std::size_t i) {
  const DoubleLanes sine_a = load(&a.sines[i]), cosine_a = load(&a.cosines[i]);
  const DoubleLanes sine_b = load(&b.sines[i]), cosine_b = load(&b.cosines[i]);
  return {sine_a * cosine_b + cosine_a * sine_b, cosine_a * cosine_b - sine_a * sine_b};
}

}  // namespace

SinCos::SinCos(std::span<const double> angles) : sines(angles.size()), cosines(angles.size()) {
  sincos(angles, sines, cosines);
}

void write_sums(const SinCos& a, const SinCos& b, std::size_t count, float* sines, float* cosines) {
  const std::size_t body = count - count % width;
  for (std::size_t i = 0; i < body; i += width) {
    const Sum sum = sum_at(a, b, i);
    store_narrowed(sines + i, sum.sine);
    store_narrowed(cosines + i, sum.cosine);
  }
  for (std::size_t i = body; i < count; ++i) {
    sines[i] = static_cast<float>(sine_of_sum(a, b, i));
    cosines[i] = static_cast<float>(cosine_of_sum(a, b, i));
  }
}

void write_sums_in_pairs(const SinCos& a, const SinCos& b, std::size_t count, float* pairs,
                         bool cosine_first) {
  const std::size_t body = count - count % width;
  for (std::size_t i = 0; i < body; i += width) {
    const Sum sum = sum_at(a, b, i);
    if (cosine_first) {
      store_narrowed_pairs(pairs + 2 * i, sum.cosine, sum.sine);
    } else {
      store_narrowed_pairs(pairs + 2 * i, sum.sine, sum.cosine);
    }
  }
  for (std::size_t i = body; i < count; ++i) {
    pairs[2 * i + (cosine_first ? 1 : 0)] = static_cast<float>(sine_of_sum(a, b, i));
    pairs[2 * i + (cosine_first ? 0 : 1)] = static_cast<float>(cosine_of_sum(a, b, i));
  }
}

namespace {

constexpr std::size_t max_steps = 64;

}  // namespace

IncrementalSinCos::IncrementalSinCos(std::vector<double> frequencies, std::size_t positions,
                                     double scale)
    : frequencies_(std::move(frequencies)), angles_(frequencies_.size()), scale_(scale) {
  const std::size_t count = std::min(positions, max_steps);
  for (std::size_t step = 0; step < count; ++step) {
    steps_.push_back(sin_cos_of(static_cast<double>(step)));
  }
}

IncrementalSinCos::Sum IncrementalSinCos::at(double position) {
  const double steps = position - start_;
  const bool near =
      steps >= 0 && steps < static_cast<double>(steps_.size()) && steps == std::floor(steps);
  if (near) return {start_values_, steps_[static_cast<std::size_t>(steps)]};
  start_ = position;
  start_values_ = sin_cos_of(position);
  for (double& sine : start_values_.sines) sine *= scale_;
  for (double& cosine : start_values_.cosines) cosine *= scale_;
  return {start_values_, steps_[0]};
}

SinCos IncrementalSinCos::sin_cos_of(double position) {
  std::ranges::transform(frequencies_, angles_.begin(), [&](double f) { return position * f; });
  return SinCos(angles_);
}

}  // namespace ropewalk
