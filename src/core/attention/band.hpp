// Which keys a query sees, as one range per row: causal masks of either alignment and windows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace ropewalk {

inline constexpr std::size_t all_keys = std::numeric_limits<std::size_t>::max();

// Query i stands at key position p = i + offset and sees the keys p - lookback ... p + lookahead,
// as far as they exist and come before key_length (what follows is padding). A causal mask has
// lookahead 0; its alignment is the offset: 0 lines up the first query with the first key,
// keys - queries the last with the last.
struct Band {
  std::ptrdiff_t offset = 0;
  std::size_t lookback = all_keys;
  std::size_t lookahead = all_keys;
  std::size_t key_length = all_keys;
};

struct KeyRange {
  std::size_t first = 0;
  std::size_t past_end = 0;

  bool empty() const { return first >= past_end; }
};

// In 64 bits also where sizes have 32, since a window may be wider than half of what those count.
inline KeyRange visible_keys(const Band& band, std::size_t query, std::size_t keys) {
  keys = std::min(keys, band.key_length);
  const std::int64_t at = static_cast<std::int64_t>(query) + band.offset;
  const auto clamped = [&](std::int64_t key) {
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(key, 0, static_cast<std::int64_t>(keys)));
  };
  const bool bounded_back = band.lookback != all_keys, bounded_ahead = band.lookahead != all_keys;
  return {bounded_back ? clamped(at - static_cast<std::int64_t>(band.lookback)) : 0,
          bounded_ahead ? clamped(at + static_cast<std::int64_t>(band.lookahead) + 1) : keys};
}

// The queries, of 0 ... queries - 1, that see any of these keys.
inline KeyRange queries_seeing(const Band& band, KeyRange keys, std::size_t queries) {
  const auto clamped = [&](std::int64_t query) {
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(query, 0, static_cast<std::int64_t>(queries)));
  };
  const std::int64_t first = static_cast<std::int64_t>(keys.first) - band.offset;
  const std::int64_t past_end = static_cast<std::int64_t>(keys.past_end) - band.offset;
  return {
      band.lookahead == all_keys ? 0 : clamped(first - static_cast<std::int64_t>(band.lookahead)),
      band.lookback == all_keys ? queries
                                : clamped(past_end + static_cast<std::int64_t>(band.lookback))};
}

inline KeyRange intersection(KeyRange a, KeyRange b) {
  return {std::max(a.first, b.first), std::min(a.past_end, b.past_end)};
}

}  // namespace ropewalk
