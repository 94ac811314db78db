#include <catch_amalgamated.hpp>
#include <limits>

#include "bias/distance.hpp"
#include "bias/network.hpp"
#include "reference/bias.hpp"
#include "support/allocations.hpp"
#include "support/distance_tables.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinAbs;

TEST_CASE("KERPLE has the known values") {
  DistanceTable known(1, -100, 101);
  const std::vector<double> one = {1.0}, half = {0.5};
  KerpleBias{.r1 = one, .r2 = one}.fill(known.view(), -100, {0, 1});
  CHECK_THAT(known.at(0, -1), WithinAbs(-0.693147181, 5e-8));
  CHECK_THAT(known.at(0, -10), WithinAbs(-2.397895273, 3e-7));
  CHECK_THAT(known.at(0, -100), WithinAbs(-4.615120517, 5e-7));
  KerpleBias{.kind = KerpleKind::power, .r1 = half, .r2 = one}.fill(known.view(), -100, {0, 1});
  CHECK(known.at(0, -4) == -2.0f);
}

TEST_CASE("KERPLE rejects parameters outside its range") {
  DistanceTable table(1, 0, 1);
  const auto attempt = [&](KerpleKind kind, double r1, double r2) {
    KerpleBias{.kind = kind, .r1 = {&r1, 1}, .r2 = {&r2, 1}}.fill(table.view(), 0, {0, 1});
  };
  CHECK_THROWS_MATCHES(attempt(KerpleKind::power, 1, 2.5), std::invalid_argument,
                       Message("kerple: r2 of the power kind must be at most 2, got 2.5"));
  CHECK_THROWS_MATCHES(attempt(KerpleKind::logarithmic, 0, 1), std::invalid_argument,
                       Message("kerple: r1 must be greater than 0, got 0"));
}

TEST_CASE("Sandwich as the paper's text has it: pairs from 1, and 0 at the origin") {
  DistanceTable table(8, -100, 101);
  const SandwichBias as_written{.dim = 128, .first_pair = 1, .zero_at_origin = true, .base = 1e4};
  as_written.fill(table.view(), table.first, {0, 8});
  CHECK(table.at(0, 0) == 0.0f);
  CHECK_THAT(table.at(0, -1), WithinAbs(-1.446619, 1e-6));
  CHECK_THAT(table.at(0, -10), WithinAbs(-19.340906, 2e-6));
  CHECK_THAT(table.at(0, -100), WithinAbs(-33.318914, 3e-6));
  CHECK_THAT(table.at(3, -100), WithinAbs(-33.318914 / 4, 3e-6));
}

TEST_CASE("the input of FIRE's network is the distance divided by the query's position") {
  CHECK_THAT(fire_input(10, 3), WithinAbs(0.134163603, 1e-9));
  CHECK_THAT(fire_input(600, 3), WithinAbs(0.998800458, 1e-9));
  CHECK_THAT(fire_input(1000, 900), WithinAbs(0.519573594, 1e-9));
  CHECK(fire_input(10, 3) == reference::fire_input(10, 3, 0.1, 512, 1e-6));
}

TEST_CASE("FIRE's bias is its network of that share, per head") {
  const std::size_t hidden = 5, heads = 2;
  const auto w1 = random_floats(hidden, 1), b1 = random_floats(hidden, 2);
  const auto w2 = random_floats(heads * hidden, 3), b2 = random_floats(heads, 4);
  const BiasNetwork network{{w1.data(), hidden, 1}, b1, {w2.data(), heads, hidden}, b2};
  const std::vector<double> queries = {0, 7, 900}, keys = {0, 3, 7, 880};
  std::vector<float> bias(heads * queries.size() * keys.size());
  fire({bias.data(), heads * queries.size(), keys.size()}, queries, keys, network);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t m = 0; m < queries.size(); ++m) {
      for (std::size_t n = 0; n < keys.size(); ++n) {
        const double input = reference::fire_input(queries[m], keys[n], 0.1, 512, 1e-6);
        double expected = b2[h];
        for (std::size_t i = 0; i < hidden; ++i) {
          expected += double(w2[h * hidden + i]) * std::max(double(w1[i]) * input + b1[i], 0.0);
        }
        CHECK_THAT(bias[(h * queries.size() + m) * keys.size() + n], WithinAbs(expected, 1e-6));
      }
    }
  }
  const BiasNetwork two_inputs{{w2.data(), heads, 2}, b1, {w2.data(), heads, hidden}, b2};
  CHECK_THROWS_MATCHES(fire({bias.data(), 6, 4}, queries, keys, two_inputs), std::invalid_argument,
                       Message("the bias network must take 1 inputs, got 2"));
}

TEST_CASE("FIRE allocates no more for many pairs than for one") {
  const std::vector<float> w1 = {1, -2, 3}, b1 = {0, 1, 2}, w2 = {1, 2, 3, 4, 5, 6};
  const BiasNetwork network{{w1.data(), 3, 1}, b1, {w2.data(), 2, 3}, {}};
  const auto allocations = [&](std::size_t length) {
    const auto at = counted_positions(length);
    std::vector<float> bias(2 * length * length);
    const std::size_t before = allocated().count;
    fire({bias.data(), 2 * length, length}, at, at, network);
    return allocated().count - before;
  };
  CHECK(allocations(30) == allocations(1));
}

TEST_CASE("a distance that is no whole number has no column") {
  const double bad =
      GENERATE(std::numeric_limits<double>::quiet_NaN(), 0.5, -0.5, 3.0, 1e300,
               std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity());
  const std::vector<float> table(5);
  std::vector<float> full(1);
  const auto expand = [&](double query, double key) {
    expand_by_offset({full.data(), 1, 1}, {table.data(), 1, 5}, -2, std::vector{query},
                     std::vector{key});
  };
  CHECK_NOTHROW(expand(0, 2));
  const auto message = MessageMatches(
      Catch::Matchers::StartsWith("expand_by_offset: the table has no column for key - query = "));
  CHECK_THROWS_MATCHES(expand(0, bad), std::invalid_argument, message);
  CHECK_THROWS_MATCHES(expand(bad, 0), std::invalid_argument, message);
}
