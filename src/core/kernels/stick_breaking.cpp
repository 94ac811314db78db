#include "kernels/stick_breaking.hpp"

#include <algorithm>
#include <vector>

#include "kernels/exp.hpp"
#include "kernels/lane_groups.hpp"

namespace ropewalk {
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
  for_lane_groups(scores.size(), [&](auto lanes, std::size_t i) {
    const Lanes z = lanes.load(&scores[i]);
    const Lanes power = exp(zero - xsimd::abs(z)), large = one / (one + power);
    const Lanes small = power * large;
    lanes.store(taken + i, xsimd::select(z < zero, small, large));
    lanes.store(left + i, xsimd::select(z < zero, large, small));
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
  // weight_j = taken_j, times left_i of all later keys i
  double earlier = 0.0;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const double share = double(scores[j]) * double(d_weights[j]);
    d_weights[j] = static_cast<float>(share * double(left[j]) - double(taken[j]) * earlier);
    earlier += share;
  }
}

}  // namespace ropewalk
