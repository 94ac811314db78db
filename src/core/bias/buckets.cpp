#include "bias/buckets.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>
#include <vector>

#include "base/elementary.hpp"
#include "base/require.hpp"

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

// Largest power in a product, so that it takes milliseconds. No value is whole beyond it: its ratio
// to start, in lowest terms, would have the up-th power of an integer >= 2 as its numerator, but
// that is below 2^53.
constexpr std::int64_t max_powers = 8192;

}  // namespace

double log_ratio(std::int64_t start, std::int64_t end) {
  return portable::log1p(static_cast<double>(end - start) / static_cast<double>(start));
}

std::int64_t log_threshold(std::int64_t start, std::int64_t end, std::int64_t step,
                           std::int64_t steps, Edge edge) {
  const double value =
      static_cast<double>(start) *
      portable::exp(log_ratio(start, end) * static_cast<double>(step) / static_cast<double>(steps));
  const double nearest = std::round(value);
  const std::int64_t common = std::gcd(step, steps);
  const std::int64_t up = step / common, root = steps / common;
  const bool is_clear = std::abs(value - nearest) > 1e-12 * value;
  if (is_clear || up > max_powers) return static_cast<std::int64_t>(std::ceil(value));

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

namespace {

constexpr std::int64_t max_buckets = 4096;  // of a side: more would make the exact edges slow

}  // namespace

T5Buckets::T5Buckets(T5Direction direction, std::int64_t buckets, std::int64_t max_distance)
    : direction_(direction),
      side_(direction == T5Direction::bidirectional ? buckets / 2 : buckets),
      exact_(side_ / 2) {
  const std::int64_t sides = direction == T5Direction::bidirectional ? 2 : 1;
  require(buckets >= 2 * sides && buckets <= max_buckets * sides,
          "t5_buckets: buckets (rows of the table) must be from ", 2 * sides, " to ",
          max_buckets * sides, ", got ", buckets);
  require(max_distance > exact_ && max_distance < (std::int64_t{1} << 32),
          "t5_buckets: max_distance must be more than ", exact_,
          " (the distances with a bucket each) and below 2^32, got ", max_distance);
  const std::int64_t steps = side_ - exact_;
  for (std::int64_t step = 1; step < steps; ++step) {
    begins_.push_back(log_threshold(exact_, max_distance, step, steps, Edge::at_least));
  }
}

std::int32_t T5Buckets::operator()(std::int64_t relative_position) const {
  const bool after = relative_position > 0;
  std::int64_t distance = after ? relative_position : -relative_position;
  std::int64_t bucket = 0;
  if (after) {
    if (direction_ == T5Direction::causal) distance = 0;
    if (direction_ == T5Direction::bidirectional) bucket = side_;
  }
  const auto begun = std::upper_bound(begins_.begin(), begins_.end(), distance) - begins_.begin();
  return static_cast<std::int32_t>(bucket + (distance < exact_ ? distance : exact_ + begun));
}

void t5_bias(MatrixView by_offset, std::int64_t first, ConstMatrixView table,
             const T5Buckets& buckets) {
  require(by_offset.rows == table.cols, "t5_bias: the tables must have the same heads, got ",
          by_offset.rows, " and ", table.cols);
  for (std::size_t c = 0; c < by_offset.cols; ++c) {
    const auto bucket = static_cast<std::size_t>(buckets(first + static_cast<std::int64_t>(c)));
    require(bucket < table.rows, "t5_bias: the table has ", table.rows,
            " rows and none for bucket ", bucket);
    for (std::size_t h = 0; h < by_offset.rows; ++h) by_offset.row(h)[c] = table.row(bucket)[h];
  }
}

void t5_bias_backward(MatrixView d_table, ConstMatrixView d_by_offset, std::int64_t first,
                      const T5Buckets& buckets) {
  // by_offset[h, c] = table[bucket of c, h]
  for (std::size_t c = 0; c < d_by_offset.cols; ++c) {
    const auto bucket = static_cast<std::size_t>(buckets(first + static_cast<std::int64_t>(c)));
    for (std::size_t h = 0; h < d_by_offset.rows; ++h) {
      d_table.row(bucket)[h] += d_by_offset.row(h)[c];
    }
  }
}

void T5Bias::fill(MatrixView by_offset, std::int64_t first, TableHeads heads) const {
  const std::size_t rows = table.size() / heads.all;
  t5_bias(by_offset, first, {table.data() + heads.first, rows, by_offset.rows, heads.all},
          T5Buckets(direction, static_cast<std::int64_t>(rows), max_distance));
}

void T5Bias::backward(std::span<double> d, ConstMatrixView d_by_offset, std::int64_t first) const {
  const std::size_t heads = d_by_offset.rows, rows = table.size() / heads;
  std::vector<float> d_table(table.size());
  t5_bias_backward({d_table.data(), rows, heads}, d_by_offset, first,
                   T5Buckets(direction, static_cast<std::int64_t>(rows), max_distance));
  std::ranges::copy(d_table, d.begin());
}

}  // namespace ropewalk
