#include "attention/kv_cache.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"

namespace ropewalk {
void require_storable(std::span<const float> values, double attention_factor) {
  // A rotation multiplies by at most sqrt(2). The rest is for rounding, after each renumbering.
  const double most = largest_quantized / 2.0 / std::max(1.0, std::abs(attention_factor));
  for (const float value : values)
    require(std::abs(value) <= most, "cache: values must be finite and at most ", most,
            " in magnitude unless dtype is 'float32', got ", value);
}

KvCache::Rows::Rows(std::size_t rows, std::size_t cols, std::optional<RowFormat> format)
    : cols(cols), format(format) {
  const std::size_t floats =
      format ? rows + rows * row_bytes(*format, cols) / sizeof(float) : rows * cols;
  memory.reset(new float[floats]);
}

MatrixView KvCache::Rows::floats(std::size_t first, std::size_t count) const {
  return {memory.get() + first * cols, count, cols};
}

// The scales of all rows come first, then their codes.
QuantizedRows KvCache::Rows::quantized(std::size_t rows, std::size_t first,
                                       std::size_t count) const {
  const QuantizedRows all{*format, memory.get(),
                          reinterpret_cast<std::uint8_t*>(memory.get() + rows), rows, cols};
  return all.rows_from(first, count);
}

KvCache::KvCache(const KvCacheShape& shape, std::optional<RowFormat> format,
                 std::optional<KvCacheRotary> rotary)
    : shape_(shape),
      keys_(rows(), shape.dim, format),
      values_(rows(), shape.value_dim, format),
      rotary_(std::move(rotary)) {
  require(!rotary_ || 2 * rotary_->frequencies.size() <= shape.dim,
          "cache: frequencies must have at most ", shape.dim / 2, " pairs, got ",
          rotary_ ? rotary_->frequencies.size() : 0);
  positions_.reserve(shape.capacity);
}

void KvCache::write(const Rows& to, std::span<const float> from, std::size_t tokens,
                    TokenOrder order) {
  const std::size_t heads = shape_.key_heads;
  const bool is_by_head = order == TokenOrder::by_head;
  const std::size_t row_step = is_by_head ? to.cols : heads * to.cols,
                    head_step = is_by_head ? tokens * to.cols : to.cols;
  for (std::size_t i = 0; i < shape_.batches * heads; ++i) {
    const float* const head =
        from.data() + i / heads * heads * tokens * to.cols + i % heads * head_step;
    const ConstMatrixView given(head, tokens, to.cols, row_step);
    const std::size_t first = i * shape_.capacity + length();
    if (to.format) {
      quantize(to.quantized(rows(), first, tokens), given);
      continue;
    }
    const MatrixView own = to.floats(first, tokens);
    for (std::size_t t = 0; t < tokens; ++t) std::ranges::copy(given.row(t), own.row(t).begin());
  }
}

void KvCache::append(std::span<float> k, std::span<float> v, std::size_t tokens, TokenOrder order) {
  require(tokens <= shape_.capacity - length(), "cache: length must be at most the capacity ",
          shape_.capacity, ", got ", length() + tokens);
  if (keys_.format) {
    const double factor = rotary_ ? rotary_->attention_factor : 1.0;
    require_storable(k, factor);
    require_storable(v, factor);
  }
  const double first = positions_.empty() ? 0.0 : positions_.back() + 1.0;
  std::vector<double> positions(tokens);
  for (std::size_t t = 0; t < tokens; ++t) positions[t] = first + static_cast<double>(t);
  if (rotary_) {
    const Heads heads{k.data(), shape_.batches, shape_.key_heads,
                      tokens,   shape_.dim,     order == TokenOrder::by_head};
    rotate(heads, {positions}, rotary_->attention_factor);
  }
  write(keys_, k, tokens, order);
  write(values_, v, tokens, order);
  positions_.insert(positions_.end(), positions.begin(), positions.end());
}

void KvCache::truncate(std::size_t length) {
  require(length <= positions_.size(), "cache: length must be at most ", positions_.size(),
          ", got ", length);
  positions_.resize(length);
}

void KvCache::move_down(const Rows& all, std::size_t first, std::size_t past_end) {
  for (std::size_t i = 0; i < shape_.batches * shape_.key_heads; ++i) {
    const std::size_t head = i * shape_.capacity, count = length() - past_end;
    if (all.format) {
      const QuantizedRows to = all.quantized(rows(), head + first, count),
                          from = all.quantized(rows(), head + past_end, count);
      std::copy_n(from.scales, count, to.scales);
      std::copy_n(from.codes, count * row_bytes(*all.format, all.cols), to.codes);
    } else {
      std::copy_n(all.floats(head + past_end, count).data, count * all.cols,
                  all.floats(head + first, count).data);
    }
  }
}

void KvCache::rotate(const Heads& x, const RowLists<double>& positions,
                     double attention_factor) const {
  const RotaryAngles angles{.rows = positions.values.size(),
                            .coordinates = positions.values,
                            .frequencies = rotary_->frequencies,
                            .attention_factor = attention_factor,
                            .steps = positions.steps};
  rotate_heads(x, angles, {rotary_->layout, rotary_->layout});
}

// Rotates stored keys by a number of positions.
void KvCache::rotate_rows(std::size_t first, std::size_t count, double positions) {
  const std::vector<double> by(count, positions);
  std::vector<float> copy(keys_.format ? count * shape_.dim : 0);
  for (std::size_t i = 0; i < shape_.batches * shape_.key_heads; ++i) {
    const std::size_t head = i * shape_.capacity + first;
    const MatrixView own =
        keys_.format ? MatrixView(copy.data(), count, shape_.dim) : keys_.floats(head, count);
    if (keys_.format) dequantize(own, keys_.quantized(rows(), head, count));
    rotate({own.data, 1, 1, count, shape_.dim}, {by}, 1.0);
    if (keys_.format) quantize(keys_.quantized(rows(), head, count), own);
  }
}

void KvCache::evict(std::size_t first, std::size_t past_end, bool renumbers) {
  require(first <= past_end && past_end <= length(), "cache: evicted rows must be a range within ",
          length(), ", got ", first, " to ", past_end);
  move_down(keys_, first, past_end);
  move_down(values_, first, past_end);
  positions_.erase(positions_.begin() + std::ptrdiff_t(first),
                   positions_.begin() + std::ptrdiff_t(past_end));
  if (!renumbers) return;
  const auto gap = static_cast<double>(past_end - first);
  for (std::size_t i = first; i < length(); ++i) positions_[i] -= gap;
  if (rotary_ && first < length()) rotate_rows(first, length() - first, -gap);
}

void KvCache::rotate_queries(std::span<float> q, std::size_t heads, std::size_t queries,
                             std::span<const double> key_lengths) const {
  require(queries <= length(), "attention: queries must be at most the length of the cache, ",
          length(), ", got ", queries);
  if (!rotary_) return;
  const Heads x{q.data(), shape_.batches, heads, queries, shape_.dim};
  if (key_lengths.empty()) return rotate(x, {positions().last(queries)}, rotary_->attention_factor);
  std::vector<double> own(shape_.batches * queries);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto keys = static_cast<std::ptrdiff_t>(key_lengths[i / queries]);
    own[i] = position_at(positions_, keys - static_cast<std::ptrdiff_t>(queries - i % queries));
  }
  rotate(x, {own, {.batch = queries}}, rotary_->attention_factor);
}

void KvCache::attach(AttentionCall& call) {
  call.stored_rows = shape_.capacity;
  if (keys_.format) {
    call.product = &quantized_keys_.emplace(keys_.quantized(rows(), 0, rows()), call);
    call.stored_v = &quantized_values_.emplace(values_.quantized(rows(), 0, rows()));
    return;
  }
  const auto view = [&](const Rows& own) {
    const std::size_t head = shape_.capacity * own.cols;
    return HeadsView{own.memory.get(), shape_.key_heads * head, head, own.cols};
  };
  call.k = view(keys_);
  call.v = view(values_);
}

}  // namespace ropewalk
