#include "encodings/t5_bias.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "encodings/log_threshold.hpp"

namespace ropewalk {
namespace {

constexpr std::int64_t most_buckets = 4096;  // of a side: more would make the exact edges slow

}  // namespace

T5Buckets::T5Buckets(T5Direction direction, std::int64_t buckets, std::int64_t max_distance)
    : direction_(direction),
      side_(direction == T5Direction::bidirectional ? buckets / 2 : buckets),
      exact_(side_ / 2) {
  const std::int64_t sides = direction == T5Direction::bidirectional ? 2 : 1;
  require(buckets >= 2 * sides && buckets <= most_buckets * sides,
          "t5_buckets: buckets (rows of the table) must be from ", 2 * sides, " to ",
          most_buckets * sides, ", got ", buckets);
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

}  // namespace ropewalk
