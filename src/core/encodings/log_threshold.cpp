#include "encodings/log_threshold.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>
#include <vector>

#include "base/elementary.hpp"

namespace ropewalk {
namespace {

// A product of 32-bit whole numbers, as large as it gets; least significant limb first.
class Product {
 public:
  Product& times(std::int64_t factor, std::int64_t power) {
    for (std::int64_t i = 0; i < power; ++i) multiply(static_cast<std::uint64_t>(factor));
    return *this;
  }

  std::strong_ordering operator<=>(const Product& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() <=> other.limbs_.size();
    return std::lexicographical_compare_three_way(limbs_.rbegin(), limbs_.rend(),
                                                  other.limbs_.rbegin(), other.limbs_.rend());
  }

 private:
  void multiply(std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += limb * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry > 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }

  std::vector<std::uint32_t> limbs_{1};
};

// Of a product, so that it takes milliseconds. No value is whole beyond: over start, in lowest terms,
// its numerator would be the up-th power of a whole number of at least 2, but is below 2^53.
constexpr std::int64_t most_powers = 8192;

}  // namespace

double log_ratio(std::int64_t start, std::int64_t end) {
  return logarithm_of_1_plus(static_cast<double>(end - start) / static_cast<double>(start));
}

std::int64_t log_threshold(std::int64_t start, std::int64_t end, std::int64_t step,
                           std::int64_t steps, Edge edge) {
  const double value =
      static_cast<double>(start) *
      exponential(log_ratio(start, end) * static_cast<double>(step) / static_cast<double>(steps));
  const double nearest = std::round(value);
  const std::int64_t common = std::gcd(step, steps);
  const std::int64_t up = step / common, root = steps / common;
  const bool is_clear = std::abs(value - nearest) > 1e-12 * value;
  if (is_clear || up > most_powers) return static_cast<std::int64_t>(std::ceil(value));

  // nearest <=> value, both raised to the power of `steps` in lowest terms and cleared of
  // fractions.
  Product left, right;
  left.times(static_cast<std::int64_t>(nearest), root)
      .times(start, std::max<std::int64_t>(up - root, 0));
  right.times(end, up).times(start, std::max<std::int64_t>(root - up, 0));
  const auto order = left <=> right;
  const bool reached = edge == Edge::at_least ? order >= 0 : order > 0;
  return static_cast<std::int64_t>(nearest) + (reached ? 0 : 1);
}

}  // namespace ropewalk
