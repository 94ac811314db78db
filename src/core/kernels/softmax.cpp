#include "kernels/softmax.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <vector>

#include "kernels/exp.hpp"
#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// Ignores NaN, which comes back as exp(NaN) in the sum. Without branches: data-dependent branches
// would be mispredicted.
float largest(std::span<const float> values, float bound) {
  constexpr std::size_t stride = 4 * Lanes::size;
  Lanes best[4] = {Lanes(bound), Lanes(bound), Lanes(bound), Lanes(bound)};
  std::size_t i = 0;
  for (; i + stride <= values.size(); i += stride) {
    for (std::size_t j = 0; j < 4; ++j)
      best[j] = max_ignore_nan(best[j], load(&values[i + j * Lanes::size]));
  }
  for (; i < values.size(); ++i) best[0] = max_ignore_nan(best[0], Lanes(values[i]));
  return xsimd::reduce_max(
      max_ignore_nan(max_ignore_nan(best[0], best[1]), max_ignore_nan(best[2], best[3])));
}

float step(SoftmaxState& state, std::span<float> scores, const ExpOfNonPositive& exp) {
  const float maximum = largest(scores, state.maximum);
  // A row with nothing but -infinity so far: subtract 0, since -infinity - -infinity is NaN.
  const float shift = maximum == minus_infinity ? 0.0f : maximum;
  Lanes sum(0.0f);
  const std::size_t body = scores.size() - scores.size() % Lanes::size;
  for (std::size_t i = 0; i < body; i += Lanes::size) {
    store(&scores[i], exp.exponent(load(&scores[i]) - Lanes(shift)));
  }
  for (std::size_t i = 0; i < body; i += Lanes::size) {
    const Lanes e = exp.power_of_two(load(&scores[i]));
    store(&scores[i], e);
    sum += e;
  }
  if (body < scores.size()) {  // the rest runs through the same lanes, filled up with exp = 0
    float rest[Lanes::size];
    for (std::size_t i = 0; i < Lanes::size; ++i) {
      rest[i] = body + i < scores.size() ? scores[body + i] : minus_infinity;
    }
    const Lanes e = exp(load(rest) - Lanes(shift));
    store(rest, e);
    for (std::size_t i = 0; body + i < scores.size(); ++i) scores[body + i] = rest[i];
    sum += e;
  }
  const bool stays = state.maximum == maximum || state.sum == 0.0f;
  const float factor = stays ? 1.0f : exp(Lanes(state.maximum - shift)).get(0);
  state.sum = state.sum * factor + xsimd::reduce_add(sum);
  state.maximum = maximum;
  return factor;
}

}  // namespace

void softmax_steps(std::span<SoftmaxState> states, MatrixView rows, std::span<float> factors) {
  assert(states.size() == rows.rows && factors.size() == rows.rows);
  const ExpOfNonPositive exp;
  for (std::size_t r = 0; r < rows.rows; ++r) factors[r] = step(states[r], rows.row(r), exp);
}

void softmax_backward(std::span<float> scores, std::span<float> d_weights, float log_sum_exp,
                      float delta) {
  assert(scores.size() == d_weights.size());
  const ExpOfNonPositive exp;
  const auto step = [&](Lanes score, Lanes d_weight, float* weight_to, float* d_score_to) {
    const Lanes weight = exp(score - Lanes(log_sum_exp)), zero(0.0f);
    store(weight_to, weight);
    store(d_score_to, xsimd::select(weight == zero, zero, weight * (d_weight - Lanes(delta))));
  };
  const std::size_t body = scores.size() - scores.size() % Lanes::size, rest = scores.size() - body;
  for (std::size_t i = 0; i < body; i += Lanes::size) {
    step(load(&scores[i]), load(&d_weights[i]), &scores[i], &d_weights[i]);
  }
  if (rest == 0) return;
  float last[2][Lanes::size] = {};
  std::copy_n(&scores[body], rest, last[0]);
  std::copy_n(&d_weights[body], rest, last[1]);
  step(load(last[0]), load(last[1]), last[0], last[1]);
  std::copy_n(last[0], rest, &scores[body]);
  std::copy_n(last[1], rest, &d_weights[body]);
}

float softmax_step(SoftmaxState& state, std::span<float> scores) {
  float factor;
  softmax_steps({&state, 1}, {scores.data(), 1, scores.size()}, {&factor, 1});
  return factor;
}

