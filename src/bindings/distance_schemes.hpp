// How a bias by distance crosses: its place in the list of bias/distance.hpp, and its parameters in
// the order of its fields. The build gives names and order to TypeScript (field_names.cpp).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "base/require.hpp"
#include "bias/distance.hpp"

namespace ropewalk::bindings {

// A number for each field, that of a list its length, and then the lists of doubles; lists of
// floats.
struct SentScheme {
  std::size_t place = 0;
  std::span<const double> doubles;
  std::span<const float> floats;
};

// How many fields a scheme has, and how many numbers are in its lists.
struct FieldCounts {
  std::size_t fields = 0, listed = 0;

  void operator()(const char*, auto& field, std::initializer_list<const char*> = {}) {
    ++fields;
    if constexpr (requires { field.size(); }) listed += field.size();
  }
};

FieldCounts counted_fields(auto& scheme) {
  FieldCounts counts;
  scheme.fields(counts);
  return counts;
}

// Not inlined: each scheme has calls of its own.
class SchemeReader {
 public:
  SchemeReader(const SentScheme& sent, std::size_t fields)
      : lists_(sent.doubles), floats_(sent.floats), numbers_(take(lists_, fields).data()) {}

  template <class Value>
  [[gnu::noinline]] void operator()(const char* name, Value& field,
                                    std::initializer_list<const char*> values = {}) {
    const double number = *numbers_++;
    require(values.size() == 0 || (number >= 0.0 && number < static_cast<double>(values.size())),
            name, " must be below ", values.size(), ", got ", number);
    field = static_cast<Value>(number);
  }
  [[gnu::noinline]] void operator()(const char*, std::span<const double>& list) {
    list = take(lists_, static_cast<std::size_t>(*numbers_++));
  }
  [[gnu::noinline]] void operator()(const char*, std::span<const float>& list) {
    list = take(floats_, static_cast<std::size_t>(*numbers_++));
  }

 private:
  template <class Number>
  static std::span<const Number> take(std::span<const Number>& from, std::size_t count) {
    require(count <= from.size(), "a scheme must have ", count, " more numbers, got ", from.size());
    const auto taken = from.first(count);
    from = from.subspan(count);
    return taken;
  }

  std::span<const double> lists_;
  std::span<const float> floats_;
  const double* numbers_;
};

// Calls use(scheme) with the scheme that was sent.
template <class Use>
void with_distance_scheme(const SentScheme& sent, Use use) {
  std::size_t place = 0;
  distance_schemes([&](const char*, auto scheme) {
    if (place++ != sent.place) return;
    scheme.fields(SchemeReader(sent, counted_fields(scheme).fields));
    use(scheme);
  });
}

// Fills a distance table, one row per head of the call.
void fill_distance_table(MatrixView table, std::int64_t first, const SentScheme& sent,
                         TableHeads heads);

}  // namespace ropewalk::bindings
