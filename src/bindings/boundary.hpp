// How numbers and errors cross between JavaScript and the core.
//
// Numbers and names cross as arguments. Arrays cross in bulk through two inboxes that JavaScript
// fills before a call, in the order in which the function takes them; results come back as a view
// that the TypeScript face copies at once and drops. No exception crosses: an error is returned as
// a JavaScript Error and thrown on the other side.
#pragma once

#include <emscripten/bind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/require.hpp"

EMSCRIPTEN_DECLARE_VAL_TYPE(FloatsOrError)
EMSCRIPTEN_DECLARE_VAL_TYPE(DoublesOrError)
EMSCRIPTEN_DECLARE_VAL_TYPE(IntegersOrError)

namespace ropewalk::bindings {

// A grow-only buffer. Its memory is not cleared: whoever asks for it fills it.
template <class Number>
class Mailbox {
 public:
  std::span<Number> reserve(std::size_t count) {
    count_ = taken_ = 0;
    if (count > capacity_) {
      capacity_ = 0;
      data_.reset();  // the old one first, so that the two never stand side by side
      try {
        data_.reset(new Number[count]);
      } catch (const std::bad_alloc&) {
        const double bytes = static_cast<double>(count) * sizeof(Number);  // more than size_t counts
        require(false, "there is not enough memory for a buffer of ", bytes, " bytes");
      }
      capacity_ = count;
    }
    count_ = count;
    return {data_.get(), count};
  }

  std::span<Number> hold(const std::vector<Number>& numbers) {
    std::ranges::copy(numbers, reserve(numbers.size()).begin());
    return {data_.get(), numbers.size()};
  }

  // The next `count` numbers that JavaScript put in; never what an earlier call left behind them.
  std::span<Number> take(std::size_t count) {
    if (count > count_ - taken_) throw std::logic_error("the inbox holds fewer numbers than taken");
    const std::span<Number> numbers(data_.get() + taken_, count);
    taken_ += count;
    return numbers;
  }

  void release() {
    data_.reset();
    capacity_ = count_ = taken_ = 0;
  }

 private:
  std::unique_ptr<Number[]> data_;
  std::size_t capacity_ = 0, count_ = 0, taken_ = 0;
};

// One instance has one of each; they grow to the largest call and are kept for the next.
inline Mailbox<float> floats_in, floats_out;
inline Mailbox<double> doubles_in, doubles_out;
inline Mailbox<std::int32_t> integers_out;

template <class Number>
emscripten::val view_of(std::span<Number> numbers) {
  return emscripten::val(emscripten::typed_memory_view(numbers.size(), numbers.data()));
}

// Runs work(context), which returns a view; an exception becomes an Error instead.
emscripten::val caught(emscripten::val (*work)(void*), void* context);

// The view that work returns as a span, or the Error that it throws as an exception.
template <class Result, class Work>
Result guarded(Work work) {
  return Result(caught([](void* context) { return view_of((*static_cast<Work*>(context))()); }, &work));
}

}  // namespace ropewalk::bindings