namespace {

constexpr std::size_t group = 64;

// Less than this is left of a stick: it counts as nothing. Numbers below the normal ones, with
// which processors are a hundred times slower, then hardly occur.
constexpr float negligible_rest = 1e-20f;

// taken[i] = sigmoid(scores[i]), left[i] = 1 - sigmoid(scores[i]) without cancellation; both of at
// most `group` numbers, in arrays with room for them. `taken` may be where the scores are.
void break_sticks(float* taken, float* left, std::span<const float> scores,
                  const ExpOfNonPositive& exp) {
  const Lanes zero(0.0f), one(1.0f);
  const auto step = [&](Lanes z, Lanes& of_taken, Lanes& of_left) {
    const Lanes power = exp(zero - xsimd::abs(z)), large = one / (one + power);
    const Lanes small = power * large;
    of_taken = xsimd::select(z < zero, small, large);
    of_left = xsimd::select(z < zero, large, small);
  };
  for_lanes(
      scores.size(),
      [&](std::size_t i) {
        Lanes of_taken, of_left;
        step(load(&scores[i]), of_taken, of_left);
        store(taken + i, of_taken);
        store(left + i, of_left);
      },
      [&](std::size_t i) {
        Lanes of_taken, of_left;
        step(Lanes(scores[i]), of_taken, of_left);
        taken[i] = of_taken.get(0);
        left[i] = of_left.get(0);
      });
}

// Leaves the weights in place of what each key takes, from the last on, and returns what is left of
// the stick. Four at a time, while the stick lasts: the product that each waits for is then one in
// four.
float break_off(std::span<float> taken, const float* left, float rest) {
  std::size_t i = taken.size();
  for (; i >= 4; i -= 4) {
    float* const t = &taken[i - 4];
    const float* const l = left + i - 4;
    const float last_two = l[2] * l[3], next = rest * (l[0] * l[1] * last_two);
    if (!(next >= negligible_rest)) break;
    t[3] *= rest;
    t[2] *= rest * l[3];
    t[1] *= rest * last_two;
    t[0] *= rest * (l[1] * last_two);
    rest = next;
  }
  for (; i > 0 && !(rest < negligible_rest); --i) {
    taken[i - 1] *= rest;
    rest *= left[i - 1];
  }
  std::ranges::fill(taken.first(i), 0.0f);
  return rest < negligible_rest ? 0.0f : rest;
}

}  // namespace

float stick_breaking_step(std::span<float> scores, float rest) {
  const ExpOfNonPositive exp;
  float left[group];
  for (std::size_t end = scores.size(); end > 0;) {
    if (rest == 0.0f) {
      std::ranges::fill(scores.first(end), 0.0f);
      return 0.0f;
    }
    const std::size_t first = (end - 1) / group * group;
    const std::span<float> taken = scores.subspan(first, end - first);
    break_sticks(taken.data(), left, taken, exp);
    rest = break_off(taken, left, rest);
    end = first;
  }
  return rest;
}

void stick_breaking_backward(std::span<float> scores, std::span<float> d_weights) {
  const ExpOfNonPositive exp;
  std::vector<float> taken(scores.size()), left(scores.size());
  for (std::size_t first = 0; first < scores.size(); first += group) {
    const std::size_t count = std::min(group, scores.size() - first);
    break_sticks(&taken[first], &left[first], scores.subspan(first, count), exp);
  }
  stick_breaking_step(scores, 1.0f);
  double earlier = 0.0;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const double share = double(scores[j]) * double(d_weights[j]);
    d_weights[j] = static_cast<float>(share * double(left[j]) - double(taken[j]) * earlier);
    earlier += share;
  }
}

namespace {

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

}  // namespace

void softcap(std::span<float> scores, float cap) {
  const Softcap capped(cap);
  for_lanes(
      scores.size(), [&](std::size_t i) { store(&scores[i], capped(load(&scores[i]))); },
      [&](std::size_t i) { scores[i] = capped(Lanes(scores[i])).get(0); });
}

void add(std::span<float> to, std::span<const float> terms) {
  assert(to.size() == terms.size());
  for_lanes(
      to.size(), [&](std::size_t i) { store(&to[i], load(&to[i]) + load(&terms[i])); },
      [&](std::size_t i) { to[i] += terms[i]; });
}

void add_differences(std::span<float> scores, FloatPair own, std::span<const float> heads,
                     std::span<const float> tails) {
  assert(scores.size() == heads.size() && scores.size() == tails.size());
  const Lanes head(own.head), tail(own.tail);
  const auto add = [&](std::size_t i) {
    store(&scores[i], load(&scores[i]) + ((head - load(&heads[i])) + (tail - load(&tails[i]))));
  };
  constexpr std::size_t two = 2 * Lanes::size;
  std::size_t i = 0;
  for (; i + two <= scores.size(); i += two) {
    add(i);
    add(i + Lanes::size);
  }
  for (; i < scores.size(); ++i) scores[i] += (own.head - heads[i]) + (own.tail - tails[i]);
}

