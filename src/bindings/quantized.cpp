// Resident keys and values in fewer bits, and attention that reads them.
#include <optional>

#include "attention/quantized_heads.hpp"
#include "bindings/attention_call.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

// The address of a quantized tensor has its format in the bits that alignment leaves: 0 for floats.
constexpr Pointer format_bits = 3;

// The scale of each row comes first, then the codes.
QuantizedRows rows_at(Pointer tensor, std::size_t rows, std::size_t cols) {
  float* const memory = reinterpret_cast<float*>(tensor & ~format_bits);
  return {static_cast<RowFormat>(tensor & format_bits), memory,
          reinterpret_cast<std::uint8_t*>(memory + rows), rows, cols};
}

// The size of such a tensor in floats.
double quantized_size(unsigned format, double rows, std::size_t cols) {
  return rows * (1.0 + double(row_bytes(static_cast<RowFormat>(format), cols)) / sizeof(float));
}

// floats: rows, which replace those from `first` on.
Pointer quantize_rows(Pointer tensor, std::size_t rows, std::size_t cols, std::size_t first,
                      std::size_t count) {
  return guarded([&] {
    const std::span<float> from = floats_in.take(count * cols);
    quantize(rows_at(tensor, rows, cols).rows_from(first, count), {from.data(), count, cols});
    return from;
  });
}

// The rows of k or v; none if they are floats.
std::optional<QuantizedRows> quantized(const HeadsView& view, const AttentionShape& shape,
                                       std::size_t cols) {
  const auto tensor = reinterpret_cast<Pointer>(view.data);
  if ((tensor & format_bits) == 0) return std::nullopt;
  return rows_at(tensor, shape.batches * shape.key_heads * shape.keys, cols);
}

std::span<float> attended_quantized(AttentionCall& call, const AttentionRecord& record) {
  std::optional<QuantizedKeys> keys;
  std::optional<QuantizedValues> values;
  if (const auto rows = quantized(call.k, call.shape, call.shape.dim))
    call.product = &keys.emplace(*rows, call.q, call.scale);
  if (const auto rows = quantized(call.v, call.shape, call.shape.value_dim))
    call.stored_v = &values.emplace(*rows);
  return attended(call, record);
}

Pointer quantized_attention() {
  return guarded([] { return with_attention_call(attended_quantized); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(quantized) {
  using namespace emscripten;
  function("attention", &quantized_attention);
  function("quantizedSize", &quantized_size);
  function("quantizeRows", &quantize_rows);
}

}  // namespace ropewalk::bindings
