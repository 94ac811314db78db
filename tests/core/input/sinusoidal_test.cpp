#include "input/sinusoidal.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "reference/input.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

Matrix table(std::span<const double> positions, std::size_t dim,
             const SinusoidOptions& options = {}) {
  Matrix values(positions.size(), dim);
  sinusoidal(values.view(), positions, options);
  return values;
}

double product(const Matrix& values, std::size_t m, std::size_t n) {
  return reference::dot(values.view().row(m), values.view().row(n)).value;
}

// One rounding to float of a value within [-1, 1], and what the angle loses in double.
double table_error(double position) {
  return rounding / 2 + std::abs(position) * 0x1p-51 + 0x1p-50;
}

}  // namespace

TEST_CASE(
    "C08 position 3 of width 8 has the published numbers in every layout, spacing and order") {
  const double paper[] = {0.141120008, -0.989992497, 0.295520207, 0.955336489,
                          0.0299955,   0.999550034,  0.002999996, 0.9999955};
  const double to_the_base[] = {0.141120008, 0.138798101, 0.006463259, 0.0003};
  const std::vector<double> three = {3};
  const auto one = [&](const SinusoidOptions& options) { return table(three, 8, options).values; };
  const auto interleaved = one({});
  const auto concatenated = one({.layout = SinusoidLayout::half_split});
  const auto cosine_first = one({.order = SinusoidOrder::cos_first});
  const auto cosines_first =
      one({.layout = SinusoidLayout::half_split, .order = SinusoidOrder::cos_first});
  const auto tensor2tensor =
      one({.layout = SinusoidLayout::half_split, .spacing = SinusoidSpacing::half_dim_minus_one});
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK_THAT(interleaved[2 * i], WithinAbs(paper[2 * i], 1e-7));
    CHECK_THAT(interleaved[2 * i + 1], WithinAbs(paper[2 * i + 1], 1e-7));
    CHECK(concatenated[i] == interleaved[2 * i]);
    CHECK(concatenated[4 + i] == interleaved[2 * i + 1]);
    CHECK(cosine_first[2 * i] == interleaved[2 * i + 1]);
    CHECK(cosine_first[2 * i + 1] == interleaved[2 * i]);
    CHECK(cosines_first[i] == concatenated[4 + i]);
    CHECK(cosines_first[4 + i] == concatenated[i]);
    CHECK_THAT(tensor2tensor[i], WithinAbs(to_the_base[i], 1e-7));
  }
}

TEST_CASE("both spacings start at 1, and only dim/2-1 ends at 1/base") {
  const auto paper = sinusoid_frequencies(8);
  const auto other = sinusoid_frequencies(8, {.spacing = SinusoidSpacing::half_dim_minus_one});
  CHECK((paper.front() == 1.0 && other.front() == 1.0));
  CHECK_THAT(paper.back(), WithinRel(1e-3, 1e-15));
  CHECK_THAT(other.back(), WithinRel(1e-4, 1e-15));
  CHECK_THAT(other[1], WithinAbs(0.046415888, 1e-9));
  CHECK_THAT(other[2], WithinAbs(0.002154435, 1e-9));
  CHECK(sinusoid_frequencies(2, {.spacing = SinusoidSpacing::half_dim_minus_one}) ==
        std::vector{1.0});
}

TEST_CASE("the longest wavelengths are the published ones") {
  const auto longest = [](std::size_t dim) {
    return 2 * std::numbers::pi / sinusoid_frequencies(dim).back();
  };
  CHECK_THAT(longest(512), WithinAbs(60611.477, 5e-4));
  CHECK_THAT(longest(128), WithinAbs(54410.143, 5e-4));
}

