#include <cmath>

#include "bias/buckets.hpp"
#include "bias/distance.hpp"
#include "bias/network.hpp"
#include "content/relative.hpp"
#include "fuzz/core/cases.hpp"
#include "reference/bias.hpp"
#include "support/distance_tables.hpp"

namespace ropewalk::fuzz {
namespace {

// A float that is a formula in double, rounded once; the formula's own error is far below.
double once_rounded(double exact) { return 1.01 * rounding * std::abs(exact) + smallest_normal; }

DistanceTable drawn_table(Draws& draws, std::size_t heads) {
  const auto first = -std::int64_t(draws.below(2000));
  return {heads, first, 1 + draws.below(300)};
}

// What each head and distance gets, against `formula`.
template <class Formula>
void compare(const DistanceTable& table, BiasDirection direction, Comparison& comparison,
             Formula formula) {
  for (std::size_t h = 0; h < table.heads; ++h) {
    for (std::size_t c = 0; c < table.count; ++c) {
      const std::int64_t offset = table.first + std::int64_t(c);
      const bool unseen = offset > 0 && direction == BiasDirection::causal;
      const double exact = formula(h, unseen ? 0.0 : std::abs(double(offset)));
      comparison.add(table.at(h, offset), exact, once_rounded(exact));
    }
  }
}

BiasDirection drawn_direction(Draws& draws) {
  return draws.chance(1, 2) ? BiasDirection::causal : BiasDirection::symmetric;
}

void slopes(Draws& draws, Comparison& comparison) {
  const std::size_t heads = draws.size(130);
  const auto exact = reference::alibi_slopes(heads), actual = alibi_slopes(heads);
  for (std::size_t h = 0; h < heads; ++h) comparison.add(actual[h], exact[h], 1e-14 * exact[h]);
  DistanceTable table = drawn_table(draws, heads);
  const BiasDirection direction = drawn_direction(draws);
  alibi(table.view(), table.first, actual, direction);
  compare(table, direction, comparison,
          [&](std::size_t h, double distance) { return -exact[h] * distance; });
}

void kernels(Draws& draws, Comparison& comparison) {
  const std::size_t heads = draws.size(5);
  std::vector<double> r1(heads), r2(heads);
  for (std::size_t h = 0; h < heads; ++h)
    r1[h] = draws.uniform(0.01, 4), r2[h] = draws.uniform(0.01, 2);
  DistanceTable table = drawn_table(draws, heads);
  const BiasDirection direction = drawn_direction(draws);
  kerple(table.view(), table.first, r1, r2, {KerpleKind::logarithmic, direction});
  compare(table, direction, comparison, [&](std::size_t h, double distance) {
    return reference::kerple_log(r1[h], r2[h], distance);
  });
  kerple(table.view(), table.first, r1, r2, {KerpleKind::power, direction});
  compare(table, direction, comparison, [&](std::size_t h, double distance) {
    return reference::kerple_power(r1[h], r2[h], distance);
  });
}

void sandwiches(Draws& draws, Comparison& comparison) {
  const std::size_t heads = draws.size(5), dim = 2 * draws.size(64);
  DistanceTable table = drawn_table(draws, heads);
  sandwich(table.view(), table.first, {.dim = dim});
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t c = 0; c < table.count; ++c) {
      const std::int64_t offset = table.first + std::int64_t(c);
      const double exact = reference::sandwich(std::abs(double(offset)), dim, h, heads);
      // Cosines of angles below 2300 in double, each within 1e-12, divided as the head says.
      const double cosines = 1e-12 * double(dim) * double(heads) / double(h + 1);
      comparison.add(table.at(h, offset), exact, once_rounded(exact) + cosines);
    }
  }
}

void fires(Draws& draws, Comparison& comparison) {
  const FireOptions options{draws.uniform(0.01, 2), draws.uniform(0.5, 600), draws.uniform(0.2, 2),
                            1e-6};
  for (std::size_t i = 0; i < 20; ++i) {
    const double query = draws.position(4000, false), key = draws.position(4000, false);
    const double reach = options.threshold * options.multiplier;
    const double exact = reference::fire_input(query, key, options.c, reach, options.epsilon);
    comparison.add(fire_input(query, key, options), exact, 1e-13 * exact);
  }
}

// A bucket begins where a power is reached, which doubles may miss by a unit: there both are right.
template <class Bucket, class Formula>
void compare_buckets(Draws& draws, Comparison& comparison, Bucket bucket, Formula formula) {
  for (std::size_t i = 0; i < 40; ++i) {
    const auto relative = long(draws.position(20000));
    const double actual = double(bucket(relative)), exact = formula(relative);
    const long outwards = relative < 0 ? -1 : 1;
    const double before = formula(relative - outwards), after = formula(relative + outwards);
    const bool at_edge = exact != before || exact != after;
    comparison.add(actual, exact, at_edge && (actual == before || actual == after) ? 1 : 0);
  }
}

void t5_buckets(Draws& draws, Comparison& comparison) {
  const bool bidirectional = draws.chance(1, 2);
  const int buckets = 4 + int(draws.below(400)), max_distance = buckets + int(draws.below(3000));
  const T5Buckets bucket(bidirectional ? T5Direction::bidirectional : T5Direction::causal, buckets,
                         max_distance);
  compare_buckets(draws, comparison, bucket, [&](long relative) {
    return reference::t5_bucket(relative, bidirectional, buckets, max_distance);
  });
}

void deberta_buckets(Draws& draws, Comparison& comparison) {
  const int buckets = 4 + 2 * int(draws.below(200)),
            max_distance = buckets + int(draws.below(3000));
  const DebertaBuckets bucket(buckets, max_distance);
  compare_buckets(draws, comparison, bucket, [&](long relative) {
    return reference::deberta_bucket(relative, buckets, max_distance);
  });
}

constexpr Case cases[] = {{"slopes", slopes},         {"kernels", kernels},
                          {"sandwiches", sandwiches}, {"fires", fires},
                          {"t5_buckets", t5_buckets}, {"deberta_buckets", deberta_buckets}};

}  // namespace

std::span<const Case> bias_cases() { return cases; }

}  // namespace ropewalk::fuzz
