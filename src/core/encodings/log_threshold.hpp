// Where logarithmic buckets begin, decided in whole numbers: a logarithm's last bit would move the
// edges that are whole themselves (T5's 16, 32 and 64).
#pragma once

#include <cstdint>

namespace ropewalk {

// ln(end / start), to the last bits even where the two are close; 0 < start <= end.
double log_ratio(std::int64_t start, std::int64_t end);

enum class Edge { at_least, more_than };

// The smallest whole number that is at least (or more than) start * (end / start)^(step / steps).
// 0 < start < end < 2^32; step may exceed steps, as far as the result is below 2^53.
std::int64_t log_threshold(std::int64_t start, std::int64_t end, std::int64_t step,
                           std::int64_t steps, Edge edge);

}  // namespace ropewalk
