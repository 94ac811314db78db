#include "kernels/sigmoid.hpp"

#include <cassert>

#include "kernels/exp.hpp"

namespace ropewalk {

void sigmoid(std::span<float> to, std::span<const float> x) {
  assert(to.size() == x.size());
  const ExpOfNonPositive exp;
  const Lanes zero(0.0f), one(1.0f);
  const auto of = [&](Lanes value) {
    const Lanes power = exp(zero - xsimd::abs(value));
    return xsimd::select(value < zero, power, one) / (one + power);
  };
  for_lanes(
      x.size(), [&](std::size_t i) { store(&to[i], of(load(&x[i]))); },
      [&](std::size_t i) { to[i] = of(Lanes(x[i])).get(0); });
}

}  // namespace ropewalk
