#include "kernels/adamw.hpp"

#include <cassert>
#include <limits>

#include "kernels/lane_groups.hpp"

namespace ropewalk {
namespace {

// 0 for subnormal values; NaN stays NaN.
Lanes flush_subnormal(Lanes x) {
  const Lanes smallest(std::numeric_limits<float>::min());
  return xsimd::select(xsimd::abs(x) < smallest, Lanes(0.0f), x);
}

}  // namespace

void adamw_update(std::span<float> values, std::span<const float> gradients,
                  std::span<float> first_moment, std::span<float> second_moment,
                  const AdamWFactors& factors) {
  assert(gradients.size() == values.size());
  assert(first_moment.size() == values.size() && second_moment.size() == values.size());
  const Lanes gradient_scale(factors.gradient_scale), root_scale(factors.root_scale);
  const Lanes keep_first(factors.keep_first), take_first(factors.take_first);
  const Lanes keep_second(factors.keep_second), take_second(factors.take_second);
  const Lanes epsilon(factors.epsilon), step_size(factors.step_size), decay(factors.decay);
  for_lane_groups(values.size(), [&](auto group, std::size_t i) {
    const Lanes g = group.load(&gradients[i]) * gradient_scale;
    const Lanes m =
        flush_subnormal(multiply_add(keep_first, group.load(&first_moment[i]), take_first * g));
    const Lanes v = flush_subnormal(
        multiply_add(keep_second, group.load(&second_moment[i]), take_second * g * g));
    const Lanes p = group.load(&values[i]);
    // Both terms are small beside p: adding their sum rounds p once.
    const Lanes update = step_size * m / multiply_add(root_scale, xsimd::sqrt(v), epsilon);
    group.store(&first_moment[i], m);
    group.store(&second_moment[i], v);
    group.store(&values[i], p - multiply_add(decay, p, update));
  });
}

}  // namespace ropewalk
