#include "kernels/activations.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <numbers>

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

class Sigmoid {
 public:
  Lanes operator()(Lanes x) const {
    const Lanes power = exp_(zero_ - xsimd::abs(x));
    return xsimd::select(x < zero_, power, one_) / (one_ + power);
  }

 private:
  ExpOfNonPositive exp_;
  Lanes zero_ = Lanes(0.0f), one_ = Lanes(1.0f);
};

// softplus(x) = max(x, 0) + ln(1 + e), e = exp(-|x|), and ln(1 + e) = 2 artanh(s), s = e / (2 + e),
// which is at most 1/3: eight terms of its series leave less than 3e-9 of it.
class Softplus {
 public:
  Lanes operator()(Lanes x) const {
    const Lanes e = exp_(zero_ - xsimd::abs(x)), s = e / (e + two_), s2 = s * s;
    Lanes series(2.0f / 15.0f);
    for (const float odd : {13.0f, 11.0f, 9.0f, 7.0f, 5.0f, 3.0f, 1.0f})
      series = multiply_add(series, s2, Lanes(2.0f / odd));
    return multiply_add(series, s, max_propagate_nan(x, zero_));
  }

 private:
  ExpOfNonPositive exp_;
  Lanes zero_ = Lanes(0.0f), two_ = Lanes(2.0f);
};

// The normal distribution function at x: 1 - erfc(x / sqrt 2) / 2 for x >= 0, and its complement.
// erfc(z) = t (a1 + t (a2 + ...)) exp(-z^2), t = 1 / (1 + p z), within 1.5e-7 (Abramowitz and
// Stegun 1964, 7.1.26).
class NormalDistribution {
 public:
  Lanes operator()(Lanes x) const {
    // Beyond |x| = 16 it is 0 or 1: finite x give no infinity.
    const Lanes z = min_propagate_nan(xsimd::abs(x), Lanes(16.0f)) * Lanes(0.7071067811865475f);
    const Lanes t = one_ / multiply_add(z, Lanes(0.3275911f), one_);
    Lanes sum(1.061405429f);
    for (const float term : {-1.453152027f, 1.421413741f, -0.284496736f, 0.254829592f})
      sum = multiply_add(sum, t, Lanes(term));
    const Lanes tail = Lanes(0.5f) * sum * t * exp_(zero_ - z * z);
    return xsimd::select(x < zero_, tail, one_ - tail);
  }

 private:
  ExpOfNonPositive exp_;
  Lanes zero_ = Lanes(0.0f), one_ = Lanes(1.0f);
};

template <std::size_t count>
DoubleLanes polynomial(DoubleLanes x, const std::array<double, count>& terms) {
  DoubleLanes sum(terms.back());
  for (std::size_t i = count - 1; i-- > 0;) sum = sum * x + DoubleLanes(terms[i]);
  return sum;
}

// 1/2!, 1/3!, ...: what 1 + x leave of exp(x), to 2^-54 for |x| <= ln(2) / 2.
constexpr auto exp_terms = [] {
  std::array<double, 12> terms;
  double factorial = 1.0;
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = 1.0 / (factorial *= double(i) + 2.0);
  return terms;
}();

// 1/3, 1/5, ...: what s leaves of artanh(s), to 2^-55 of it for |s| <= 3 - 2 sqrt 2.
constexpr auto artanh_terms = [] {
  std::array<double, 9> terms;
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = 1.0 / (2.0 * double(i) + 3.0);
  return terms;
}();

