#include "rotary/analysis.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

using namespace ropewalk;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

TEST_CASE(
    "C24 the mean partial sum falls on the whole, not everywhere, and slower for a larger base") {
  const std::vector<double> offsets = {0, 1, 2, 5, 10, 50, 100, 256};
  const auto wide = rotary_decay(rotary_frequencies(128), offsets).mean_partial_sum;
  const std::vector<double> of_128 = {32.5,      31.538166, 28.955988, 20.845358,
                                      17.954137, 12.629452, 10.22733,  6.543097};
  const auto narrow = rotary_decay(rotary_frequencies(64), offsets).mean_partial_sum;
  const std::vector<double> of_64 = {16.5,     15.947764, 14.484515, 10.427632,
                                     8.814334, 5.733077,  7.465277,  3.843564};
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    CHECK_THAT(wide[i], WithinAbs(of_128[i], 1e-6));
    CHECK_THAT(narrow[i], WithinAbs(of_64[i], 1e-6));
  }
  CHECK(narrow[6] > narrow[5]);
  const auto slow =
      rotary_decay(rotary_frequencies(128, 500000.0), std::vector{256.0}).mean_partial_sum;
  CHECK_THAT(slow[0], WithinAbs(12.164203, 1e-6));
}

TEST_CASE("C24 the mean cosine is the score of equal vectors") {
  const std::vector<double> offsets = {1, 16, 256, 1024, 4096};
  const std::vector<double> expected = {0.970214, 0.620338, 0.320701, 0.204441, -0.052853};
  const auto cosines = rotary_decay(rotary_frequencies(128), offsets).mean_cosine;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    CHECK_THAT(cosines[i], WithinAbs(expected[i], 1e-6));
  }
  const auto slow = rotary_decay(rotary_frequencies(128, 500000.0), offsets).mean_cosine;
  CHECK_THAT(slow[4], WithinAbs(0.382753, 1e-6));
}

TEST_CASE("C25 wavelengths are 2 pi base^(2i/d), and the slow pairs never complete a turn") {
  const auto frequencies = rotary_frequencies(128);
  const auto wavelengths = rotary_wavelengths(frequencies);
  CHECK_THAT(wavelengths.front(), WithinRel(2 * M_PI, 1e-15));
  CHECK_THAT(wavelengths.back(), WithinAbs(54410.143, 1e-3));
  CHECK_THAT(rotary_wavelengths(rotary_frequencies(512)).back(), WithinAbs(60611.477, 1e-3));
  CHECK(std::isinf(rotary_wavelengths(std::vector{0.0})[0]));

  const auto turns = rotary_turns(frequencies, 2048);
  CHECK(std::ranges::count_if(turns, [](double t) { return t < 1; }) == 23);
  CHECK(std::ranges::find_if(turns, [](double t) { return t < 1; }) - turns.begin() == 41);
  CHECK(std::ranges::count_if(turns, [](double t) { return t > 32; }) == 17);
  const auto llama3 = rotary_turns(rotary_frequencies(128, 500000.0), 8192);
  CHECK(std::ranges::count_if(llama3, [](double t) { return t < 1; }) == 29);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    CHECK_THAT(turns[i] * wavelengths[i], WithinRel(2048.0, 1e-14));
  }
}
