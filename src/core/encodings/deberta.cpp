#include "encodings/deberta.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/require.hpp"
#include "encodings/log_threshold.hpp"

namespace ropewalk {

DebertaBuckets::DebertaBuckets(std::int64_t buckets, std::int64_t max_distance)
    : mid_(buckets / 2), end_(max_distance - 1) {
  require(buckets >= 4 && buckets <= 8192, "deberta_buckets: buckets must be from 4 to 8192, got ",
          buckets);
  require(max_distance > mid_ + 1 && max_distance < (std::int64_t{1} << 32),
          "deberta_buckets: max_distance must be more than ", mid_ + 1, " and below 2^32, got ",
          max_distance);
  buckets_per_log_ = static_cast<double>(mid_ - 1) / log_ratio(mid_, end_);
}

std::int64_t DebertaBuckets::operator()(std::int64_t relative_position) const {
  const std::int64_t distance = std::abs(relative_position);
  if (mid_ == 0 || distance <= mid_) return relative_position;
  // The logarithm is off by less than 1e-6 buckets: where an edge is that near, it decides.
  const double above = log_ratio(mid_, distance) * buckets_per_log_;
  const double nearest = std::round(above);
  double bucket = std::ceil(above);
  if (std::abs(above - nearest) < 1e-6) {
    const auto step = static_cast<std::int64_t>(nearest);
    const bool reached = log_threshold(mid_, end_, step, mid_ - 1, Edge::more_than) <= distance;
    bucket = nearest + (reached ? 1.0 : 0.0);
  }
  const std::int64_t signless = mid_ + static_cast<std::int64_t>(bucket);
  return relative_position < 0 ? -signless : signless;
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