// ln sigmoid(x) = min(x, 0) - ln(1 + e), e = exp(-|x|). Beyond sqrt 2, 1 + e is halved.
DoubleLanes log_sigmoid_of(DoubleLanes x) {
  // Adding 1.5 * 2^52 + 1023 leaves n + 1023 in the low bits, which shifted are the bits of 2^n.
  constexpr double magic = 0x1.8p52 + 1023.0, ln_2 = std::numbers::ln2,
                   ln_2_head = 0x1.62e42fefa38p-1, ln_2_rest = 0x1.ef35793c7673p-45;
  const DoubleLanes zero(0.0), one(1.0), lowest(-300.0), rounder(magic);
  const DoubleLanes negative = zero - xsimd::abs(x);
  const DoubleLanes exponent = xsimd::select(negative < lowest, lowest, negative);
  const DoubleLanes shifted = exponent * DoubleLanes(1.0 / ln_2) + rounder, n = shifted - rounder;
  const DoubleLanes r = (exponent - n * DoubleLanes(ln_2_head)) - n * DoubleLanes(ln_2_rest);
  const DoubleLanes power =
      xsimd::bitwise_cast<double>(xsimd::bitwise_cast<std::int64_t>(shifted) << 52);
  const DoubleLanes e = (one + (r + r * r * polynomial(r, exp_terms))) * power;

  const auto is_large = e > DoubleLanes(std::numbers::sqrt2 - 1.0);
  const DoubleLanes s = xsimd::select(is_large, e - one, e) /
                        (e + xsimd::select(is_large, DoubleLanes(3.0), DoubleLanes(2.0)));
  const DoubleLanes z = s * s, artanh = s + s * z * polynomial(z, artanh_terms);
  const DoubleLanes logarithm =
      xsimd::select(is_large, DoubleLanes(ln_2), zero) + (artanh + artanh);
  return xsimd::select(x < zero, x, zero) - logarithm;
}

}  // namespace

void sigmoid(std::span<float> y, std::span<const float> x) {
  assert(y.size() == x.size());
  const Sigmoid of;
  for_lane_groups(x.size(),
                  [&](auto group, std::size_t i) { group.store(&y[i], of(group.load(&x[i]))); });
}

void silu(std::span<float> y, std::span<const float> x) {
  assert(y.size() == x.size());
  const Sigmoid of;
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes values = group.load(&x[i]);
    group.store(&y[i], values * of(values));
  });
}

void silu_backward(std::span<float> d_x, std::span<const float> d_y, std::span<const float> x) {
  assert(d_x.size() == x.size() && d_y.size() == x.size());
  const Sigmoid of;
  const Lanes one(1.0f);
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    // y = x sigmoid(x)
    const Lanes values = group.load(&x[i]), s = of(values);
    group.store(&d_x[i], group.load(&d_y[i]) * s * (one + values * (one - s)));
  });
}

void softplus(std::span<float> y, std::span<const float> x) {
  assert(y.size() == x.size());
  const Softplus of;
  for_lane_groups(x.size(),
                  [&](auto group, std::size_t i) { group.store(&y[i], of(group.load(&x[i]))); });
}

void log_sigmoid(std::span<double> y, std::span<const float> x, double sign) {
  assert(y.size() == x.size());
  constexpr std::size_t width = DoubleLanes::size;
  if (x.size() < width) {
    float padded[width] = {};
    double results[width];
    std::ranges::copy(x, padded);
    log_sigmoid(results, padded, sign);
    std::copy_n(results, y.size(), y.begin());
    return;
  }
  // The last lanes overlap those before them where the count is not a multiple.
  for (std::size_t i = 0; i < x.size(); i += width) {
    const std::size_t at = std::min(i, x.size() - width);
    log_sigmoid_of(load_widened(&x[at]) * DoubleLanes(sign)).store_unaligned(&y[at]);
  }
}

void gelu(std::span<float> y, std::span<const float> x) {
  assert(y.size() == x.size());
  const Gate gate;
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes values = group.load(&x[i]);
    group.store(&y[i], values * gate(values).sigmoid);
  });
}

void gelu_exact(std::span<float> y, std::span<const float> x) {
  assert(y.size() == x.size());
  const NormalDistribution of;
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes values = group.load(&x[i]);
    group.store(&y[i], values * of(values));
  });
}

void gelu_backward(std::span<float> d_x, std::span<const float> d_y, std::span<const float> x) {
  assert(d_x.size() == x.size() && d_y.size() == x.size());
  const Gate gate;
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    // y = x sigmoid(2u)
    const Lanes upstream = group.load(&d_y[i]);
    group.store(&d_x[i], upstream * gate.derivative(group.load(&x[i])));
  });
}

}  // namespace ropewalk
