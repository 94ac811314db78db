#include "input/position_ids.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/require.hpp"

namespace ropewalk {

std::vector<double> randomized_positions(std::size_t length, std::uint64_t range,
                                         std::uint64_t seed) {
  require(length <= range, "randomized_positions: range must be at least ", length, ", got ",
          range);
  // Floyd's sampling: each set of so many numbers is equally likely.
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
        double at = 0.0;
        if (n > m) at = -later[n - m - 1];
        if (n < m) at = 0.5 - earlier[m - n - 1];
        *to++ = static_cast<float>(slope * at);
      }
    }
  }
}

void abacus_positions(std::span<double> positions, std::span<const double> tokens,
                      std::span<const double> digits, std::size_t length, double offset) {
  double place = 0.0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i % length == 0) place = 0.0;
    const bool is_digit = std::ranges::find(digits, tokens[i]) != digits.end();
    place = is_digit ? place + 1.0 : 0.0;
    positions[i] = is_digit ? place + offset : 0.0;
  }
}

std::vector<double> coupled_positions(const CoupledSum& of) {
  std::vector<double> ids{0.0};
  if (of.counts_up) {
    const std::size_t tokens = of.first + of.second + of.sum + 2;
    for (std::size_t i = 0; i < tokens; ++i) ids.push_back(of.start + static_cast<double>(i));
    return ids;
  }
  const auto add_digits = [&](std::size_t count, bool is_reversed) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t significance = is_reversed ? i : count - 1 - i;
      ids.push_back(of.start + 1.0 + static_cast<double>(significance));
    }
  };
  add_digits(of.first, of.reverses_operands);
  ids.push_back(of.start);
  add_digits(of.second, of.reverses_operands);
  ids.push_back(of.reverses_sum ? of.start : of.start + 1.0 + static_cast<double>(of.sum));
  add_digits(of.sum, of.reverses_sum);
  return ids;
}

}  // namespace ropewalk
