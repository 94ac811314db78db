// Relative-position maps, angle coverage and digits.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "rotary/analysis.hpp"
#include "rotary/position_maps.hpp"
#include "rotary/rotate.hpp"
#include "rotary/scaling.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

double rerope(double query, double key, double window) {
  return relative_position({PositionMapKind::rerope, window}, query, key);
}

double leaky_rerope(double query, double key, double window, double factor) {
  return relative_position({PositionMapKind::leaky_rerope, window, factor}, query, key);
}

}  // namespace

TEST_CASE("C31 beyond the window Leaky ReRoPE's distance grows more slowly, ReRoPE's is constant") {
  const double printed[] = {0, 1, 2, 3, 4, 4.5, 5, 5.5, 6};
  for (int o = 0; o <= 8; ++o) {
    CHECK(leaky_rerope(100 + o, 100, 4, 2) == printed[o]);
    CHECK(rerope(100 + o, 100, 4) == std::min(o, 4));
  }
}

TEST_CASE("C31 the limits of Leaky ReRoPE are RoPE and ReRoPE") {
  for (double o = 0; o < 200; ++o) {
    CHECK(leaky_rerope(o, 0, 64, 1) == o);
    CHECK_THAT(leaky_rerope(o, 0, 64, 1e9), WithinAbs(rerope(o, 0, 64), 2e-7));
    CHECK(rerope(o, 0, 200) == o);
  }
  // The largest position must stay below the training length: Su's k = 8 failed because it does
  // not.
  CHECK(leaky_rerope(4095, 0, 256, 8) > 512);
  CHECK(leaky_rerope(4095, 0, 256, 16) < 512);
}

TEST_CASE("Self-Extend and dual chunk agree with RoPE nearby and stay within the trained range") {
  for (int m = 0; m < 64; ++m) {
    for (int n = 0; n <= m; ++n) {
      const double grouped = relative_position({PositionMapKind::self_extend, 8, 4}, m, n);
      const double chunked = relative_position({PositionMapKind::dual_chunk, 12, 4}, m, n);
      if (m - n < 8) CHECK(grouped == m - n);
      if (m - n <= 4) CHECK(chunked == m - n);
      CHECK(grouped <= 8 + (63 - 8) / 4 + 1);
      CHECK((chunked >= 0 && chunked <= 12));
    }
  }
  CHECK(relative_position({PositionMapKind::dual_chunk, 12, 4}, 0, 5) == -5);
}

TEST_CASE("C26 in direct extrapolation, exactly the pairs without a full turn get new angles") {
  const auto trained = rotary_frequencies(128);
  for (const auto& pair : angle_coverage(trained, trained, 2048, 2048))
    CHECK(pair.first_unseen == -1);
  const auto direct = angle_coverage(trained, trained, 2048, 4096);
  for (std::size_t i = 0; i < direct.size(); ++i) {
    CHECK((direct[i].first_unseen >= 0) == (i >= 41));
    if (i >= 41) CHECK(direct[i].first_unseen == 2048);
    CHECK_THAT(direct[i].turns, WithinRel(2.0 * direct[i].trained_turns, 1e-15));
  }
}

TEST_CASE("C26 C28 C29 interpolation shows no new angle, NTK shows some") {
  const auto trained = rotary_frequencies(128);
  const auto unseen = [&](const std::vector<double>& used) {
    std::size_t count = 0;
    for (const auto& pair : angle_coverage(trained, used, 2048, 8 * 2048)) {
      count += pair.first_unseen >= 0;
    }
    return count;
  };
  CHECK(unseen(trained) == 23);
  CHECK(unseen(position_interpolation(128, 1e4, 8).inverse_frequencies) == 0);
  const std::size_t by_base = unseen(ntk(128, 1e4, {.factor = 8}).inverse_frequencies);
  CHECK((by_base > 0 && by_base < 23));
}

TEST_CASE("an unrotated pair has no unseen angle") {
  const std::vector<double> still = {0.0}, slow = {1e-4};
  for (const auto& trained : {still, slow}) {
    const auto pair = angle_coverage(trained, still, 8, 100).front();
    CHECK(pair.turns == 0.0);
    CHECK(pair.first_unseen == -1.0);
  }
}

TEST_CASE("C30 digits and angles are the same quotients, modulo beta and modulo 2 pi") {
  // base 10^(dim / 2) gives decimal digits.
  const auto decimal = position_digits(7204, 8, 1e4);
  CHECK_THAT(decimal.beta, WithinRel(10.0, 1e-15));
  for (std::size_t i = 0; i < 4; ++i)
    CHECK_THAT(decimal.digits[i], WithinAbs(i == 0 ? 4 : i == 1 ? 0 : i == 2 ? 2 : 7, 1e-9));

  const double position = GENERATE(0.0, 1.0, 50.0, 4097.0);
  const auto digits = position_digits(position, 64);
  const auto frequencies = rotary_frequencies(64);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double angle = position * frequencies[i];
    CHECK_THAT(std::cos(digits.angles[i]), WithinAbs(std::cos(angle), 1e-12));
    CHECK((digits.angles[i] >= 0.0 && digits.angles[i] < 2.0 * std::numbers::pi));
    CHECK((digits.digits[i] >= 0.0 && digits.digits[i] < digits.beta));
  }
}

TEST_CASE("coverage and digits reject invalid arguments and name them") {
  const auto refuses = [](auto work, const char* text) {
    CHECK_THROWS_MATCHES(work(), std::invalid_argument, MessageMatches(ContainsSubstring(text)));
  };
  const std::vector<double> one{1.0}, two{1.0, 1.0};
  refuses([&] { angle_coverage(one, two, 2, 2); }, "one frequency per pair, got 1 and 2");
  refuses([&] { angle_coverage(one, one, 0.5, 2); },
          "original_length must be a whole number of at least 1, got 0.5");
  refuses([&] { position_digits(-1, 8); }, "position must be at least 0");
}
