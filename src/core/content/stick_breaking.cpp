#include "content/stick_breaking.hpp"

#include "kernels/rows.hpp"

namespace ropewalk {

void OwnKeyMask::apply(const ScoreRow& row) const {
  const std::int64_t at = row.query_key - static_cast<std::int64_t>(row.first_key);
  if (at >= 0 && at < static_cast<std::int64_t>(row.scores.size()))
    row.scores[static_cast<std::size_t>(at)] = minus_infinity;
}

void add_remainders(const AttentionCall& call, const AttentionResults& results) {
  const AttentionShape& shape = call.shape;
  const std::size_t sharing = shape.heads / shape.key_heads;
  for (std::size_t i = 0; i < shape.batches * shape.heads * shape.queries; ++i) {
    const std::size_t batch = i / shape.queries / shape.heads,
                      head = i / shape.queries % shape.heads;
    const std::ptrdiff_t key =
        first_query(call, batch) + static_cast<std::ptrdiff_t>(i % shape.queries);
    if (key < 0 || key >= static_cast<std::ptrdiff_t>(shape.keys)) continue;
    const float remainder = results.remainder[i];
    if (remainder == 0.0f) continue;  // nothing of a value that may be infinite
    const float* const value =
        call.v.head(batch, head / sharing) + static_cast<std::size_t>(key) * call.v.row_step;
    add_scaled(results.output + i * shape.value_dim, value, shape.value_dim, remainder);
  }
}

}  // namespace ropewalk
