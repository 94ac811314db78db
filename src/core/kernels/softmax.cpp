#include "kernels/softmax.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

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
                     std::span<const float> tails, float sign) {
  assert(scores.size() == heads.size() && scores.size() == tails.size());
  const Lanes head(own.head), tail(own.tail), signs(sign);
  const auto sum = [&](Lanes score, Lanes of_head, Lanes of_tail) {
    return multiply_add(signs, (head - of_head) + (tail - of_tail), score);
  };
  for_lanes(
      scores.size(),
      [&](std::size_t i) {
        store(&scores[i], sum(load(&scores[i]), load(&heads[i]), load(&tails[i])));
      },
      [&](std::size_t i) {
        scores[i] = sum(Lanes(scores[i]), Lanes(heads[i]), Lanes(tails[i])).get(0);
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
