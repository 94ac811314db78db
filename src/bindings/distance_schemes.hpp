// How a bias by distance crosses: its place in the list of bias/distance.hpp, and its parameters in
// the order of its fields. The build gives names and order to TypeScript (field_names.cpp).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "base/require.hpp"
#include "bias/distance.hpp"

namespace ropewalk::bindings {

// Where a call has a number for each field, that of a list its length, and then the lists of
// doubles; lists of floats.
struct SentScheme {
  std::size_t place = 0;
  const double* doubles = nullptr;
  const float* floats = nullptr;
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

// Reads a scheme. Not inlined: each scheme has calls of its own.
class SchemeReader {
 public:
  SchemeReader(const SentScheme& sent, std::size_t fields)
      : numbers_(sent.doubles), lists_(sent.doubles + fields), floats_(sent.floats) {}

  template <class Value>
  [[gnu::noinline]] void operator()(const char* name, Value& field,
                                    std::initializer_list<const char*> values = {}) {
    const double number = *numbers_++;
    require(values.size() == 0 || (number >= 0.0 && number < static_cast<double>(values.size())),
            name, " must be below ", values.size(), ", got ", number);
    field = static_cast<Value>(number);
  }
  [[gnu::noinline]] void operator()(const char*, std::span<const double>& list) {
    list = {lists_, static_cast<std::size_t>(*numbers_++)};
    lists_ += list.size();
  }
  [[gnu::noinline]] void operator()(const char*, std::span<const float>& list) {
    list = {floats_, static_cast<std::size_t>(*numbers_++)};
    floats_ += list.size();
  }

 private:
  const double *numbers_, *lists_;
  const float* floats_;
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

// Takes a scheme's parameters from the transfer buffers.
SentScheme taken_scheme(double place);

// Fills a distance table, one row per head of the call.
void fill_distance_table(MatrixView table, std::int64_t first, const SentScheme& sent,
                         TableHeads heads);

}  // namespace ropewalk::bindings
