// Taking memory, the inboxes, and giving memory back.
#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <typeinfo>

#include "bindings/boundary.hpp"
#include "bindings/scratch.hpp"

namespace {

// emmalloc adds a size to an address without asking whether the sum leaves 32 bits: near the end of
// memory it then takes a block for large enough that is not. Such a block is held while it looks
// on.
void* block_of(std::size_t bytes) {
  void* const block = std::malloc(bytes);
  const auto address = reinterpret_cast<std::size_t>(block);
  if (address + bytes >= address) return block;
  void* const other = block_of(bytes);
  std::free(block);
  return other;
}

}  // namespace

// Nothing takes half of the addresses: a vector counts its bytes with a sign.
void* operator new(std::size_t bytes) {
  void* const block = bytes <= PTRDIFF_MAX ? block_of(bytes) : nullptr;
  if (!block) throw std::bad_alloc();
  return block;
}

namespace ropewalk::bindings {

namespace {

std::size_t last_count = 0;
std::string last_refusal;

}  // namespace

// One handler that takes everything and asks for the type itself: with a handler for each type, the
// search among them by the run-time library would be a twentieth of the binary.
Pointer caught(Result (*work)(void*), void* context) {
  try {
    const Result result = work(context);
    last_count = result.count;
    return reinterpret_cast<Pointer>(result.data);
  } catch (...) {
    // The core throws nothing but refusals; the rest is bad_alloc, or length_error of a vector.
    if (*abi::__cxa_current_exception_type() != typeid(std::invalid_argument)) return exhausted;
    void* const error = abi::__cxa_current_primary_exception();
    last_refusal = static_cast<const std::invalid_argument*>(error)->what();
    abi::__cxa_decrement_exception_refcount(error);
    return refused;
  }
}

namespace {

Pointer floats_inbox(std::size_t count) {
  return guarded([&] { return floats_in.reserve(count); });
}

Pointer doubles_inbox(std::size_t count) {
  return guarded([&] { return doubles_in.reserve(count); });
}

Pointer bytes_inbox(std::size_t count) {
  return guarded([&] { return bytes_in.reserve(count); });
}

Pointer resident(std::size_t count) {
  return guarded([&] { return std::span(new float[count], count); });
}

void release_resident(Pointer address) { delete[] reinterpret_cast<float*>(address); }

std::size_t result_count() { return last_count; }

std::string refusal() { return last_refusal; }

void release_memory() {
  floats_in.release();
  floats_out.release();
  doubles_in.release();
  doubles_out.release();
  bytes_in.release();
  integers_out.release();
  attention_scratch = {};
  mapped_rotations = {};
}

}  // namespace

EMSCRIPTEN_BINDINGS(memory) {
  using namespace emscripten;
  function("resultCount", &result_count);
  function("refusal", &refusal);
  function("floatsInbox", &floats_inbox);
  function("doublesInbox", &doubles_inbox);
  function("bytesInbox", &bytes_inbox);
  function("resident", &resident);
  function("releaseResident", &release_resident);
  function("releaseMemory", &release_memory);
}

}  // namespace ropewalk::bindings
