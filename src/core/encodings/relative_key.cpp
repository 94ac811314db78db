#include "encodings/relative_key.hpp"

#include "base/require.hpp"

namespace ropewalk {

RelativeIndex relative_key_index(std::span<const double> queries, std::span<const double> keys,
                                 std::int64_t max_positions) {
  require(max_positions > 0 && max_positions <= 1 << 30,
          "relative_key: max_positions must be from 1 to 2^30, got ", max_positions);
  return relative_index(queries, keys, [&](std::int64_t offset) {
    require(offset > -max_positions && offset < max_positions,
            "relative_key: a distance must be below max_positions, ", max_positions, ", got ",
            offset < 0 ? -offset : offset);
    return static_cast<std::int32_t>(max_positions - 1 - offset);
  });
}

}  // namespace ropewalk
