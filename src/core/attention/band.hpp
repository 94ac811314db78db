// The keys that a query sees under causal masks (of any alignment), windows and padding: one range
// per query.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace ropewalk {

inline constexpr std::size_t all_keys = std::numeric_limits<std::size_t>::max();

// Query i has key position p = i + offset. It sees the keys p - lookback ... p + lookahead that
// exist and come before key_length; the keys from key_length on are padding. A causal mask has
// lookahead 0. Its alignment is the offset: 0 aligns the first query with the first key, and
// keys - queries aligns the last query with the last key.
struct Band {
  std::ptrdiff_t offset = 0;
  std::size_t lookback = all_keys;
  std::size_t lookahead = all_keys;
  std::size_t key_length = all_keys;
};

// The position of the key at which a query stands; a query before the first key stands that many
// positions before it.
inline double position_at(std::span<const double> positions, std::ptrdiff_t key) {
  return key < 0 ? positions.front() + static_cast<double>(key)
                 : positions[static_cast<std::size_t>(key)];
}

// The indices first ... past_end - 1, of keys or of queries.
struct IndexRange {
  std::size_t first = 0;
  std::size_t past_end = 0;

  bool empty() const { return first >= past_end; }
};

// Returns the keys, of 0 ... keys - 1, that the query sees. Computes in 64 bits, because where
// std::size_t has 32 bits (wasm) a window may exceed the largest std::ptrdiff_t.
inline IndexRange visible_keys(const Band& band, std::size_t query, std::size_t keys) {
  keys = std::min(keys, band.key_length);
  const std::int64_t position = static_cast<std::int64_t>(query) + band.offset;
  const auto clamped = [&](std::int64_t key) {
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(key, 0, static_cast<std::int64_t>(keys)));
  };
  const bool has_lookback = band.lookback != all_keys, has_lookahead = band.lookahead != all_keys;
  return {has_lookback ? clamped(position - static_cast<std::int64_t>(band.lookback)) : 0,
          has_lookahead ? clamped(position + static_cast<std::int64_t>(band.lookahead) + 1) : keys};
}

// Returns the queries, of 0 ... queries - 1, that see at least one of these keys.
inline IndexRange queries_seeing(const Band& band, IndexRange keys, std::size_t queries) {
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

inline IndexRange intersection(IndexRange a, IndexRange b) {
  return {std::max(a.first, b.first), std::min(a.past_end, b.past_end)};
}

}  // namespace ropewalk