namespace {

// What is smaller counts as 0: products of two such numbers would be below the normal numbers, with
// which processors are a hundred times slower.
constexpr float negligible = 1e-18f, lowest_exponent = -41.4f;

}  // namespace

void decayed(std::span<float> to, std::span<const float> x, std::span<const double> a,
             std::span<const double> b) {
  assert(to.size() == x.size() && a.size() == x.size() && b.size() == x.size());
  const ExpOfNonPositive exp;
  const Lanes lowest(lowest_exponent), zero(0.0f);
  const auto factor = [&](Lanes exponent) {
    return xsimd::select(exponent < lowest, zero, exp(exponent));
  };
  constexpr std::size_t half = DoubleLanes::size;
  for_lanes(
      x.size(),
      [&](std::size_t i) {
        const Lanes exponent =
            narrowed(load(&a[i]) - load(&b[i]), load(&a[i + half]) - load(&b[i + half]));
        store(&to[i], load(&x[i]) * factor(exponent));
      },
      [&](std::size_t i) { to[i] = x[i] * factor(Lanes(static_cast<float>(a[i] - b[i]))).get(0); });
}

void decay_further(std::span<float> x, std::span<const float> factors) {
  assert(x.size() == factors.size());
  const Lanes least(negligible), zero(0.0f);
  const auto product = [&](Lanes value, Lanes factor) {
    const Lanes decayed = value * factor;
    return xsimd::select(xsimd::abs(decayed) < least, zero, decayed);
  };
  for_lanes(
      x.size(), [&](std::size_t i) { store(&x[i], product(load(&x[i]), load(&factors[i]))); },
      [&](std::size_t i) { x[i] = product(Lanes(x[i]), Lanes(factors[i])).get(0); });
}

void subtract_slopes(std::span<float> scores, float first_distance, float own,
                     std::span<const float> gates) {
  assert(gates.empty() || gates.size() == scores.size());
  static constexpr float steps[] = {0.0f,  -1.0f, -2.0f,  -3.0f,  -4.0f,  -5.0f,  -6.0f,  -7.0f,
                                    -8.0f, -9.0f, -10.0f, -11.0f, -12.0f, -13.0f, -14.0f, -15.0f};
  static_assert(Lanes::size <= std::size(steps));
  const Lanes of_lanes = load(steps) + Lanes(first_distance);
  for_lanes(
      scores.size(),
      [&](std::size_t i) {
        const Lanes distance = of_lanes - Lanes(static_cast<float>(i));
        const Lanes slope = gates.empty() ? Lanes(own) : Lanes(own) + load(&gates[i]);
        store(&scores[i], load(&scores[i]) - distance * slope);
      },
      [&](std::size_t i) {
        const float slope = gates.empty() ? own : own + gates[i];
        scores[i] -= (first_distance - static_cast<float>(i)) * slope;
      });
}

void add_bias(float* scores, const float* bias, std::size_t count) {
  const Lanes hidden(minus_infinity);
  for_lanes(
      count,
      [&](std::size_t i) {
        const Lanes b = load(&bias[i]);
        store(&scores[i], xsimd::select(b == hidden, hidden, load(&scores[i]) + b));
      },
      [&](std::size_t i) {
        scores[i] = bias[i] == minus_infinity ? minus_infinity : scores[i] + bias[i];
      });
}

void hide(std::span<float> scores, std::span<const std::uint8_t> mask, bool true_attends) {
  assert(scores.size() == mask.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = (mask[i] != 0) == true_attends ? scores[i] : minus_infinity;
  }
}

void add_scaled(float* to, const float* terms, std::size_t count, float factor) {
  for_lanes(
      count,
      [&](std::size_t i) {
        store(&to[i], multiply_add(Lanes(factor), load(&terms[i]), load(&to[i])));
      },
      [&](std::size_t i) { to[i] = multiply_add(factor, terms[i], to[i]); });
}

void scale(float* row, std::size_t count, float factor) {
  for_lanes(
      count, [&](std::size_t i) { store(&row[i], load(&row[i]) * Lanes(factor)); },
      [&](std::size_t i) { row[i] *= factor; });
}

}  // namespace ropewalk
