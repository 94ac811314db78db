// Printed numbers of the extensions, and what holds between them. What each option does is tested
// through the package, in tests/package/rotary_scaling.test.mjs.
#include "rotary/scaling.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "reference/rotary.hpp"
#include "rotary/rotate.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr double two_pi = 2.0 * std::numbers::pi;

// A printed value holds to half a unit of its last digit; all here have nine or more.
constexpr double printed = 6e-9;

// The `turns` that every trained pair makes within a length.
std::size_t pairs_between(std::size_t dim, double base, double length, double least, double most) {
  const auto frequencies = rotary_frequencies(dim, base);
  return static_cast<std::size_t>(std::ranges::count_if(frequencies, [&](double frequency) {
    const double turns = length * frequency / two_pi;
    return turns >= least && turns < most;
  }));
}

}  // namespace

TEST_CASE("C25 the base sets which pairs complete a turn within a length") {
  const auto frequencies = rotary_frequencies(128);
  CHECK(frequencies[0] == 1.0);
  CHECK_THAT(frequencies[1], WithinRel(0.865964323, printed));
  CHECK_THAT(frequencies[32], WithinRel(0.01, 1e-14));
  CHECK_THAT(frequencies[63], WithinRel(1.15478198e-4, printed));
  CHECK(pairs_between(128, 1e4, 2048, 0.0, 1.0) == 23);
  CHECK(two_pi / frequencies[40] < 2048.0);
  CHECK(two_pi / frequencies[41] > 2048.0);
  CHECK(pairs_between(128, 1e4, 2048, 32.0, 1e9) == 17);
  CHECK(pairs_between(128, 5e5, 8192, 0.0, 1.0) == 29);
}

TEST_CASE("C28 Position Interpolation keeps every angle within the trained range") {
  const std::size_t dim = GENERATE(2, 8, 128);
  const double factor = GENERATE(1.5, 8.0, 32.0), original_length = 2048;
  const auto trained = rotary_frequencies(dim),
             used = position_interpolation(dim, 1e4, factor).inverse_frequencies;
  const double last = factor * (original_length - 1.0);
  for (std::size_t i = 0; i < trained.size(); ++i) {
    CHECK(last * used[i] <= (original_length - 1.0) * trained[i] * (1.0 + 1e-15));
    CHECK_THAT(used[i] * factor, WithinRel(trained[i], 1e-15));  // neighbours crowd
  }
}

TEST_CASE("C28 Position Interpolation is its printed angles") {
  const auto used = position_interpolation(128, 1e4, 8.0).inverse_frequencies;
  CHECK(100.0 * used[0] == 12.5);
  CHECK_THAT(std::cos(100.0 * used[0]), WithinRel(0.997798279, printed));
  CHECK_THAT(100.0 * used[63], WithinRel(0.001443477, 4e-7));
}

TEST_CASE("C29 NTK keeps the fastest pair and interpolates the slowest by exactly the factor") {
  const std::size_t dim = GENERATE(4, 64, 128);
  const double base = GENERATE(1e4, 5e5), factor = GENERATE(1.5, 8.0, 40.0);
  const auto trained = rotary_frequencies(dim, base);
  const auto scaled = ntk(dim, base, {.factor = factor}).inverse_frequencies;
  CHECK(scaled.front() == trained.front());
  CHECK_THAT(scaled.back(), WithinRel(trained.back() / factor, 1e-13));
  for (std::size_t i = 1; i < scaled.size(); ++i) {
    CHECK(scaled[i] < trained[i]);
    CHECK(scaled[i] > trained[i] / factor * (1.0 - 1e-13));
  }
}

TEST_CASE("C29 Su's mixed form ends in his fixed form and in Position Interpolation") {
  const auto fixed = ntk(64, 1e4, {8.0, NtkForm::su_fixed}).inverse_frequencies;
  const auto first = ntk(64, 1e4, {8.0, NtkForm::su_mixed, 1.0}).inverse_frequencies;
  const auto zeroth = ntk(64, 1e4, {8.0, NtkForm::su_mixed, 0.0}).inverse_frequencies;
  const auto interpolated = position_interpolation(64, 1e4, 8.0).inverse_frequencies;
  const auto trained = rotary_frequencies(64);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    const double by_formula = trained[i] * std::pow(8.0, -2.0 * double(i + 1) / 64.0);
    CHECK_THAT(fixed[i], WithinRel(by_formula, 1e-13));
    CHECK(first[i] == fixed[i]);
    CHECK_THAT(zeroth[i], WithinRel(interpolated[i], 1e-14));
  }
}

