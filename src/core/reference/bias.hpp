// The specification of biases by distance, in plain formulas in double. Tests compare the core with
// it; it does not ship and shares no code with the core.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ropewalk::reference {

// Slope of head 0 ... heads - 1 as the authors' recursion defines it.
std::vector<double> alibi_slopes(std::size_t heads);

// T5's bucket of key - query, as the authors' code computes it.
int t5_bucket(long relative_position, bool bidirectional, int buckets, int max_distance);

// The input of FIRE's network for query m and key n.
double fire_input(double m, double n, double c, double threshold, double epsilon);

// DeBERTa-v2's bucket of query - key.
int deberta_bucket(long relative_position, int buckets, int max_distance);

// The parameters of a bias by distance, by the names that the package has for them. An enumeration
// is the place of its value, a list has its values for each head together.
struct DistanceParameters {
  std::size_t heads;
  std::map<std::string, double> numbers;
  std::map<std::string, std::vector<double>> lists;
};

// Of which a test draws a parameter: least, least + step, ... or, with step 0, any number up to
// most. per_head: how many values a list has for each head; 0: a number.
struct ParameterRange {
  const char* name;
  double least, most, step;
  std::size_t per_head = 0;
};

// What a formula in double is, and may be off by.
struct Approximate {
  double value, error = 0.0;
};

// A bias by distance: key - query = offset.
struct DistanceFormula {
  const char* name;
  std::vector<ParameterRange> parameters;
  Approximate (*bias)(const DistanceParameters& given, std::size_t head, long offset);
};

// One for each scheme of the core.
const std::vector<DistanceFormula>& distance_formulas();

}  // namespace ropewalk::reference
