// Angles from increments, and attention that is rotated by given angles.
#include "rotary/accumulated.hpp"

#include <catch_amalgamated.hpp>

#include "rotary/rotate.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinAbs;

namespace {

struct Accumulated {
  std::vector<double> angles, state;

  explicit Accumulated(const AngleAccumulation& of, std::vector<double> start = {})
      : angles(of.heads * of.length * of.pairs), state(std::move(start)) {
    state.resize(of.heads * of.width);
    accumulate_angles(angles, state, of);
  }
};

}  // namespace

TEST_CASE("each sum of increments equals its definition") {
  const std::vector<float> phi{1, 2, 4, 8};
  const std::vector<double> temperature{0.5};
  const auto of = [&](AngleSum sum) {
    return Accumulated({1, 4, 1, 1, phi, temperature, sum}).angles;
  };
  CHECK(of(AngleSum::inclusive) == std::vector<double>{.5, 1.5, 3.5, 7.5});
  CHECK(of(AngleSum::exclusive) == std::vector<double>{0, .5, 1.5, 3.5});
  CHECK(of(AngleSum::each) == std::vector<double>{.5, 1, 2, 4});
}

TEST_CASE("a sequence in pieces has the angles of the whole, whatever the sum") {
  const auto sum = GENERATE(AngleSum::inclusive, AngleSum::exclusive, AngleSum::each);
  const std::size_t width = GENERATE(1, 3);
  const std::vector<float> phi = random_floats(9 * width, 5);
  const std::vector<double> temperatures{1, .1, .01};
  const Accumulated whole({1, 9, width, 3, phi, temperatures, sum});
  const std::span all(phi);
  const Accumulated first({1, 4, width, 3, all.first(4 * width), temperatures, sum});
  const Accumulated second({1, 5, width, 3, all.subspan(4 * width), temperatures, sum},
                           first.state);
  auto joined = first.angles;
  joined.insert(joined.end(), second.angles.begin(), second.angles.end());
  CHECK(joined == whole.angles);
  CHECK(second.state == whole.state);
}

TEST_CASE("temperatures per head and pair serve their own heads") {
  const std::vector<float> phi{1, 1};
  const std::vector<double> temperatures{1, 2, 3, 4};
  const Accumulated of({2, 1, 1, 2, phi, temperatures});
  CHECK(of.angles == temperatures);
}

TEST_CASE("the gradient of increments is that of central differences") {
  const auto sum = GENERATE(AngleSum::inclusive, AngleSum::exclusive, AngleSum::each);
  const std::size_t width = GENERATE(1, 2);
  std::vector<float> phi = random_floats(2 * 5 * width, 6);
  const std::vector<double> temperatures{1, .25};
  const std::vector<float> weights = random_floats(2 * 5 * 2, 7);
  const std::vector<double> d_angles(weights.begin(), weights.end());
  const AngleAccumulation of{2, 5, width, 2, phi, temperatures, sum};
  std::vector<float> d_phi(phi.size());
  accumulate_angles_backward(d_phi, d_angles, of);
  const auto loss = [&] {
    const auto angles = Accumulated(of).angles;
    double total = 0;
    for (std::size_t i = 0; i < angles.size(); ++i) total += angles[i] * d_angles[i];
    return total;
  };
  for (std::size_t i = 0; i < phi.size(); ++i) {
    const float value = phi[i];
    phi[i] = value + .5f;
    const double above = loss(), step = double(phi[i]);
    phi[i] = value - .5f;
    CHECK_THAT(d_phi[i], WithinAbs((above - loss()) / (step - double(phi[i])), 1e-6));
    phi[i] = value;
  }
}

TEST_CASE("the temperatures of Selective RoPE are those of its code") {
  const auto rope = angle_temperatures(4, AngleTemperature::rope, 500000, 1);
  const double expected[] = {1, .037606031, .001414214, .0000531830};
  for (std::size_t i = 0; i < 4; ++i) CHECK_THAT(rope[i], WithinAbs(expected[i], 5e-10));
  const auto rfa = angle_temperatures(4, AngleTemperature::rfa, .9, 1);
  const double other[] = {0, .080700903, .217997480, 1};
  for (std::size_t i = 0; i < 4; ++i) CHECK_THAT(rfa[i], WithinAbs(other[i], 5e-10));
  CHECK_THROWS_MATCHES(angle_temperatures(4, AngleTemperature::rfa, 1, 1), std::invalid_argument,
                       MessageMatches(ContainsSubstring("base of 'rfa' must be less than 1")));
}
