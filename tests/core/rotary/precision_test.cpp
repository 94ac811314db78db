// Narrow formats, and what they do to rotary positions.
#include "rotary/precision.hpp"

#include <algorithm>
#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::WithinAbs;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Every finite non-negative number of a format, in order: exponent bits e, fraction bits f.
std::vector<double> all_numbers(int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  std::vector<double> numbers;
  for (int e = 0; e < (1 << exponent_bits) - 1; ++e) {
    for (int f = 0; f < 1 << fraction_bits; ++f) {
      const double significand = (e > 0 ? 1.0 : 0.0) + std::ldexp(f, -fraction_bits);
      numbers.push_back(std::ldexp(significand, std::max(e, 1) - bias));
    }
  }
  return numbers;
}

double largest_error(AngleMethod method, double position) {
  const auto errors = rotary_angle_errors(method, std::vector{position}, rotary_frequencies(128));
  return std::abs(*std::ranges::max_element(errors, {}, [](double e) { return std::abs(e); }));
}

}  // namespace

TEST_CASE("rounding finds the nearest number of a format, ties to even, for every number it has") {
  const auto [format, exponent_bits, fraction_bits] =
      GENERATE(std::tuple{NumberFormat::f16, 5, 10}, std::tuple{NumberFormat::bf16, 8, 7});
  const auto numbers = all_numbers(exponent_bits, fraction_bits);
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    const double low = numbers[i], high = numbers[i + 1], middle = 0.5 * (low + high);
    REQUIRE(rounded_to(format, low) == low);
    REQUIRE(rounded_to(format, -low) == -low);
    REQUIRE(rounded_to(format, middle) == (i % 2 == 0 ? low : high));
    REQUIRE(rounded_to(format, std::nextafter(middle, 0.0)) == low);
    REQUIRE(rounded_to(format, std::nextafter(middle, infinity)) == high);
  }
  const double largest = numbers.back(), step = largest - numbers[numbers.size() - 2];
  CHECK(rounded_to(format, std::nextafter(largest + 0.5 * step, 0.0)) == largest);
  CHECK(rounded_to(format, largest + 0.5 * step) == infinity);
  CHECK(rounded_to(format, -1e300) == -infinity);
  CHECK(std::signbit(rounded_to(format, -1e-300)));
  CHECK(std::isnan(rounded_to(format, NAN)));
}

TEST_CASE("rounding to f32 is the compiler's own, subnormals and overflow included") {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const double value = random.normal() * std::ldexp(1.0, static_cast<int>(i % 300) - 155);
    CHECK(rounded_to(NumberFormat::f32, value) == static_cast<double>(static_cast<float>(value)));
  }
  CHECK(rounded_to(NumberFormat::f32, 3.5e38) == infinity);
  CHECK(rounded_to(NumberFormat::f64, 0.1) == 0.1);
}

TEST_CASE("rounding happens once: a tie in bf16 that f32 would have made is not a tie") {
  const double just_above = 1.0 + 1.0 / 256.0 + std::ldexp(1.0, -40);
  CHECK(rounded_to(NumberFormat::bf16, just_above) == 1.0 + 1.0 / 128.0);
  CHECK(rounded_to(NumberFormat::bf16, static_cast<float>(just_above)) == 1.0);
}

TEST_CASE("bf16 names 385 of the first 512 positions and 769 of 4096, fp16 3073 of 4096") {
  const auto named = [](NumberFormat format, std::size_t count) {
    std::set<double> numbers;
    for (const double position : counted_positions(count)) {
      numbers.insert(rounded_to(format, position));
    }
    return numbers.size();
  };
  CHECK(named(NumberFormat::bf16, 512) == 385);
  CHECK(named(NumberFormat::bf16, 4096) == 769);
  CHECK(named(NumberFormat::f16, 4096) == 3073);
  CHECK(named(NumberFormat::f32, 4096) == 4096);
  CHECK(rounded_to(NumberFormat::f16, 65504.0) == 65504.0);
  CHECK(rounded_to(NumberFormat::f16, 65520.0) == infinity);
  CHECK(rounded_to(NumberFormat::bf16, 15962.0) - rounded_to(NumberFormat::bf16, 15900.0) == 64.0);
}

TEST_CASE(
    "with exact rotation a score depends on distance alone; with bf16 positions it does not") {
  const auto frequencies = rotary_frequencies(64);
  const std::vector<double> ones(64, 1.0), positions{1000, 1001, 1002, 1003, 2000, 3001};
  const auto spread = [&](const RotaryFormats& formats) {
    const auto scores = rounded_rotary_scores(ones, ones, positions, 3.0, frequencies,
                                              RotaryLayout::half_split, formats);
    const auto [least, most] = std::ranges::minmax(scores);
    return most - least;
  };
  CHECK(spread({}) < 1e-10);
  CHECK(spread({.table = NumberFormat::f32}) < 1e-5);
  CHECK(spread({.table = NumberFormat::bf16}) > 1e-3);
  CHECK(spread({.position = NumberFormat::bf16}) > 1.0);
}

TEST_CASE("rounded scores support both layouts") {
  const auto frequencies = rotary_frequencies(4);
  const std::vector<double> positions{5.0, 105.0}, q{1, .5, -1, 2}, k{.3, -.7, 1.2, .4};
  const auto scores =
      rounded_rotary_scores(q, k, positions, 2.0, frequencies, RotaryLayout::interleaved, {});
  CHECK_THAT(scores[0], WithinAbs(-1.208011740, 5e-10));
  CHECK_THAT(scores[1], WithinAbs(-1.208011740, 5e-10));
}

TEST_CASE("angles formed in float are off by 5e-3 at position 1e5, in double by 1e-11") {
  const auto errors =
      rotary_angle_errors(AngleMethod::float_product, std::vector{1e5}, rotary_frequencies(128));
  CHECK_THAT(std::abs(errors[1]), WithinAbs(5e-3, 1e-3));
  const double in_double = largest_error(AngleMethod::double_product, 1e5);
  const double in_float = largest_error(AngleMethod::float_product, 1e5);
  const double running = largest_error(AngleMethod::running_product, 1e5);
  CHECK((in_double > 0.0 && in_double < 1e-11));
  CHECK((running > 1.5 * in_float && running < 3.0 * in_float));
  CHECK_THAT(running, WithinAbs(1e-2, 5e-3));
  CHECK(largest_error(AngleMethod::recurrence, 1e5) > in_double);
}

TEST_CASE("a recurrence takes positions in any order, and rejects those it cannot reach") {
  const auto frequencies = rotary_frequencies(8);
  const auto up =
      rotary_angle_errors(AngleMethod::recurrence, std::vector{0.0, 7.0, 300.0}, frequencies);
  const auto down =
      rotary_angle_errors(AngleMethod::recurrence, std::vector{300.0, 7.0, 0.0}, frequencies);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(up[i] == 0.0);
    CHECK(up[i] == down[8 + i]);
    CHECK(up[8 + i] == down[i]);
  }
  CHECK_THROWS_AS(rotary_angle_errors(AngleMethod::recurrence, std::vector{0.5}, frequencies),
                  std::invalid_argument);
}