TEST_CASE(
    "Su's mixed form with any exponent divides the last pair by the factor, and others by less") {
  const auto trained = rotary_frequencies(8);
  const auto scaled = ntk(8, 1e4, {8.0, NtkForm::su_mixed, 0x1p31}).inverse_frequencies;
  for (std::size_t i = 0; i < 3; ++i) CHECK(scaled[i] == trained[i]);
  CHECK_THAT(scaled[3], WithinRel(trained[3] / 8.0, 1e-14));
}

TEST_CASE("a key cached under another dynamic base breaks the relative score") {
  const auto at = [](double length) {
    return ntk(128, 1e4, {.factor = dynamic_ntk_factor(2.0, length, 2048)}).inverse_frequencies;
  };
  // Unit pairs: a pair at angles a and b contributes cos(a - b).
  const auto score = [](const std::vector<double>& query, const std::vector<double>& key) {
    double sum = 0.0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      sum += std::cos(4095.0 * query[i] - 3000.0 * key[i]);
    }
    return sum;
  };
  CHECK_THAT(score(at(4096), at(4096)), WithinAbs(16.488015, 5e-7));
  CHECK_THAT(score(at(4096), at(3001)), WithinAbs(28.358822, 5e-7));
}

TEST_CASE("C32 the by-parts ramp leads from interpolation to extrapolation") {
  const ByPartsRamp ramp = GENERATE(ByPartsRamp::coded, ByPartsRamp::published);
  const auto result =
      ntk_by_parts(128, 1e4, {.factor = 16.0, .original_length = 2048, .ramp = ramp});
  const auto trained = rotary_frequencies(128);
  CHECK(result.kept.front() == 1.0);
  CHECK(result.kept.back() == 0.0);
  CHECK(result.inverse_frequencies.front() == trained.front());
  CHECK_THAT(result.inverse_frequencies.back(), WithinRel(trained.back() / 16.0, 1e-15));
  for (std::size_t i = 1; i < trained.size(); ++i) {
    CHECK(result.kept[i] <= result.kept[i - 1]);
    const double turns = 2048.0 * trained[i] / two_pi;
    if (ramp == ByPartsRamp::published && turns >= 32.0) CHECK(result.kept[i] == 1.0);
    if (ramp == ByPartsRamp::published && turns <= 1.0) CHECK(result.kept[i] == 0.0);
  }
}

TEST_CASE("C32 YaRN as published and as coded differ by the printed numbers") {
  struct Row {
    std::size_t dim;
    double length, factor, fast, slow;
    std::size_t i;
    double trained, published, coded, untruncated;
  };
  const Row row = GENERATE(
      Row{128, 2048, 16, 16.128, 40.2104, 21, .0486967525, .0249462961, .0395661114, .0394608648},
      Row{128, 2048, 16, 16.128, 40.2104, 28, .0177827941, .0036908026, .0097805368, .0095642414},
      Row{128, 2048, 16, 16.128, 40.2104, 38, .004216965, 3.11322149e-4, 7.37968881e-4, 6.26423e-4},
      Row{128, 4096, 8, 20.9445, 45.0269, 33, .0086596432, .0022178627, .0048710493, .0048665442},
      Row{64, 2048, 4, 8.064, 20.1052, 13, .0237137371, .0097892658, .016873236, .0164230816});
  ByPartsOptions options{.factor = row.factor, .original_length = row.length};
  const auto coded = ntk_by_parts(row.dim, 1e4, options);
  options.truncate = false;
  const auto untruncated = ntk_by_parts(row.dim, 1e4, options);
  options.ramp = ByPartsRamp::published;
  CHECK_THAT(rotary_frequencies(row.dim)[row.i], WithinRel(row.trained, 2e-8));
  CHECK_THAT(ntk_by_parts(row.dim, 1e4, options).inverse_frequencies[row.i],
             WithinRel(row.published, 2e-8));
  CHECK_THAT(coded.inverse_frequencies[row.i], WithinRel(row.coded, 2e-8));
  CHECK_THAT(untruncated.inverse_frequencies[row.i], WithinRel(row.untruncated, 5e-7));
  CHECK_THAT(untruncated.ramp_from, WithinAbs(row.fast, 6e-4));
  CHECK_THAT(untruncated.ramp_to, WithinAbs(row.slow, 6e-5));
  CHECK(coded.ramp_from == std::floor(row.fast));
  CHECK(coded.ramp_to == std::ceil(row.slow));
}

