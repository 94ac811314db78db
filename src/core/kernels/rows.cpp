#include "kernels/rows.hpp"

#include <iterator>
#include <limits>

#include "kernels/exp.hpp"
#include "kernels/lane_groups.hpp"

namespace ropewalk {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// cap tanh(score / cap). tanh is z P(z^2) / Q(z^2), fitted for relative error 2.1e-8 on
// [-9.02, 9.02]; beyond, it is 1. The factor cap stands in P.
class Softcap {
 public:
  explicit Softcap(float cap) : inverse_(1.0f / cap) {
    for (Lanes& coefficient : p_) coefficient *= Lanes(cap);
  }

  Lanes operator()(Lanes score) const {
    const Lanes x = min_propagate_nan(max_propagate_nan(score * inverse_, -limit_), limit_);
    const Lanes u = x * x;
    Lanes p = p_[0], q = q_[0];
    for (std::size_t i = 1; i < 5; ++i) {
      p = multiply_add(p, u, p_[i]);
      q = multiply_add(q, u, q_[i]);
    }
    return x * p / q;
  }

 private:
  static constexpr float limit = 9.02f;
  static constexpr float p[] = {1.33197677e-8f, 2.05840188e-5f, 3.49406872e-3f, 0.133797472f,
                                0.999999979f};
  static constexpr float q[] = {7.76231472e-7f, 3.28314767e-4f, 2.58712047e-2f, 0.467130624f, 1.0f};
  Lanes inverse_, limit_ = broadcast_opaque(limit);
  Lanes p_[5] = {broadcast_opaque(p[0]), broadcast_opaque(p[1]), broadcast_opaque(p[2]),
                 broadcast_opaque(p[3]), broadcast_opaque(p[4])};
  Lanes q_[5] = {broadcast_opaque(q[0]), broadcast_opaque(q[1]), broadcast_opaque(q[2]),
                 broadcast_opaque(q[3]), broadcast_opaque(q[4])};
};

// What is smaller counts as 0: products of two such numbers would be below the normal numbers, with
// which processors are a hundred times slower.
constexpr float negligible = 1e-18f, lowest_exponent = -41.4f;

// a - b in double, as floats.
Lanes differences(WholeGroup, const double* a, const double* b) {
  constexpr std::size_t half = DoubleLanes::size;
  return narrowed(load(a) - load(b), load(a + half) - load(b + half));
}
Lanes differences(PartialGroup group, const double* a, const double* b) {
  float values[Lanes::size] = {};
  for (std::size_t i = 0; i < group.count; ++i) values[i] = static_cast<float>(a[i] - b[i]);
  return load(values);
}

}  // namespace

void softcap(std::span<float> scores, float cap) {
  const Softcap capped(cap);
  for_lane_groups(scores.size(), [&](auto group, std::size_t i) {
    group.store(&scores[i], capped(group.load(&scores[i])));
  });
}

void add(std::span<float> row, std::span<const float> terms) {
  assert(row.size() == terms.size());
  for_lanes(row.size(), [&](auto group, std::size_t i) {
    group.store(&row[i], group.load(&row[i]) + group.load(&terms[i]));
  });
}

void multiply(std::span<float> y, std::span<const float> a, std::span<const float> b) {
  assert(a.size() == y.size() && b.size() == y.size());
  for_lanes(y.size(), [&](auto group, std::size_t i) {
    group.store(&y[i], group.load(&a[i]) * group.load(&b[i]));
  });
}

void add_scaled(float* row, const float* terms, std::size_t count, float factor) {
  for_lanes(count, [&](auto group, std::size_t i) {
    group.store(&row[i], multiply_add(Lanes(factor), group.load(&terms[i]), group.load(&row[i])));
  });
}

void scale(float* row, std::size_t count, float factor) {
  for_lanes(count, [&](auto group, std::size_t i) {
    group.store(&row[i], group.load(&row[i]) * Lanes(factor));
  });
}

void add_differences(std::span<float> scores, FloatPair sum, std::span<const float> heads,
                     std::span<const float> tails) {
  assert(scores.size() == heads.size() && scores.size() == tails.size());
  const Lanes head(sum.head), tail(sum.tail);
  for_lanes(scores.size(), [&](auto group, std::size_t i) {
    const Lanes difference = (head - group.load(&heads[i])) + (tail - group.load(&tails[i]));
    group.store(&scores[i], group.load(&scores[i]) + difference);
  });
}

void subtract_slopes(std::span<float> scores, float first_distance, float slope,
                     std::span<const float> gates) {
  assert(gates.empty() || gates.size() == scores.size());
  static constexpr float steps[] = {0.0f,  -1.0f, -2.0f,  -3.0f,  -4.0f,  -5.0f,  -6.0f,  -7.0f,
                                    -8.0f, -9.0f, -10.0f, -11.0f, -12.0f, -13.0f, -14.0f, -15.0f};
  static_assert(Lanes::size <= std::size(steps));
  const Lanes of_lanes = load(steps) + Lanes(first_distance);
  for_lanes(scores.size(), [&](auto group, std::size_t i) {
    const Lanes distance = of_lanes - Lanes(static_cast<float>(i));
    const Lanes all = gates.empty() ? Lanes(slope) : Lanes(slope) + group.load(&gates[i]);
    group.store(&scores[i], group.load(&scores[i]) - distance * all);
  });
}

void decayed(std::span<float> result, std::span<const float> x, std::span<const double> a,
             std::span<const double> b) {
  assert(result.size() == x.size() && a.size() == x.size() && b.size() == x.size());
  const ExpOfNonPositive exp;
  const Lanes lowest(lowest_exponent), zero(0.0f);
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes exponent = differences(group, &a[i], &b[i]);
    const Lanes factor = xsimd::select(exponent < lowest, zero, exp(exponent));
    group.store(&result[i], group.load(&x[i]) * factor);
  });
}

void decay_further(std::span<float> x, std::span<const float> factors) {
  assert(x.size() == factors.size());
  const Lanes least(negligible), zero(0.0f);
  for_lanes(x.size(), [&](auto group, std::size_t i) {
    const Lanes product = group.load(&x[i]) * group.load(&factors[i]);
    group.store(&x[i], xsimd::select(xsimd::abs(product) < least, zero, product));
  });
}

void add_bias(float* scores, const float* bias, std::size_t count) {
  const Lanes hidden(minus_infinity);
  for_lanes(count, [&](auto group, std::size_t i) {
    const Lanes b = group.load(&bias[i]);
    group.store(&scores[i], xsimd::select(b == hidden, hidden, group.load(&scores[i]) + b));
  });
}

void hide(std::span<float> scores, std::span<const std::uint8_t> mask, bool true_attends) {
  assert(scores.size() == mask.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = (mask[i] != 0) == true_attends ? scores[i] : minus_infinity;
  }
}

}  // namespace ropewalk
