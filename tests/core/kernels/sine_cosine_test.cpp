#include "kernels/sine_cosine.hpp"

#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "base/random.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;

namespace {

constexpr double half_bit = 0x1p-53;  // of a number in [1/2, 1]

// Reduction, polynomial and the sum that ends it round once each; half a bit for the reference.
constexpr double bound = 4 * half_bit;

void compare(const std::vector<double>& angles) {
  const Turns turns(angles);
  Comparison comparison;
  for (std::size_t i = 0; i < angles.size(); ++i) {
    comparison.add(turns.sines[i], std::sin(angles[i]), bound);
    comparison.add(turns.cosines[i], std::cos(angles[i]), bound);
  }
  CHECK_THAT(comparison, WithinBounds());
}

std::vector<double> random_angles(std::size_t count, double largest) {
  Random random(count);
  std::vector<double> angles(count);
  for (double& angle : angles) angle = random.uniform(-largest, largest);
  return angles;
}

}  // namespace

TEST_CASE("sines and cosines are the library's at every size of angle") {
  for (const double largest : {1e-12, 0.5, 4.0, 100.0, 1e5, 0x1p24 * std::numbers::pi / 2, 1e12}) {
    compare(random_angles(10000, largest));
  }
}

TEST_CASE("sines and cosines keep their accuracy beside every whole number of quarter turns") {
  std::vector<double> angles;
  for (double quarters = 0; quarters <= 0x1p24; quarters = quarters * 1.01 + 1) {
    const double angle = std::floor(quarters) * (std::numbers::pi / 2);
    for (const double beside : {angle, std::nextafter(angle, 1e9), std::nextafter(angle, -1e9)}) {
      angles.insert(angles.end(), {beside, -beside});
    }
  }
  compare(angles);
  const Turns turns(angles);
  // Near a zero it is the reduction that counts: its last product, below 2^-34, is rounded.
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double exact = std::sin(angles[i]);
    if (std::abs(exact) < 1e-3) CHECK(std::abs(turns.sines[i] - exact) <= 0x1p-50 * std::abs(exact) + 0x1p-87);
  }
}

TEST_CASE("sines and cosines work at every length and offset") {
  const auto all = random_angles(64, 30);
  for (std::size_t offset : {0, 1, 3}) {
    for (std::size_t length = 0; length <= 33; ++length) {
      const std::span<const double> angles = std::span(all).subspan(offset, length);
      std::vector<double> sines(length + 1, 7.0), cosines(length + 1, 7.0);
      sines_and_cosines(angles, {sines.data(), length}, {cosines.data(), length});
      for (std::size_t i = 0; i < length; ++i) {
        CHECK(std::abs(sines[i] - std::sin(angles[i])) <= bound);
        CHECK(std::abs(cosines[i] - std::cos(angles[i])) <= bound);
      }
      CHECK((sines[length] == 7.0 && cosines[length] == 7.0));
    }
  }
}

TEST_CASE("what is no number stays in its lane, and the sign of 0 is kept") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Turns turns(std::vector<double>{0.0, -0.0, std::nan(""), infinity, -infinity, 1e300, 1.0});
  CHECK((turns.sines[0] == 0.0 && !std::signbit(turns.sines[0]) && turns.cosines[0] == 1.0));
  CHECK((turns.sines[1] == 0.0 && std::signbit(turns.sines[1])));
  for (std::size_t i : {2, 3, 4}) CHECK((std::isnan(turns.sines[i]) && std::isnan(turns.cosines[i])));
  CHECK(turns.sines[5] == std::sin(1e300));
  CHECK(std::abs(turns.sines[6] - std::sin(1.0)) <= bound);
}

TEST_CASE("sums of angles are the sines of the sums, at every length, in runs and in pairs") {
  const auto a = random_angles(33, 50), b = random_angles(34, 50);
  const Turns left(a), right(std::span<const double>(b.data(), 33));
  for (std::size_t count = 0; count <= 33; ++count) {
    std::vector<float> sines(count + 1, 7.0f), cosines(count + 1, 7.0f);
    std::vector<float> pairs(2 * count + 1, 7.0f), turned(2 * count + 1, 7.0f);
    write_sums(left, right, count, sines.data(), cosines.data());
    write_sums_in_pairs(left, right, count, pairs.data(), false);
    write_sums_in_pairs(left, right, count, turned.data(), true);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(std::abs(sines[i] - std::sin(a[i] + b[i])) <= rounding / 2 + 1e-14);
      CHECK(std::abs(cosines[i] - std::cos(a[i] + b[i])) <= rounding / 2 + 1e-14);
      CHECK(sines[i] == static_cast<float>(sine_of_sum(left, right, i)));
      CHECK((pairs[2 * i] == sines[i] && pairs[2 * i + 1] == cosines[i]));
      CHECK((turned[2 * i] == cosines[i] && turned[2 * i + 1] == sines[i]));
    }
    CHECK((sines[count] == 7.0f && cosines[count] == 7.0f));
    CHECK((pairs[2 * count] == 7.0f && turned[2 * count] == 7.0f));
  }
}

TEST_CASE("sines and cosines are the same bits in every build") {
  std::uint64_t mixed = 0;
  const Turns turns(random_angles(1000, 1e6));
  for (std::size_t i = 0; i < 1000; ++i) {
    mixed = mixed * 31 + std::bit_cast<std::uint64_t>(turns.sines[i]);
    mixed = mixed * 31 + std::bit_cast<std::uint64_t>(turns.cosines[i]);
  }
  CHECK(mixed == 0x2e1a0aafff74928f);
}
