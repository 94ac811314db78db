#include "kernels/angle_sums.hpp"

#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;

namespace {

std::vector<double> random_angles(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> angles(count);
  for (double& angle : angles) angle = random.uniform(-50, 50);
  return angles;
}

}  // namespace

TEST_CASE("sums of angles are the sines of the sums, at every length, in runs and in pairs") {
  const auto a = random_angles(33, 1), b = random_angles(33, 2);
  const SinCos left(a), right(b);
  // A float's rounding of a value within [-1, 1], and a few of the doubles before it.
  const double bound = rounding / 2 + 0x1p-45;
  for (std::size_t count = 0; count <= 33; ++count) {
    std::vector<float> sines(count + 1, 7.0f), cosines(count + 1, 7.0f);
    std::vector<float> pairs(2 * count + 1, 7.0f), turned(2 * count + 1, 7.0f);
    write_sums(left, right, count, sines.data(), cosines.data());
    write_sums_in_pairs(left, right, count, pairs.data(), false);
    write_sums_in_pairs(left, right, count, turned.data(), true);
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(std::abs(sines[i] - std::sin(a[i] + b[i])) <= bound);
      CHECK(std::abs(cosines[i] - std::cos(a[i] + b[i])) <= bound);
      CHECK(sines[i] ==
            static_cast<float>(sine_of_sum(left, right, i)));  // whole lanes and rest alike
      CHECK(cosines[i] == static_cast<float>(cosine_of_sum(left, right, i)));
      CHECK((pairs[2 * i] == sines[i] && pairs[2 * i + 1] == cosines[i]));
      CHECK((turned[2 * i] == cosines[i] && turned[2 * i + 1] == sines[i]));
    }
    CHECK((sines[count] == 7.0f && cosines[count] == 7.0f));
    CHECK((pairs[2 * count] == 7.0f && turned[2 * count] == 7.0f));
  }
}

TEST_CASE("adding no angle changes no bit") {
  const auto a = random_angles(16, 3);
  const SinCos turns(a), none(std::vector<double>(16, 0.0));
  for (std::size_t i = 0; i < 16; ++i) {
    CHECK(sine_of_sum(turns, none, i) == turns.sines[i]);
    CHECK(cosine_of_sum(turns, none, i) == turns.cosines[i]);
  }
}

TEST_CASE("sums of angles are the same bits in every build") {
  const SinCos left(random_angles(1000, 4)), right(random_angles(1000, 5));
  std::vector<float> pairs(2000);
  write_sums_in_pairs(left, right, 1000, pairs.data(), false);
  std::uint32_t mixed = 0;
  for (const float value : pairs) mixed = mixed * 31 + std::bit_cast<std::uint32_t>(value);
  CHECK(mixed == 0x66cf5ad5);
}
