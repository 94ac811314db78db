#include "reference/bias.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ropewalk::reference {

std::vector<double> alibi_slopes(std::size_t heads) {
  std::size_t power = 1;
  while (2 * power <= heads) power *= 2;
  std::vector<double> slopes;
  for (std::size_t h = 1; h <= power; ++h)
    slopes.push_back(std::pow(2.0, -8.0 * double(h) / double(power)));
  if (power == heads) return slopes;
  const std::vector<double> finer = alibi_slopes(2 * power);
  for (std::size_t h = 0; slopes.size() < heads; h += 2) slopes.push_back(finer[h]);
  return slopes;
}

int t5_bucket(long relative_position, bool bidirectional, int buckets, int max_distance) {
  int bucket = 0;
  long distance = std::max(-relative_position, 0L);
  if (bidirectional) {
    buckets /= 2;
    if (relative_position > 0) bucket = buckets;
    distance = std::labs(relative_position);
  }
  const int exact = buckets / 2;
  if (distance < exact) return bucket + int(distance);
  const double share = std::log(double(distance) / exact) / std::log(double(max_distance) / exact);
  // An edge that is a whole number is reached, which the logarithms may miss by a rounding.
  return bucket + std::min(exact + int(share * (buckets - exact) + 1e-12), buckets - 1);
}

double fire_input(double m, double n, double c, double threshold, double epsilon) {
  const double reach = std::max(m, threshold);
  return std::log(c * std::abs(m - n) + 1) / (std::log(c * reach + 1) + epsilon);
}

int deberta_bucket(long relative_position, int buckets, int max_distance) {
  const int mid = buckets / 2;
  const long distance = std::labs(relative_position);
  if (distance <= mid) return int(relative_position);
  const double share = std::log(double(distance) / mid) / std::log(double(max_distance - 1) / mid);
  const int bucket = int(std::ceil(share * (mid - 1))) + mid;
  return relative_position < 0 ? -bucket : bucket;
}

namespace {

double distance_of(const DistanceParameters& given, long offset) {
  const bool is_causal = given.numbers.at("direction") == 0;
  return is_causal && offset > 0 ? 0.0 : std::abs(double(offset));
}

// -slope_h d
Approximate alibi(const DistanceParameters& given, std::size_t head, long offset) {
  return {-alibi_slopes(given.heads)[head] * distance_of(given, offset)};
}

// table[bucket][h]
Approximate t5(const DistanceParameters& given, std::size_t head, long offset) {
  const std::vector<double>& table = given.lists.at("table");
  const int buckets = int(table.size() / given.heads);
  const int bucket = t5_bucket(offset, given.numbers.at("direction") == 1, buckets,
                               int(given.numbers.at("maxDistance")));
  return {table[std::size_t(bucket) * given.heads + head]};
}

// -r1 ln(1 + r2 d) or -r1 d^r2
Approximate kerple(const DistanceParameters& given, std::size_t head, long offset) {
  const double clamp = given.numbers.at("clamp"), d = distance_of(given, offset);
  const double r1 = std::max(given.lists.at("r1")[head], clamp);
  const double r2 = std::max(given.lists.at("r2")[head], clamp);
  const bool is_log = given.numbers.at("kind") == 0;
  return {-r1 * (is_log ? std::log(1 + r2 * d) : std::pow(d, std::min(r2, 2.0)))};
}

// (sum of cos(d base^(-2i / dim)) over dim/2 of i, minus dim/2 or 0) / (8 (head + 1) / heads)
Approximate sandwich(const DistanceParameters& given, std::size_t head, long offset) {
  const double dim = given.numbers.at("dim"), first = given.numbers.at("firstPair");
  const double base = given.numbers.at("base"), d = distance_of(given, offset);
  double sum = given.numbers.at("zeroAtOrigin") == 1 ? -dim / 2 : 0;
  for (double i = first; i < first + dim / 2; ++i) sum += std::cos(d / std::pow(base, 2 * i / dim));
  const double ratio = 8.0 * double(head + 1) / double(given.heads);
  // Cosines of angles below 2300 in double, each within 1e-12.
  return {sum / ratio, 8e-12 * dim / ratio};
}

}  // namespace

const std::vector<DistanceFormula>& distance_formulas() {
  static const std::vector<DistanceFormula> formulas = {
      {"alibi",
       {{"convention", 0, 0, 1},
        {"maxBias", 8, 8, 0},
        {"headOffset", 0, 0, 1},
        {"totalHeads", 0, 0, 1},
        {"direction", 0, 1, 1}},
       alibi},
      {"t5", {{"direction", 0, 1, 1}, {"maxDistance", 17, 300, 1}, {"table", -2, 2, 0, 32}}, t5},
      {"kerple",
       {{"kind", 0, 1, 1},
        {"direction", 0, 1, 1},
        {"clamp", 0, 0.1, 0},
        {"r1", 0.01, 4, 0, 1},
        {"r2", 0.01, 2, 0, 1}},
       kerple},
      {"sandwich",
       {{"dim", 2, 128, 2},
        {"firstPair", 0, 1, 1},
        {"zeroAtOrigin", 0, 1, 1},
        {"base", 100, 20000, 0},
        {"direction", 0, 1, 1}},
       sandwich},
  };
  return formulas;
}

}  // namespace ropewalk::reference
