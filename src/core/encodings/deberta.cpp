#include "encodings/deberta.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "encodings/log_threshold.hpp"

namespace ropewalk {

DebertaBuckets::DebertaBuckets(std::int64_t buckets, std::int64_t max_distance,
                               std::int64_t furthest)
    : mid_(buckets / 2) {
  require(buckets >= 4 && buckets <= 8192, "deberta_buckets: buckets must be from 4 to 8192, got ",
          buckets);
  require(max_distance > mid_ + 1 && max_distance < (std::int64_t{1} << 32),
          "deberta_buckets: max_distance must be more than ", mid_ + 1, " and below 2^32, got ",
          max_distance);
  for (std::int64_t step = 0;; ++step) {
    const std::int64_t begin =
        log_threshold(mid_, max_distance - 1, step, mid_ - 1, Edge::more_than);
    if (begin > furthest) break;
    begins_.push_back(begin);
  }
}

std::int64_t DebertaBuckets::operator()(std::int64_t relative_position) const {
  const std::int64_t distance = relative_position < 0 ? -relative_position : relative_position;
  if (mid_ == 0 || distance <= mid_) return relative_position;
  const auto begun = std::upper_bound(begins_.begin(), begins_.end(), distance) - begins_.begin();
  return relative_position < 0 ? -(mid_ + begun) : mid_ + begun;
}

RelativeIndex deberta_index(std::span<const double> queries, std::span<const double> keys,
                            std::int64_t span, const DebertaBuckets& buckets,
                            DebertaReading reading) {
  require(span > 0 && span <= 1 << 30, "deberta: span must be from 1 to 2^30, got ", span);
  const bool by_query = reading == DebertaReading::query_minus_key;
  return relative_index(queries, keys, [&](std::int64_t offset) {
    const std::int64_t relative = buckets(by_query ? -offset : offset);
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(relative + span, 0, 2 * span - 1));
  });
}

}  // namespace ropewalk
