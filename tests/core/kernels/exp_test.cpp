#include "kernels/exp.hpp"

#include <bit>
#include <catch_amalgamated.hpp>

#include "support/attention_case.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;

namespace {

std::vector<float> exponentials(std::vector<float> values) {
  values.resize((values.size() + Lanes::size - 1) / Lanes::size * Lanes::size, -1.0f);
  const ExpOfNonPositive exp;
  for (std::size_t i = 0; i < values.size(); i += Lanes::size)
    store(&values[i], exp(load(&values[i])));
  return values;
}

}  // namespace

TEST_CASE("exp keeps its bound on (-infinity, 0], and gives 0 in place of less than 2^-101") {
  std::vector<float>
      values;  // negative floats in the order of their bits: -0, denormals, ..., -104
  const auto last = std::bit_cast<std::uint32_t>(-104.0f);
  for (std::uint32_t bits = 0x80000000u; bits <= last; bits += 4001) {
    values.push_back(std::bit_cast<float>(bits));
  }
  for (float step = 0; step < 90; step += 0.001f) values.push_back(-step);
  const auto results = exponentials(values);
  Comparison comparison;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double exact = std::exp(double(values[i]));
    comparison.add(results[i], exact, exp_error(values[i]) * exact + least_weight);
  }
  CHECK_THAT(comparison, WithinBounds());
  for (const float result : results) REQUIRE((result == 0.0f || result >= 0x1p-101f));
}

TEST_CASE("exp of 0 is 1, of -infinity and of all that is far below +0, of NaN NaN") {
  const auto results = exponentials({0.0f, -0.0f, -infinity, -std::numeric_limits<float>::max(),
                                     -1e4f, -110.0f, -71.0f, not_a_number});
  CHECK((results[0] == 1.0f && results[1] == 1.0f));
  for (std::size_t i = 2; i < 7; ++i) CHECK(same_bits(results[i], 0.0f));
  CHECK(std::isnan(results[7]));
}
