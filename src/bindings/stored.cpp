// Bindings of resident tensors, which may be stored in fewer bits, and of KV caches.
// An address from JavaScript has the kind of what is stored there in its lowest bits.
#include "bindings/stored.hpp"

#include "attention/kv_cache.hpp"
#include "bindings/attention_call.hpp"

namespace ropewalk::bindings {

std::optional<RowFormat> format_of(Stored kind) {
  if (kind == Stored::float16) return RowFormat::float16;
  if (kind == Stored::int8) return RowFormat::int8;
  return std::nullopt;
}

namespace {

constexpr Pointer kind_bits = 3;  // the mask of the bits that hold a Stored

Stored kind_of(Pointer address) { return static_cast<Stored>(address & kind_bits); }

// Returns how many floats of memory a tensor takes. In double: it may exceed size_t.
double stored_size(Stored kind, double rows, std::size_t cols) {
  const auto format = format_of(kind);
  return rows * (format ? 1.0 + double(row_bytes(*format, cols)) / sizeof(float) : double(cols));
}

// floats: `count` rows, which replace those of the tensor from row `first` on.
// Result: only whether it failed.
Pointer write_rows(Pointer tensor, std::size_t rows, std::size_t cols, std::size_t first,
                   std::size_t count) {
  return guarded([&] {
    const std::span<float> from = floats_in.take(count * cols);
    if (const auto stored = quantized_rows_at(tensor, rows, cols))
      quantize(stored->rows_from(first, count), {from.data(), count, cols});
    else
      std::ranges::copy(from, reinterpret_cast<float*>(tensor) + first * cols);
    return from;
  });
}

KvCache& cache_at(Pointer address) { return *reinterpret_cast<KvCache*>(address & ~kind_bits); }

// doubles: frequencies of the rotation, one per pair; no pairs: keys are not rotated.
// Result: the address of the cache.
Pointer create_cache(std::size_t batches, std::size_t key_heads, std::size_t dim,
                     std::size_t value_dim, std::size_t capacity, Stored kind, std::size_t pairs,
                     double attention_factor, bool is_half_split) {
  return guarded([&] {
    std::optional<KvCacheRotary> rotary;
    const std::span<double> frequencies = doubles_in.take(pairs);
    if (pairs > 0)
      rotary = {{frequencies.begin(), frequencies.end()},
                attention_factor,
                is_half_split ? RotaryLayout::half_split : RotaryLayout::interleaved};
    auto* const cache = new KvCache({batches, key_heads, dim, value_dim, capacity}, format_of(kind),
                                    std::move(rotary));
    return std::span(cache, 1);
  });
}

void delete_cache(Pointer cache) { delete &cache_at(cache); }

std::span<double> positions_of(const KvCache& cache) {
  return doubles_out.assign({cache.positions()});
}

// floats: the keys of the tokens, then their values. Result: only whether it failed.
Pointer append_to_cache(Pointer address, std::size_t tokens, bool is_by_token) {
  return guarded([&] {
    KvCache& cache = cache_at(address);
    const KvCacheShape& shape = cache.shape();
    const std::size_t rows = shape.batches * shape.key_heads * tokens;
    const std::span<float> k = floats_in.take(rows * shape.dim);
    cache.append(k, floats_in.take(rows * shape.value_dim), tokens,
                 is_by_token ? TokenOrder::by_token : TokenOrder::by_head);
    return k;
  });
}

// floats: keys and values. Fails where append_to_cache would reject one. A pool calls it before it
// sends them to the workers, so that no part of a cache is appended to when another one rejects.
Pointer check_storable(double attention_factor) {
  return guarded([&] {
    const std::span<float> values = floats_in.take(floats_in.count());
    require_storable(values, attention_factor);
    return values;
  });
}

// Forgets the rows first ... past_end - 1; later ones move into their place.
// Result: the positions of the rows that are left.
Pointer evict_from_cache(Pointer address, std::size_t first, std::size_t past_end, bool renumbers) {
  return guarded([&] {
    KvCache& cache = cache_at(address);
    cache.evict(first, past_end, renumbers);
    return positions_of(cache);
  });
}

// Result: the position of each row.
Pointer cache_positions(Pointer address) {
  return guarded([&] { return positions_of(cache_at(address)); });
}

}  // namespace

std::optional<QuantizedRows> quantized_rows_at(Pointer tensor, std::size_t rows, std::size_t cols) {
  const auto format = format_of(kind_of(tensor));
  if (!format) return std::nullopt;
  // In memory: one float per row, its scale, and then the codes of all rows.
  float* const memory = reinterpret_cast<float*>(tensor & ~kind_bits);
  return {{*format, memory, reinterpret_cast<std::uint8_t*>(memory + rows), rows, cols}};
}

StoredOperands::StoredOperands(AttentionCall& call) {
  const auto at_k = reinterpret_cast<Pointer>(call.k.data),
             at_v = reinterpret_cast<Pointer>(call.v.data);
  const AttentionShape& shape = call.shape;
  if (kind_of(at_k) == Stored::cache) {
    // A cache holds the values too: v has the same address.
    KvCache& cache = cache_at(at_k);
    // q may be overwritten: it is in the transfer buffer, not in memory of the caller.
    const std::size_t size = shape.batches * shape.heads * shape.queries * shape.dim;
    cache.rotate_queries({const_cast<float*>(call.q.data), size}, shape.heads, shape.queries,
                         call.key_lengths);
    cache.attach(call);
    return;
  }
  const std::size_t rows = shape.batches * shape.key_heads * shape.keys;
  if (const auto keys = quantized_rows_at(at_k, rows, shape.dim))
    call.product = &keys_.emplace(*keys, call);
  if (const auto values = quantized_rows_at(at_v, rows, shape.value_dim))
    call.stored_v = &values_.emplace(*values);
}

EMSCRIPTEN_BINDINGS(stored) {
  using namespace emscripten;
  enum_<Stored>("Stored", enum_value_type::string)
      .value("float32", Stored::floats)
      .value("float16", Stored::float16)
      .value("int8", Stored::int8);
  function("storedSize", &stored_size);
  function("writeRows", &write_rows);
  function("createCache", &create_cache);
  function("deleteCache", &delete_cache);
  function("appendToCache", &append_to_cache);
  function("checkStorable", &check_storable);
  function("evictFromCache", &evict_from_cache);
  function("cachePositions", &cache_positions);
}

}  // namespace ropewalk::bindings
