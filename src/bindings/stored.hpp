// Keys and values that stay in the memory of an instance: resident tensors and KV caches.
#pragma once

#include <optional>

#include "attention/quantized_heads.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {

// What an address of a stored operand leads to, in the bits that alignment leaves: floats, rows of
// a RowFormat, or a KvCache, which stands for keys and values.
enum class Stored : Pointer { floats, float16, int8, cache };

// None: floats.
std::optional<RowFormat> format_of(Stored kind);

// The rows of a stored tensor; none where it holds floats.
std::optional<QuantizedRows> quantized_rows_at(Pointer tensor, std::size_t rows, std::size_t cols);

// Puts stored keys and values in their place in a call, which it must outlive.
class StoredOperands {
 public:
  explicit StoredOperands(AttentionCall& call);

 private:
  std::optional<QuantizedKeys> keys_;
  std::optional<QuantizedValues> values_;
};

}  // namespace ropewalk::bindings
