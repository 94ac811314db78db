// A KV cache: keys and values of the tokens so far, for decoding (Pope et al. 2022, section 2).
//
// Rows are appended, cut off at the end or evicted anywhere. Keys are stored as they are scored:
// rotated by their positions where the cache has a rotary scheme. Evicted rows leave a gap in the
// positions (keys stay as they are), or later rows are renumbered: rotating a key by minus the
// number of evicted rows gives the key of its new position.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "attention/attention.hpp"
#include "attention/quantized_heads.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk {

struct KvCacheShape {
  std::size_t batches, key_heads, dim, value_dim, capacity;
};

// The rotation of keys before they are stored, and of queries before they are scored.
struct KvCacheRotary {
  std::vector<double> frequencies;
  double attention_factor = 1.0;
  RotaryLayout layout = RotaryLayout::half_split;
};

// Throws std::invalid_argument where a cache in fewer bits cannot store a value of new keys or
// values: one that is not finite, or that rotations could bring above largest_quantized.
void require_storable(std::span<const float> values, double attention_factor);

// How the rows of several heads follow each other: (batches, heads, tokens, cols), or as linear
// layers have them, (batches, tokens, heads, cols).
enum class TokenOrder { by_head, by_token };

class KvCache {
 public:
  // format: none for floats. Throws std::invalid_argument on an extent of 0.
  KvCache(const KvCacheShape& shape, std::optional<RowFormat> format,
          std::optional<KvCacheRotary> rotary);

  const KvCacheShape& shape() const { return shape_; }
  std::size_t length() const { return positions_.size(); }
  // Of each row, rising.
  std::span<const double> positions() const { return positions_; }

  // Appends the keys and values of some tokens, whose positions follow the last one. Rotates k in
  // place. Throws std::invalid_argument, and appends nothing, where they exceed the capacity or the
  // format cannot hold a value.
  void append(std::span<float> k, std::span<float> v, std::size_t tokens, TokenOrder order);

  // Forgets the rows from `length` on. Throws unless there are so many.
  void truncate(std::size_t length);

  // Forgets the rows first ... past_end - 1. With `renumbers`, the positions of later rows become
  // smaller by their number, and keys in fewer bits are rounded once more.
  void evict(std::size_t first, std::size_t past_end, bool renumbers);

  // Rotates queries in place, which stand at the last rows, or in each batch at the last of its
  // real rows: key_lengths, whole numbers, one per batch; empty: all. Before the first row
  // positions go on. Throws where there are more queries than rows.
  void rotate_queries(std::span<float> q, std::size_t heads, std::size_t queries,
                      std::span<const double> key_lengths) const;

  // Puts the filled rows in the place of a call's keys and values. The call must not outlive it.
  void attach(AttentionCall& call);

 private:
  // The rows of all heads, `capacity` for each head.
  struct Rows {
    std::size_t cols;
    std::optional<RowFormat> format;
    std::unique_ptr<float[]> memory;

    Rows(std::size_t rows, std::size_t cols, std::optional<RowFormat> format);
    MatrixView floats(std::size_t first, std::size_t count) const;
    QuantizedRows quantized(std::size_t rows, std::size_t first, std::size_t count) const;
  };
  std::size_t rows() const { return shape_.batches * shape_.key_heads * shape_.capacity; }
  void write(const Rows& to, std::span<const float> from, std::size_t tokens, TokenOrder order);
  void move_down(const Rows& rows, std::size_t first, std::size_t past_end);
  void rotate(const Heads& x, const RowLists<double>& positions, double attention_factor) const;
  void rotate_rows(std::size_t first, std::size_t count, double angle);

  KvCacheShape shape_;
  Rows keys_, values_;
  std::optional<KvCacheRotary> rotary_;
  std::vector<double> positions_;
  // For the call of attach().
  std::optional<QuantizedKeys> quantized_keys_;
  std::optional<QuantizedValues> quantized_values_;
};

}  // namespace ropewalk
