#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <string>
#include <type_traits>

#include "base/require.hpp"
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

void slopes(Draws& draws, Comparison& comparison) {
  const std::size_t heads = draws.size(130);
  const auto exact = reference::alibi_slopes(heads), actual = alibi_slopes(heads);
  for (std::size_t h = 0; h < heads; ++h) comparison.add(actual[h], exact[h], 1e-14 * exact[h]);
}

double drawn(Draws& draws, const reference::ParameterRange& range) {
  if (range.step == 0) return draws.uniform(range.least, range.most);
  const auto steps = std::size_t((range.most - range.least) / range.step);
  return range.least + range.step * double(draws.below(steps + 1));
}

// Sets the fields of a scheme to the parameters of the same names, of which there must be no
// others.
class Parameters {
 public:
  Parameters(Draws& draws, const reference::DistanceFormula& formula, std::size_t heads)
      : given_{heads, {}, {}} {
    for (const reference::ParameterRange& range : formula.parameters) {
      if (range.per_head == 0) given_.numbers[range.name] = drawn(draws, range);
      for (std::size_t i = 0; i < heads * range.per_head; ++i)
        given_.lists[range.name].push_back(drawn(draws, range));
    }
    for (const auto& [name, list] : given_.lists) floats_[name].assign(list.begin(), list.end());
  }

  void operator()(const char* name, auto& field, std::initializer_list<const char*> = {}) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(given_.numbers.at(name));
  }
  void operator()(const char* name, std::span<const double>& field) { field = given_.lists[name]; }
  void operator()(const char* name, std::span<const float>& field) { field = floats_[name]; }

  const reference::DistanceParameters& given() const { return given_; }

 private:
  reference::DistanceParameters given_;
  std::map<std::string, std::vector<float>> floats_;
};

// Each scheme for some of its heads beside the formula of its name, and no formula without a
// scheme.
void schemes(Draws& draws, Comparison& comparison) {
  const auto& formulas = reference::distance_formulas();
  std::size_t known = 0;
  distance_schemes([&](const char* name, auto scheme) {
    const auto formula =
        std::ranges::find(formulas, std::string(name), [](const auto& each) { return each.name; });
    require(formula != formulas.end(), "the reference must have a formula for scheme ", known,
            " of the list");
    ++known;
    const std::size_t all = draws.size(5), head = draws.below(all), rows = draws.size(all - head);
    Parameters parameters(draws, *formula, all);
    scheme.fields(parameters);
    DistanceTable table(rows, -std::int64_t(draws.below(2000)), 1 + draws.below(300));
    scheme.fill(table.view(), table.first, {head, all});
    for (std::size_t h = 0; h < rows; ++h) {
      for (std::size_t c = 0; c < table.count; ++c) {
        const std::int64_t offset = table.first + std::int64_t(c);
        const auto [exact, error] = formula->bias(parameters.given(), head + h, long(offset));
        comparison.add(table.at(h, offset), exact, once_rounded(exact) + error);
      }
    }
  });
  require(known == formulas.size(), "the core must have ", formulas.size(), " schemes, got ",
          known);
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

constexpr Case cases[] = {{"slopes", slopes},
                          {"schemes", schemes},
                          {"fires", fires},
                          {"t5_buckets", t5_buckets},
                          {"deberta_buckets", deberta_buckets}};

}  // namespace

std::span<const Case> bias_cases() { return cases; }

}  // namespace ropewalk::fuzz
