// How numbers and errors cross between JavaScript and the core.
//
// Numbers and names cross as arguments. Arrays cross in bulk through inboxes that JavaScript
// fills before a call, in the order in which the function takes them. A function returns the
// address of its result, which the TypeScript face copies at once; result_count() says how many
// numbers it has. No exception crosses: addresses below `valid` say that the call failed; refusal()
// says why an argument was refused.
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
      data_.reset();  // the old one first, so that the two never stand side by side
      data_.reset(new (std::nothrow) Number[count]);
      const double bytes = static_cast<double>(count) * sizeof(Number);  // more than size_t counts
      require(data_ != nullptr, "there is not enough memory for a buffer of ", bytes, " bytes");
      capacity_ = count;
    }
    count_ = count;
    return {data_.get(), count};
  }

  // Lists, one after another.
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

  // The next `count` numbers that JavaScript put in; never what an earlier call left behind them.
  std::span<Number> take(std::size_t count) {
    const std::size_t left = count_ - taken_;
    require(count <= left, "the inbox holds ", left, " numbers, the call takes ", count);
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

// One instance has one of each; they grow to the largest call and are kept for the next.
inline TransferBuffer<float> floats_in, floats_out;
inline TransferBuffer<double> doubles_in, doubles_out;
inline TransferBuffer<std::uint8_t> bytes_in;
inline TransferBuffer<std::int32_t> integers_out;

// Where a result lies in wasm memory.
using Pointer = std::size_t;
// An argument was refused, memory ended, a result.
enum : Pointer { refused = 0, exhausted = 1, valid = 2 };

struct Result {
  const void* data;
  std::size_t count;
};

// Runs work(context) and keeps its result's count, or the text of its refusal.
Pointer caught(Result (*work)(void*), void* context);

// The address of the span that work returns.
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