TEST_CASE(
    "C32 the two ramps are up to two thirds apart, and other models' cut-offs are as printed") {
  ByPartsOptions options{.factor = 16.0, .original_length = 2048};
  const auto coded = ntk_by_parts(128, 1e4, options);
  options.ramp = ByPartsRamp::published;
  const auto published = ntk_by_parts(128, 1e4, options);
  const auto gap = [&](std::size_t i) {
    return 1.0 - published.inverse_frequencies[i] / coded.inverse_frequencies[i];
  };
  CHECK_THAT(gap(33), WithinAbs(0.676, 5e-4));
  for (std::size_t i = 0; i < 64; ++i) CHECK(std::abs(gap(i)) <= gap(33));
  CHECK_THAT(published.kept[21], WithinAbs(.479764, 5e-7));
  CHECK_THAT(published.kept[28], WithinAbs(.154719, 5e-7));
  CHECK_THAT(coded.kept[21], WithinAbs(.8, 1e-12));
  CHECK_THAT(coded.kept[28], WithinAbs(.52, 1e-12));

  const auto ends = [](std::size_t dim, double base, double length, double fast, double slow) {
    const auto result =
        ntk_by_parts(dim, base, {.factor = 4.0, .original_length = length, .truncate = false});
    CHECK_THAT(result.ramp_from, WithinAbs(fast, 5.1e-5));
    CHECK_THAT(result.ramp_to, WithinAbs(slow, 5.1e-5));
  };
  ends(64, 150000, 4096, 8.0928, 17.3980);
  ends(64, 1e4, 4096, 10.4722, 22.5134);
  ends(128, 1e6, 32768, 23.5959, 39.6509);
}

TEST_CASE("C32 a blend of wavelengths is a third answer between the same ends") {
  ByPartsOptions options{.factor = 16.0, .original_length = 2048};
  const auto frequencies = ntk_by_parts(128, 1e4, options);
  options.blend = BlendOf::wavelengths;
  const auto wavelengths = ntk_by_parts(128, 1e4, options);
  const auto trained = rotary_frequencies(128);
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const double kept = frequencies.kept[i];
    CHECK_THAT(1.0 / wavelengths.inverse_frequencies[i],
               WithinRel((1.0 - kept) * 16.0 / trained[i] + kept / trained[i], 1e-13));
    CHECK(wavelengths.inverse_frequencies[i] <= frequencies.inverse_frequencies[i] * (1.0 + 1e-15));
  }
}

TEST_CASE("C32 the temperature is 0.1 ln s + 1") {
  struct Row {
    double factor, mscale;
  };
  const Row row =
      GENERATE(Row{1, 1}, Row{.5, 1}, Row{2, 1.069314718}, Row{4, 1.138629436}, Row{8, 1.207944154},
               Row{16, 1.277258872}, Row{32, 1.346573590}, Row{40, 1.368887945});
  CHECK_THAT(yarn_mscale(row.factor), WithinRel(row.mscale, 1e-9));
  CHECK(yarn_temperature(row.factor).cos_sin == yarn_mscale(row.factor));
  CHECK(yarn_temperature(row.factor).softmax_scale == 1.0);
}

TEST_CASE("by parts before YaRN: two factors weight interpolated, NTK and trained frequencies") {
  const double length = 2048, factor = 8;
  const auto trained = rotary_frequencies(128);
  const auto interpolated = position_interpolation(128, 1e4, factor).inverse_frequencies;
  const auto neither = part_ntk(128, 1e4, {factor, length, 0.0, 0.0}).inverse_frequencies;
  const auto by_base = part_ntk(128, 1e4, {factor, length, 1.0, 0.0}).inverse_frequencies;
  const auto all = part_ntk(128, 1e4, {factor, length});
  for (std::size_t i = 0; i < trained.size(); ++i) {
    CHECK_THAT(neither[i], WithinRel(interpolated[i], 1e-15));
    CHECK(by_base[i] >= neither[i] * (1 - 1e-14));
    CHECK(all.inverse_frequencies[i] >= by_base[i] * (1 - 1e-14));
    CHECK(all.inverse_frequencies[i] <= trained[i] * (1 + 1e-14));
  }
  CHECK(all.inverse_frequencies.front() == trained.front());
  CHECK_THAT(all.inverse_frequencies.back(), WithinRel(interpolated.back(), 1e-14));
  CHECK(all.kept.front() == 1.0);
  CHECK(all.kept.back() == 0.0);
  CHECK_THROWS_MATCHES(
      part_ntk(128, 1e4, {factor, 0.0}), std::invalid_argument,
      Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("part_ntk: ")));
}

