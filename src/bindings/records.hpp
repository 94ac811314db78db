// Records of options that JavaScript sends as doubles. A record crosses in the order of its one
// list, fields(record, visit) in the namespace of the record, which calls visit(name, field) for
// each; TypeScript takes the names from field_names().
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "bindings/boundary.hpp"
#include "training/parameters.hpp"

namespace ropewalk::bindings {

// NaN stands for an option that was not given: the field keeps its default. Not inlined: there are
// a hundred calls.
template <class Field>
[[gnu::noinline]] void read(Field& field) {
  const double number = doubles_in.take(1)[0];
  if (!std::isnan(number)) field = static_cast<Field>(number);
}

template <class Record>
Record read_record() {
  Record record;
  fields(record, [](const char*, auto& field) { read(field); });
  return record;
}

// Each followed by a space.
template <class Record>
std::string field_names() {
  Record record;
  std::string names;
  fields(record, [&](const char* name, const auto&) { names.append(name).append(" "); });
  return names;
}

inline std::vector<std::uint32_t> ids_of(std::size_t count) {
  const std::span<double> numbers = doubles_in.take(count);
  return {numbers.begin(), numbers.end()};
}

// NaN stands for a number that was not given.
inline std::optional<double> given_number(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

// From its halves.
inline std::uint64_t seed_of(double high, double low) {
  return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
}

// One line each: name, rows, columns.
inline std::string parameter_lines(const ParameterList& parameters) {
  std::string names;
  for (const Parameter& parameter : parameters.all()) {
    names.append(parameter.name).append(" ").append(text_of(double(parameter.rows)));
    names.append(" ").append(text_of(double(parameter.cols))).append("\n");
  }
  return names;
}

}  // namespace ropewalk::bindings
