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
  return bucket + std::min(exact + int(share * (buckets - exact)), buckets - 1);
}

double kerple_log(double r1, double r2, double distance) {
  return -r1 * std::log(1 + r2 * distance);
}

double kerple_power(double r1, double r2, double distance) { return -r1 * std::pow(distance, r2); }

double sandwich(double distance, std::size_t dim, std::size_t head, std::size_t heads) {
  double sum = 0;
  for (std::size_t i = 0; i < dim / 2; ++i) {
    sum += std::cos(distance / std::pow(10000.0, 2.0 * double(i) / double(dim)));
  }
  return sum / (8.0 * double(head + 1) / double(heads));
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

}  // namespace ropewalk::reference
