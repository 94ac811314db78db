// DeBERTa's disentangled attention (He et al. 2021, equations 3 and 4; log buckets: DeBERTa-v2).
//
//   score(m, n) = (q_m . k_n + q_m . K_{d(m,n)} + k_n . Q_{d(n,m)}) / sqrt(dim (1 + terms))
//
// with tables K and Q of 2 span rows, and d(m, n) = m - n + span, kept within 0 ... 2 span - 1.
// The authors' code and transformers read Q at d(m, n) instead of d(n, m); both are here by name.
//
// DeBERTa-v2 first puts m - n into B log buckets: with mid = B / 2, distances up to mid keep their
// value, a longer one r becomes mid + ceil(ln(r / mid) / ln((max_distance - 1) / mid) (mid - 1)),
// with the sign of m - n. Span is then B.
#pragma once

#include <cstdint>
#include <span>

#include "encodings/relative_table.hpp"

namespace ropewalk {

// relative position (query - key) -> bucket. As in the authors' code the buckets go on beyond
// max_distance, where tables end; within they may lie closer than whole distances. So each distance
// computes its own.
class DebertaBuckets {
 public:
  // Every distance keeps its value.
  DebertaBuckets() = default;

  // Throws std::invalid_argument unless buckets is 4 to 8192 and max_distance is more than
  // buckets / 2 + 1 and below 2^32.
  DebertaBuckets(std::int64_t buckets, std::int64_t max_distance);

  std::int64_t operator()(std::int64_t relative_position) const;

 private:
  std::int64_t mid_ = 0, end_ = 0;
  double buckets_per_log_ = 0.0;  // (mid - 1) / ln(end / mid), end = max_distance - 1
};

// d(m, n) of the two terms: content to position by the query, position to content by the key.
enum class DebertaReading { query_minus_key, key_minus_query };

// Row d of every pair; for add_query_products (K) and add_key_products (Q).
// Throws std::invalid_argument for a span outside 1 ... 2^30.
RelativeIndex deberta_index(std::span<const double> queries, std::span<const double> keys,
                            std::int64_t span, const DebertaBuckets& buckets = {},
                            DebertaReading reading = DebertaReading::query_minus_key);

}  // namespace ropewalk
