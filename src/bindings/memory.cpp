// Allocation, transfer buffers, and the release of memory.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <typeinfo>

#include "bindings/boundary.hpp"
#include "bindings/scratch.hpp"

namespace {

// Copies into memory that is not aligned to lines of the cache take up to fourteen times as long.
constexpr std::size_t line = 64;

// Works around a bug of emmalloc: it adds a size to an address without checking for 32-bit
// overflow, so near the end of memory it may return a block that is too small. Such a block is kept
// until another one is found.
void* block_of(std::size_t bytes) {
  void* const block = bytes < line ? std::malloc(bytes)
                                   : std::aligned_alloc(line, (bytes + line - 1) / line * line);
  const auto address = reinterpret_cast<std::size_t>(block);
  if (address + bytes >= address) return block;
  void* const other = block_of(bytes);
  std::free(block);
  return other;
}

}  // namespace

// Sizes above PTRDIFF_MAX fail: std::vector computes sizes with signed differences.
void* operator new(std::size_t bytes) {
  void* const block = bytes <= PTRDIFF_MAX ? block_of(bytes) : nullptr;
  if (!block) throw std::bad_alloc();
  return block;
}

// Arrays, of which buffers are made, begin at a line also where they are smaller.
void* operator new[](std::size_t bytes) { return ::operator new(std::max(bytes, line)); }

namespace ropewalk::bindings {

namespace {

std::size_t last_count = 0;
std::string last_error;

}  // namespace

// One handler catches everything and reads the type itself: with one handler per type, the type
// matching of the run-time library would be 5 % of the binary.
Pointer caught(Result (*work)(void*), void* context) {
  try {
    const Result result = work(context);
    last_count = result.count;
    return reinterpret_cast<Pointer>(result.data);
  } catch (...) {
    // The core throws only invalid_argument; others are bad_alloc, or length_error of a vector.
    if (*abi::__cxa_current_exception_type() != typeid(std::invalid_argument)) return exhausted;
    void* const error = abi::__cxa_current_primary_exception();
    last_error = static_cast<const std::invalid_argument*>(error)->what();
    abi::__cxa_decrement_exception_refcount(error);
    return rejected;
  }
}

namespace {

Pointer reserve_floats(std::size_t count) {
  return guarded([&] { return floats_in.reserve(count); });
}

Pointer reserve_doubles(std::size_t count) {
  return guarded([&] { return doubles_in.reserve(count); });
}

Pointer reserve_bytes(std::size_t count) {
  return guarded([&] { return bytes_in.reserve(count); });
}

Pointer resident(std::size_t count) {
  return guarded([&] { return std::span(new float[count], count); });
}

void release_resident(Pointer address) { delete[] reinterpret_cast<float*>(address); }

std::size_t result_count() { return last_count; }

std::string error_message() { return last_error; }

void release_memory() {
  floats_in.release();
  floats_out.release();
  doubles_in.release();
  doubles_out.release();
  bytes_in.release();
  integers_out.release();
  distance_lists.release();
  // An assignment would move each of the buffers, which takes much code.
  std::destroy_at(&attention_scratch);
  std::construct_at(&attention_scratch);
  std::destroy_at(&mapped_rotations);
  std::construct_at(&mapped_rotations);
}

}  // namespace

EMSCRIPTEN_BINDINGS(memory) {
  using namespace emscripten;
  function("resultCount", &result_count);
  function("errorMessage", &error_message);
  function("reserveFloats", &reserve_floats);
  function("reserveDoubles", &reserve_doubles);
  function("reserveBytes", &reserve_bytes);
  function("resident", &resident);
  function("releaseResident", &release_resident);
  function("releaseMemory", &release_memory);
}

}  // namespace ropewalk::bindings
