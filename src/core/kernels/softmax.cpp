#include "kernels/softmax.hpp"

#include <cassert>

#include "kernels/exp.hpp"
#include "kernels/lane_groups.hpp"

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
  // weight = exp(score - log_sum_exp)
  for_lane_groups(scores.size(), [&](auto group, std::size_t i) {
    const Lanes weight = exp(group.load(&scores[i]) - Lanes(log_sum_exp)), zero(0.0f);
    const Lanes d_score = weight * (group.load(&d_weights[i]) - Lanes(delta));
    group.store(&scores[i], weight);
    group.store(&d_weights[i], xsimd::select(weight == zero, zero, d_score));
  });
}

float softmax_step(SoftmaxState& state, std::span<float> scores) {
  float factor;
  softmax_steps({&state, 1}, {scores.data(), 1, scores.size()}, {&factor, 1});
  return factor;
}

}  // namespace ropewalk
