// How numbers and errors cross between JavaScript and the core.
//
// Numbers and names cross as arguments. Arrays cross in bulk through transfer buffers that
// JavaScript fills before a call, in the order in which the function takes them. A function returns
// the address of its result, which TypeScript copies at once; result_count() returns its length. No
// exception crosses: addresses below `valid` stand for a failed call, and error_message() returns
// the message of a rejected argument.
#pragma once

#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/require.hpp"

namespace ropewalk::bindings {

// A grow-only buffer. Its memory is not cleared; the caller fills it.
template <class Number>
class TransferBuffer {
 public:
  std::span<Number> reserve(std::size_t count) {
    count_ = taken_ = 0;
    if (count > capacity_ || !data_) {
      capacity_ = 0;
      data_.reset();  // first, so that the old and the new buffer never exist together
      data_.reset(new (std::nothrow) Number[count]);
      const double bytes = static_cast<double>(count) * sizeof(Number);  // may exceed size_t
      require(data_ != nullptr, "there is not enough memory for a buffer of ", bytes, " bytes");
      capacity_ = count;
    }
    count_ = count;
    return {data_.get(), count};
  }

  // Copies lists into the buffer, one after another.
  std::span<Number> assign(std::initializer_list<std::span<const Number>> lists) {
    std::size_t count = 0;
    for (const auto& list : lists) count += list.size();
    const std::span<Number> all = reserve(count);
    Number* next = all.data();
    for (const auto& list : lists) next = std::ranges::copy(list, next).out;
    return all;
  }
  std::span<Number> assign(const std::vector<Number>& numbers) {
    return assign({std::span(numbers)});
  }

  // Returns the next `count` numbers of this call; never numbers of an earlier call.
  std::span<Number> take(std::size_t count) {
    const std::size_t left = count_ - taken_;
    require(count <= left, "the transfer buffer holds ", left, " numbers, the call takes ", count);
    const std::span<Number> numbers(data_.get() + taken_, count);
    taken_ += count;
    return numbers;
  }

  std::size_t count() const { return count_; }

  void release() {
    data_.reset();
    capacity_ = count_ = taken_ = 0;
  }

 private:
  std::unique_ptr<Number[]> data_;
  std::size_t capacity_ = 0, count_ = 0, taken_ = 0;
};

// The buffers of an instance. They grow to the largest call and are kept for the next one.
inline TransferBuffer<float> floats_in, floats_out;
inline TransferBuffer<double> doubles_in, doubles_out;
inline TransferBuffer<std::uint8_t> bytes_in;
inline TransferBuffer<std::int32_t> integers_out;

// An address in wasm memory.
using Pointer = std::size_t;

// The floats at an address, or if it is 0 the next ones of the transfer buffer.
inline std::span<float> floats_at(Pointer address, std::size_t count) {
  if (address == 0) return floats_in.take(count);
  return {reinterpret_cast<float*>(address), count};
}

// A rejected argument, no memory left, the lowest address of a result.
enum : Pointer { rejected = 0, exhausted = 1, valid = 2 };

struct Result {
  const void* data;
  std::size_t count;
};

// Runs work(context), and keeps the count of its result or the message of its error.
Pointer caught(Result (*work)(void*), void* context);

// Returns the address of the span that work returns, or a failure.
template <class Work>
Pointer guarded(Work work) {
  return caught(
      [](void* context) {
        const auto numbers = (*static_cast<Work*>(context))();
        return Result{numbers.data(), numbers.size()};
      },
      &work);
}

}  // namespace ropewalk::bindings
