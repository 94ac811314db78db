#include "kernels/activations.hpp"

#include <cassert>

#include "kernels/exp.hpp"
#include "kernels/lane_groups.hpp"

namespace ropewalk {
namespace {

// sigmoid(2u) and its derivative's factors for one group of x.
class Gate {
 public:
  struct Values {
    Lanes exp, inverse;  // exp(-|2u|), 1 / (1 + exp(-|2u|))
    Lanes sigmoid;
    Lanes x_squared;
  };

  Values operator()(Lanes x) const {
    // Beyond |x| = 16 the sigmoid is 0 or 1 and 2u may grow linearly: finite x give no infinity.
    const Lanes x_squared = min_propagate_nan(x * x, largest_square_);
    const Lanes argument = x * multiply_add(x_squared, cubic_, linear_);
    const Lanes e = exp_(-xsimd::abs(argument)), inverse = one_ / (one_ + e);
    const Lanes sigmoid = xsimd::select(argument < Lanes(0.0f), e, one_) * inverse;
    return {e, inverse, sigmoid, x_squared};
  }

  Lanes derivative(Lanes x) const {
    const Values gate = (*this)(x);
    const Lanes slope = gate.exp * gate.inverse * gate.inverse;  // s (1 - s)
    const Lanes inner = multiply_add(gate.x_squared, three_cubic_, linear_);
    return multiply_add(x * slope, inner, gate.sigmoid);
  }

 private:
  // 2u = linear x + cubic x^3
  static constexpr float linear = 1.5957691216057308, cubic = 0.07135481627286025;
  static constexpr float one = 1.0f, three_cubic = 3.0 * 0.07135481627286025,
                         largest_square = 256.0f;
  ExpOfNonPositive exp_;
  Lanes linear_ = broadcast_opaque(linear), cubic_ = broadcast_opaque(cubic),
        three_cubic_ = broadcast_opaque(three_cubic), one_ = broadcast_opaque(one),
        largest_square_ = broadcast_opaque(largest_square);
};

}  // namespace

void sigmoid(std::span<float> y, std::span<const float> x) {
  assert(y.size() == x.size());
  const ExpOfNonPositive exp;
  const Lanes zero(0.0f), one(1.0f);
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes value = group.load(&x[i]), power = exp(zero - xsimd::abs(value));
    group.store(&y[i], xsimd::select(value < zero, power, one) / (one + power));
  });
}

void gelu(std::span<float> y, std::span<const float> x) {
  assert(y.size() == x.size());
  const Gate gate;
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes values = group.load(&x[i]);
    group.store(&y[i], values * gate(values).sigmoid);
  });
}

void gelu_backward(std::span<float> d_x, std::span<const float> d_y, std::span<const float> x) {
  assert(d_x.size() == x.size() && d_y.size() == x.size());
  const Gate gate;
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes upstream = group.load(&d_y[i]);
    group.store(&d_x[i], upstream * gate.derivative(group.load(&x[i])));
  });
}

}  // namespace ropewalk
