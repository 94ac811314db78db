#include "encodings/sinusoidal.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "reference/encodings.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;

namespace {

std::vector<float> table(std::span<const double> positions, std::size_t dim,
                         const SinusoidOptions& options = {}) {
  std::vector<float> values(positions.size() * dim);
  sinusoidal({values.data(), positions.size(), dim}, positions, options);
  return values;
}

double dot_of_rows(const std::vector<float>& values, std::size_t dim, std::size_t m, std::size_t n) {
  double sum = 0;
  for (std::size_t d = 0; d < dim; ++d) sum += double(values[m * dim + d]) * values[n * dim + d];
  return sum;
}

}  // namespace

TEST_CASE("C08 the sinusoid is its formula, for every column, and stays within [-1, 1]") {
  const std::size_t dim = GENERATE(1, 2, 5, 8, 128);
  const double base = GENERATE(10000.0, 500000.0);
  const std::vector<double> positions = {0, 1, 2.5, 49, 131071, 1e6, 16777216};
  const auto values = table(positions, dim, {.base = base});
  for (std::size_t t = 0; t < positions.size(); ++t) {
    for (std::size_t c = 0; c < dim; ++c) {
      CHECK_THAT(values[t * dim + c],
                 WithinAbs(reference::sinusoidal(positions[t], c, dim, base), 1e-7));
      CHECK(std::abs(values[t * dim + c]) <= 1.0f);
    }
  }
}

TEST_CASE("C09 C10 the product of two positions depends on their distance alone, either way round") {
  const std::size_t dim = 64, count = 120;
  const auto values = table(counted_positions(count), dim);
  for (std::size_t offset : {1, 10, 100}) {
    const double expected = offset == 1 ? 30.916832 : offset == 10 ? 21.051629 : 17.874669;
    for (std::size_t m = 0; m + offset < count; ++m) {
      CHECK_THAT(dot_of_rows(values, dim, m, m + offset), WithinAbs(expected, 1e-5));
      CHECK(dot_of_rows(values, dim, m, m + offset) == dot_of_rows(values, dim, m + offset, m));
    }
  }
}

TEST_CASE("sinusoidal refuses dim 0 and names it") {
  float nothing;
  CHECK_THROWS_MATCHES(sinusoidal({&nothing, 1, 0}, std::vector<double>{0.0}),
                       std::invalid_argument, Message("sinusoidal: dim must be positive, got 0"));
}