TEST_CASE(
    "an odd width ends with a lone first value, or with 0 where the spacing has no pair for it") {
  const std::vector<double> positions = {0, 3};
  for (const std::size_t dim : {1, 3, 7}) {
    const Matrix lone = table(positions, dim);
    CHECK_THAT(lone.at(1, dim - 1), WithinAbs(reference::sinusoidal(3, dim - 1, dim, 1e4), 1e-7));
    const Matrix without = table(positions, dim, {.spacing = SinusoidSpacing::half_dim_minus_one});
    CHECK(without.at(0, dim - 1) == 0.0f);
    CHECK(without.at(1, dim - 1) == 0.0f);
  }
  const Matrix joined = table(positions, 5, {.layout = SinusoidLayout::half_split});
  for (std::size_t c = 0; c < 3; ++c) CHECK(joined.at(1, c) == table(positions, 5).at(1, 2 * c));
  for (std::size_t c = 0; c < 2; ++c)
    CHECK(joined.at(1, 3 + c) == table(positions, 5).at(1, 2 * c + 1));
}

TEST_CASE("angles keep their accuracy far out") {
  const Matrix far = table(std::vector<double>{15962, 131071, 1e6}, 2);
  const double sines[] = {0.418935703, -0.575241684, -0.349993502};
  const double cosines[] = {-0.908015901, -0.817983499, 0.936752128};
  for (std::size_t t = 0; t < 3; ++t) {
    CHECK_THAT(far.at(t, 0), WithinAbs(sines[t], 1e-7));
    CHECK_THAT(far.at(t, 1), WithinAbs(cosines[t], 1e-7));
  }
}

