#include "input/position_ids.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/require.hpp"

namespace ropewalk {

std::vector<double> randomized_positions(std::size_t length, std::uint64_t range,
                                         std::uint64_t seed) {
  require(length <= range, "randomized_positions: range must be at least ", length, ", got ",
          range);
  // Floyd's algorithm: all sets of `length` numbers are equally likely.
  Random random(seed);
  std::vector<double> positions;
  positions.reserve(length);
  for (std::uint64_t last = range - length; last < range; ++last) {
    const auto drawn = static_cast<double>(random.bits() % (last + 1));
    const auto at = std::ranges::lower_bound(positions, drawn);
    if (at != positions.end() && *at == drawn) {
      positions.push_back(static_cast<double>(last));
    } else {
      positions.insert(at, drawn);
    }
  }
  return positions;
}

void randomized_alibi(std::span<float> bias, std::span<const double> slopes,
                      std::span<const double> later, std::span<const double> earlier) {
  require(later.size() == earlier.size(), "randomized_alibi: both lists must have ", later.size(),
          " numbers, got ", earlier.size());
  const std::size_t length = later.size() + 1;
  float* to = bias.data();
  for (const double slope : slopes) {
    for (std::size_t m = 0; m < length; ++m) {
      for (std::size_t n = 0; n < length; ++n) {
        double distance = 0.0;
        if (n > m) distance = -later[n - m - 1];
        if (n < m) distance = 0.5 - earlier[m - n - 1];
        *to++ = static_cast<float>(slope * distance);
      }
    }
  }
}

void abacus_positions(std::span<double> positions, std::span<const double> tokens,
                      std::span<const double> digits, std::size_t length, double offset) {
  double digit = 0.0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i % length == 0) digit = 0.0;
    const bool is_digit = std::ranges::find(digits, tokens[i]) != digits.end();
    digit = is_digit ? digit + 1.0 : 0.0;
    positions[i] = is_digit ? digit + offset : 0.0;
  }
}

std::vector<double> coupled_positions(const CoupledSum& task) {
  std::vector<double> ids{0.0};
  if (task.counts_up) {
    const std::size_t tokens = task.first + task.second + task.sum + 2;
    for (std::size_t i = 0; i < tokens; ++i) ids.push_back(task.start + static_cast<double>(i));
    return ids;
  }
  const auto add_digits = [&](std::size_t count, bool is_reversed) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t significance = is_reversed ? i : count - 1 - i;
      ids.push_back(task.start + 1.0 + static_cast<double>(significance));
    }
  };
  add_digits(task.first, task.reverses_operands);
  ids.push_back(task.start);
  add_digits(task.second, task.reverses_operands);
  ids.push_back(task.reverses_sum ? task.start : task.start + 1.0 + static_cast<double>(task.sum));
  add_digits(task.sum, task.reverses_sum);
  return ids;
}

}  // namespace ropewalk
