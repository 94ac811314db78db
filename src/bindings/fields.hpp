// Records of numbers that JavaScript sends in the buffer of doubles. A record is a struct of
// doubles with the one list of its fields, a function
//
//   template <class Visit> constexpr void fields(Record& r, Visit visit)
//
// that calls visit(name, field) for each. The build gives names and places to TypeScript
// (field_names.cpp), so that neither side repeats the other.
#pragma once

#include <cstddef>

#include "bindings/boundary.hpp"

namespace ropewalk::bindings {

template <class Record>
constexpr std::size_t field_count() {
  Record record{};
  std::size_t count = 0;
  fields(record, [&](const char*, double&) { ++count; });
  return count;
}

// Returns the next record of a call, which stays in the buffer.
template <class Record>
const Record& take_record() {
  constexpr std::size_t count = field_count<Record>();
  static_assert(sizeof(Record) == count * sizeof(double), "each field must be listed");
  return *reinterpret_cast<const Record*>(doubles_in.take(count).data());
}

}  // namespace ropewalk::bindings