TEST_CASE("Llama 3 is NTK-by-parts with its own two ends") {
  const auto meta = llama3(64, 1e4, {4.0, 2048.0, 1.0, 2.0});
  const auto parts = ntk_by_parts(64, 1e4,
                                  {.factor = 4.0,
                                   .original_length = 2048,
                                   .beta_fast = 2.0,
                                   .beta_slow = 1.0,
                                   .ramp = ByPartsRamp::published});
  CHECK(meta.kept == parts.kept);
  CHECK(meta.inverse_frequencies == parts.inverse_frequencies);
}

TEST_CASE("Llama 3's scaling without a ramp keeps a wavelength or divides its frequency",
          "[scaling]") {
  const auto scaled = llama3(128, 5e5, {16.0, 8192.0, 1.0, 1.0}).inverse_frequencies;
  for (std::size_t i = 0; i < scaled.size(); ++i) {
    INFO(i);
    CHECK_THAT(scaled[i], WithinRel(reference::llama3(i, 128, 5e5, 8192, 16, 1, 1), 1e-12));
  }
}

TEST_CASE("the list of schemes has each by a name of its own and checks how many options it gets") {
  std::size_t count = 0;
  for (; scaling_name(count) != nullptr; ++count) {
    const std::string_view name = scaling_name(count);
    for (std::size_t other = 0; other < count; ++other) CHECK(scaling_name(other) != name);
    CHECK_THROWS_MATCHES(scaled_frequencies(count, 8, 1e4, {}), std::invalid_argument,
                         MessageMatches(ContainsSubstring(std::string(name) + ": options must")));
    if (name == "llama3") {
      const double options[] = {4.0, 2048.0, 1.0, 2.0};
      CHECK(scaled_frequencies(count, 64, 1e4, options).inverse_frequencies ==
            llama3(64, 1e4, {4.0, 2048.0, 1.0, 2.0}).inverse_frequencies);
    }
  }
  CHECK(count > 0);
  CHECK_THROWS_AS(scaled_frequencies(count, 8, 1e4, {}), std::invalid_argument);
}

TEST_CASE("an extension rejects invalid arguments and names them") {
  const auto refuses = [](auto work, const char* text) {
    CHECK_THROWS_MATCHES(work(), std::invalid_argument, MessageMatches(ContainsSubstring(text)));
  };
  refuses([] { position_interpolation(8, 1e4, 0); }, "factor must be positive and finite, got 0");
  refuses([] { ntk(2, 1e4, {.factor = 2.0}); }, "needs a dim of at least 4, got 2");
  refuses([] { ntk(8, 1e4, {2.0, NtkForm::su_mixed, -1.0}); }, "exponent must be at least 0");
  refuses([] { dynamic_ntk_factor(2, NAN, 2048); },
          "length must be at least 0 and finite, got nan");
  refuses([] { ntk_by_parts(8, 1e4, {.factor = 2.0}); }, "original_length must be greater than 1");
  refuses([] { ntk_by_parts(8, 1, {.factor = 2.0, .original_length = 9}); },
          "base must be greater");
  refuses([] { longrope(8, 1e4, std::vector{1.0}, std::vector{1.0}, 1, 2); },
          "one divisor per pair, 4, got 1");
  refuses([] { llama3(8, 1e4, {8, 8192, 4, 1}); },
          "low_freq_factor must be positive and at most high_freq_factor");
  refuses([] { proportional(8, 1e4, 0.1); }, "at least one pair must be rotated");
  refuses([] { yarn_temperature(2, {.mscale = -1}); },
          "mscale must be at least 0 and finite, got -1");
}
