// A case of the vectors as text: what the runner sends, and what it gets back.
//
//   number NAME VALUE | text NAME WORD | array NAME RANK EXTENTS... VALUES...   then   run SUITE
#pragma once

#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ropewalk {

struct Array {
  std::vector<std::size_t> shape;
  std::vector<double> values;

  std::size_t size() const { return values.size(); }
  std::vector<float> floats() const { return {values.begin(), values.end()}; }
  std::vector<std::uint32_t> ids() const { return {values.begin(), values.end()}; }
};

struct Case {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;
  std::map<std::string, Array> arrays;

  bool has(const std::string& name) const {
    return numbers.contains(name) || texts.contains(name) || arrays.contains(name);
  }
  double number(const std::string& name) const { return numbers.at(name); }
  double number(const std::string& name, double otherwise) const {
    return numbers.contains(name) ? numbers.at(name) : otherwise;
  }
  std::size_t whole(const std::string& name) const { return std::size_t(numbers.at(name)); }
  std::string text(const std::string& name) const {
    return texts.contains(name) ? texts.at(name) : "";
  }
  const Array& array(const std::string& name) const { return arrays.at(name); }
};

// Reads a case up to its `run`; returns the suite, or nothing at the end.
inline std::string read_case(std::istream& in, Case& one) {
  one = {};
  for (std::string kind, name; in >> kind >> name;) {
    if (kind == "run") return name;
    if (kind == "number") in >> one.numbers[name];
    if (kind == "text") in >> one.texts[name];
    if (kind != "array") continue;
    Array& array = one.arrays[name];
    std::size_t rank, count = 1;
    in >> rank;
    array.shape.resize(rank);
    for (std::size_t& extent : array.shape) {
      in >> extent;
      count *= extent;
    }
    array.values.resize(count);
    for (double& value : array.values) in >> value;
  }
  return {};
}

template <class Numbers>
void write_array(std::ostream& out, const std::string& name, const Numbers& values) {
  out << name << ' ' << std::size(values) << std::setprecision(9);
  for (const auto value : values) out << ' ' << value;
  out << '\n';
}

}  // namespace ropewalk
