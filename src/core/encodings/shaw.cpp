#include "encodings/shaw.hpp"

#include <algorithm>

#include "base/require.hpp"

namespace ropewalk {

RelativeIndex shaw_index(std::span<const double> queries, std::span<const double> keys,
                         std::int64_t clip) {
  require(clip >= 0 && clip <= 1 << 30, "shaw: clip must be from 0 to 2^30, got ", clip);
  return relative_index(queries, keys, [&](std::int64_t offset) {
    return static_cast<std::int32_t>(std::clamp(offset, -clip, clip) + clip);
  });
}

}  // namespace ropewalk
