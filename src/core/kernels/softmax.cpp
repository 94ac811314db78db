#include "kernels/softmax.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// NaN is passed over here: it comes back as exp(NaN) in the sum.
float largest(std::span<const float> values, float at_least) {
  Lanes best(at_least);
  float rest = at_least;
  for_lanes(
      values.size(), [&](std::size_t i) { best = xsimd::max(load(&values[i]), best); },
      [&](std::size_t i) { rest = values[i] > rest ? values[i] : rest; });
  float lanes[Lanes::size];
  store(lanes, best);
  for (const float lane : lanes) rest = lane > rest ? lane : rest;
  return rest;
}

}  // namespace

float softmax_step(SoftmaxState& state, std::span<float> scores) {
  const float maximum = largest(scores, state.maximum);
  // A row with nothing but -infinity so far: subtract 0, since -infinity - -infinity is NaN.
  const float shift = maximum == minus_infinity ? 0.0f : maximum;
  Lanes sum(0.0f);
  float rest = 0.0f;
  for_lanes(
      scores.size(),
      [&](std::size_t i) {
        const Lanes e = xsimd::exp(load(&scores[i]) - Lanes(shift));
        store(&scores[i], e);
        sum += e;
      },
      [&](std::size_t i) { rest += scores[i] = std::exp(scores[i] - shift); });
  const float factor = std::exp(state.maximum - shift);
  state.sum = state.sum * factor + (xsimd::reduce_add(sum) + rest);
  state.maximum = maximum;
  return factor;
}

void add(std::span<float> to, std::span<const float> terms) {
  assert(to.size() == terms.size());
  for_lanes(
      to.size(), [&](std::size_t i) { store(&to[i], load(&to[i]) + load(&terms[i])); },
      [&](std::size_t i) { to[i] += terms[i]; });
}

void add_scaled(std::span<float> to, std::span<const float> terms, float factor) {
  assert(to.size() == terms.size());
  for_lanes(
      to.size(),
      [&](std::size_t i) { store(&to[i], multiply_add(Lanes(factor), load(&terms[i]), load(&to[i]))); },
      [&](std::size_t i) { to[i] += factor * terms[i]; });
}

void scale(std::span<float> row, float factor) {
  for_lanes(
      row.size(), [&](std::size_t i) { store(&row[i], load(&row[i]) * Lanes(factor)); },
      [&](std::size_t i) { row[i] *= factor; });
}

bool all_finite(std::span<const float> values) {
  Lanes sum(0.0f);  // 0 * x is 0 for every finite x and NaN for the others
  float rest = 0.0f;
  for_lanes(
      values.size(), [&](std::size_t i) { sum += load(&values[i]) * Lanes(0.0f); },
      [&](std::size_t i) { rest += values[i] * 0.0f; });
  return xsimd::reduce_add(sum) + rest == 0.0f;
}

}  // namespace ropewalk