TEST_CASE("C07 a shift is one linear map for every position") {
  const std::size_t dim = GENERATE(2, 8, 64);
  const double offset = GENERATE(0.0, 1.0, 2.5, -7.0, 100.0);
  Matrix map(dim, dim, 7.0f);
  sinusoidal_shift(map.view(), offset);
  for (std::size_t r = 0; r < dim; ++r) {
    for (std::size_t c = 0; c < dim; ++c) {
      if (r / 2 != c / 2) CHECK(map.at(r, c) == 0.0f);  // block-diagonal, blocks of two
    }
  }
  const std::vector<double> positions = {-20, 0, 1, 3, 0.5, 99, 4096, 131071};
  std::vector<double> shifted = positions;
  for (double& t : shifted) t += offset;
  const Matrix before = table(positions, dim), after = table(shifted, dim);
  Comparison comparison;
  for (std::size_t t = 0; t < positions.size(); ++t) {
    for (std::size_t r = 0; r < dim; ++r) {
      const double moved = reference::dot(map.view().row(r), before.view().row(t)).value;
      comparison.add(moved, after.at(t, r), 6 * table_error(positions[t] + std::abs(offset)));
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("C07 moving position 3 of width 4 by 2 gives position 5") {
  Matrix map(4, 4);
  sinusoidal_shift(map.view(), 2);
  const Matrix three = table(std::vector<double>{3}, 4);
  const double five[] = {-0.958924275, 0.283662185, 0.049979169, 0.99875026};
  for (std::size_t r = 0; r < 4; ++r) {
    CHECK_THAT(reference::dot(map.view().row(r), three.view().row(0)).value,
               WithinAbs(five[r], 2e-7));
  }
}

TEST_CASE(
    "C09 C10 the product of two positions depends on their distance alone, either way round") {
  const std::size_t dim = GENERATE(64, 128, 512), count = 120;
  const Matrix values = table(counted_positions(count), dim);
  for (const std::size_t offset : {0, 1, 10, 100}) {
    double expected = 0;
    for (const double frequency : sinusoid_frequencies(dim))
      expected += std::cos(double(offset) * frequency);
    for (std::size_t m = 0; m + offset < count; ++m) {
      const double bound = double(dim) * 2 * table_error(double(count));
      CHECK_THAT(product(values, m, m + offset), WithinAbs(expected, bound));
      CHECK(product(values, m, m + offset) == product(values, m + offset, m));
    }
  }
}

TEST_CASE("C09 the products have the published values") {
  const auto check = [](std::size_t dim, double one, double ten, double hundred) {
    const Matrix values = table(counted_positions(101), dim);
    const double bound = double(dim) * 2 * table_error(100);
    CHECK_THAT(product(values, 0, 0), WithinAbs(double(dim) / 2, bound));
    CHECK_THAT(product(values, 0, 1), WithinAbs(one, bound));
    CHECK_THAT(product(values, 10, 0), WithinAbs(ten, bound));
    CHECK_THAT(product(values, 0, 100), WithinAbs(hundred, bound));
  };
  check(64, 30.916832, 21.051629, 17.874669);
  check(128, 62.093684, 42.820023, 30.543455);
  check(512, 249.102098, 173.789725, 111.950209);
}

TEST_CASE("C11 the product falls off with distance in the large, and not monotonically") {
  const Matrix values = table(counted_positions(4096), 128);
  const auto mean = [&](std::size_t first, std::size_t past_end) {
    double sum = 0;
    for (std::size_t t = first; t < past_end; ++t) sum += product(values, 0, t);
    return sum / double(past_end - first);
  };
  CHECK(mean(0, 4) > mean(4, 16));
  CHECK(mean(4, 16) > mean(16, 64));
  CHECK(mean(16, 64) > mean(64, 256));
  CHECK(mean(64, 256) > mean(256, 1024));
  CHECK(mean(256, 1024) > mean(1024, 4096));
  std::size_t rises = 0;
  for (std::size_t t = 1; t < 4096; ++t) rises += product(values, 0, t) > product(values, 0, t - 1);
  CHECK(rises > 1000);
  for (std::size_t t = 1; t < 4096; ++t) CHECK(product(values, 0, t) < 63.0);
}

TEST_CASE("C12 no two positions share a vector") {
  const Matrix values = table(counted_positions(512), 64);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < values.rows; ++m) {
    for (std::size_t n = 0; n < m; ++n) {
      double squared = 0;
      for (std::size_t d = 0; d < values.cols; ++d)
        squared += std::pow(double(values.at(m, d)) - values.at(n, d), 2);
      nearest = std::min(nearest, squared);
    }
  }
  // The nearest are neighbours: |a - b|^2 = 2 (dim/2 - product).
  CHECK_THAT(nearest, WithinAbs(2 * (32 - 30.916832), 1e-5));
}

TEST_CASE("sinusoidal rejects invalid arguments") {
  Matrix values(1, 4);
  const std::vector<double> one = {0.0}, two = {0.0, 1.0};
  CHECK_THROWS_MATCHES(sinusoidal({values.values.data(), 1, 0}, one), std::invalid_argument,
                       Message("sinusoidal: dim must be positive, got 0"));
  CHECK_THROWS_MATCHES(sinusoidal(values.view(), one, {.base = -1}), std::invalid_argument,
                       Message("sinusoidal: base must be positive and finite, got -1"));
  CHECK_THROWS_AS(sinusoidal(values.view(), one, {.base = std::numeric_limits<double>::infinity()}),
                  std::invalid_argument);
  CHECK_THROWS_AS(sinusoidal(values.view(), one, {.base = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_MATCHES(sinusoidal(values.view(), two), std::invalid_argument,
                       Message("sinusoidal: table must be 2 x 4, got 1 x 4"));
}

TEST_CASE("sinusoidal_shift rejects invalid arguments") {
  Matrix odd(3, 3), oblong(2, 4), even(4, 4);
  CHECK_THROWS_MATCHES(
      sinusoidal_shift(odd.view(), 1), std::invalid_argument,
      Message("sinusoidal_shift: the map must be square with an even dim, got 3 x 3"));
  CHECK_THROWS_MATCHES(
      sinusoidal_shift(oblong.view(), 1), std::invalid_argument,
      Message("sinusoidal_shift: the map must be square with an even dim, got 2 x 4"));
  for (const SinusoidOptions& options : {SinusoidOptions{.layout = SinusoidLayout::half_split},
                                         SinusoidOptions{.order = SinusoidOrder::cos_first}}) {
    CHECK_THROWS_MATCHES(
        sinusoidal_shift(even.view(), 1, options), std::invalid_argument,
        Message("sinusoidal_shift: the layout must be interleaved with the sine first"));
  }
}
