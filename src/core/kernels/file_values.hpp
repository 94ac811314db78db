// Numbers as files of weights store them, little-endian, read as floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ropewalk {

// q8_0: blocks of 32 integers of 8 bits after their factor, a float16 (ggml).
enum class FileFormat { float32, float16, bfloat16, q8_0 };

// The bytes of some values; of q8_0 as many as fill whole blocks.
std::size_t file_bytes(FileFormat format, std::size_t count);

// Exact. A float16 that is not finite becomes infinite.
void read_values(std::span<float> to, const std::uint8_t* from, FileFormat format);

}  // namespace ropewalk
