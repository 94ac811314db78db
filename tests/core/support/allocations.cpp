#include "support/allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

ropewalk::Allocated so_far;

}  // namespace

void* operator new(std::size_t bytes) {
  ++so_far.count;
  so_far.bytes += bytes;
  if (void* const block = std::malloc(std::max<std::size_t>(bytes, 1))) return block;
  throw std::bad_alloc();
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace ropewalk {

Allocated allocated() { return so_far; }

}  // namespace ropewalk
