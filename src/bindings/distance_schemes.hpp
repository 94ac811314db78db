// The biases by distance that a call may name, with their parameters: their one list, from which
// the build gives names and parameters to TypeScript (field_names.cpp).
//
// A scheme is a struct of its parameters with
//
//   fields(scheme, visit)      visit(name, field) for each; of an enumeration also its values'
//   names fill(table, first, heads)  the rows of some heads; column c is that of key - query =
//   first + c
//
// and, where its parameters are learned,
//
//   learned()                       how many values it learns
//   backward(gradients, d_table, first)  adds the gradients of them, given that of all heads' table
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/require.hpp"
#include "bias/buckets.hpp"
#include "bias/distance.hpp"

namespace ropewalk::bindings {

// The heads that a call computes, of all that a scheme has parameters for.
struct SomeHeads {
  std::size_t first, count, all;
};

struct Alibi {
  SlopeConvention convention{};
  double max_bias = 8.0;
  std::size_t head_offset = 0, total_heads = 0;  // total 0: up to the last head of the call
  BiasDirection direction{};
  std::span<const double> slopes;  // in place of a convention; empty: none

  void fill(MatrixView table, std::int64_t first, const SomeHeads& heads) const {
    if (!slopes.empty())
      return alibi(table, first, slopes.subspan(heads.first, heads.count), direction);
    const std::size_t total = total_heads != 0 ? total_heads : head_offset + heads.all;
    alibi(table, first,
          alibi_slopes(total, convention, max_bias, {head_offset + heads.first, heads.count}),
          direction);
  }
};

template <class Visit>
void fields(Alibi& s, Visit visit) {
  visit("convention", s.convention, {"published", "sorted", "naive"});
  visit("maxBias", s.max_bias);
  visit("headOffset", s.head_offset);
  visit("totalHeads", s.total_heads);
  visit("direction", s.direction, {"causal", "symmetric"});
  visit("slopes", s.slopes);
}

struct T5 {
  T5Direction direction{};
  double max_distance = 128.0;
  std::span<const float> table;  // buckets x all heads

  void fill(MatrixView by_offset, std::int64_t first, const SomeHeads& heads) const {
    const std::size_t count = table.size() / heads.all;
    t5_bias(by_offset, first, {table.data() + heads.first, count, heads.count, heads.all},
            buckets(count));
  }
  std::size_t learned() const { return table.size(); }
  void backward(std::span<float> d, ConstMatrixView d_by_offset, std::int64_t first) const {
    const std::size_t count = table.size() / d_by_offset.rows;
    t5_bias_backward({d.data(), count, d_by_offset.rows}, d_by_offset, first, buckets(count));
  }

 private:
  T5Buckets buckets(std::size_t count) const {
    return T5Buckets(direction, static_cast<std::int64_t>(count),
                     static_cast<std::int64_t>(max_distance));
  }
};

template <class Visit>
void fields(T5& s, Visit visit) {
  visit("direction", s.direction, {"causal", "bidirectional"});
  visit("maxDistance", s.max_distance);
  visit("table", s.table);
}

struct Kerple {
  KerpleOptions options;
  std::span<const double> r1, r2;

  void fill(MatrixView table, std::int64_t first, const SomeHeads& heads) const {
    kerple(table, first, r1.subspan(heads.first, heads.count), r2.subspan(heads.first, heads.count),
           options);
  }
  std::size_t learned() const { return 2 * r1.size(); }
  void backward(std::span<float> d, ConstMatrixView d_table, std::int64_t first) const {
    std::vector<double> sums(d.size());
    const std::span<double> all = sums;
    kerple_backward(all.first(r1.size()), all.last(r2.size()), d_table, first, r1, r2, options);
    std::ranges::transform(sums, d.begin(), [](double sum) { return static_cast<float>(sum); });
  }
};

template <class Visit>
void fields(Kerple& s, Visit visit) {
  visit("kind", s.options.kind, {"log", "power"});
  visit("direction", s.options.direction, {"causal", "symmetric"});
  visit("clamp", s.options.clamp);
  visit("r1", s.r1);
  visit("r2", s.r2);
}

struct Sandwich {
  SandwichOptions options;
  BiasDirection direction{};

  void fill(MatrixView table, std::int64_t first, const SomeHeads& heads) const {
    SandwichOptions own = options;
    own.first_head = heads.first;
    own.heads = heads.all;
    sandwich(table, first, own, direction);
  }
};

template <class Visit>
void fields(Sandwich& s, Visit visit) {
  visit("dim", s.options.dim);
  visit("firstPair", s.options.first_pair);
  visit("zeroAtOrigin", s.options.zero_at_origin);
  visit("base", s.options.base);
  visit("direction", s.direction, {"causal", "symmetric"});
}

template <class Visit>
void distance_schemes(Visit visit) {
  visit("alibi", Alibi{});
  visit("t5", T5{});
  visit("kerple", Kerple{});
  visit("sandwich", Sandwich{});
}

// A scheme by its place in the list, and the values of its fields: numbers one after another, a
// list of doubles after its length, a list of floats among the floats.
struct SentScheme {
  std::size_t place = 0;
  std::span<const double> numbers;
  std::span<const float> floats;
};

// NaN stands for a number that was not given: the field keeps its default. Not inlined: each scheme
// has calls of its own.
class SchemeReader {
 public:
  explicit SchemeReader(const SentScheme& sent) : numbers_(sent.numbers), floats_(sent.floats) {}

  template <class Value>
  [[gnu::noinline]] void operator()(const char*, Value& field,
                                    std::initializer_list<const char*> = {}) {
    const double number = take(1)[0];
    if (!std::isnan(number)) field = static_cast<Value>(number);
  }
  [[gnu::noinline]] void operator()(const char*, std::span<const double>& list) {
    list = take(static_cast<std::size_t>(take(1)[0]));
  }
  void operator()(const char*, std::span<const float>& list) { list = floats_; }

 private:
  std::span<const double> take(std::size_t count) {
    require(count <= numbers_.size(), "a scheme must have ", count, " more numbers, got ",
            numbers_.size());
    const auto taken = numbers_.first(count);
    numbers_ = numbers_.subspan(count);
    return taken;
  }

  std::span<const double> numbers_;
  std::span<const float> floats_;
};

// Calls use(scheme) with the scheme that was sent.
template <class Use>
void with_distance_scheme(const SentScheme& sent, Use use) {
  std::size_t place = 0;
  distance_schemes([&](const char*, auto scheme) {
    if (place++ != sent.place) return;
    fields(scheme, SchemeReader(sent));
    use(scheme);
  });
}

// Fills a distance table, one row per head of the call.
void fill_distance_table(MatrixView table, std::int64_t first, const SentScheme& sent,
                         const SomeHeads& heads);

}  // namespace ropewalk::bindings
