// Attention temperature: one factor per row.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "attention/temperature.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::WithinAbs;

TEST_CASE("C27 log-n in its three forms equals the published formulas") {
  const auto at = [](LogNForm form, double trained, double position, double length) {
    return log_n_factors(std::vector{position}, trained, form, length)[0];
  };
  CHECK_THAT(at(LogNForm::length, 512, 0, 256), WithinAbs(.888889, 5e-7));
  CHECK(at(LogNForm::length, 512, 0, 512) == 1.0);
  CHECK_THAT(at(LogNForm::length, 512, 0, 1024), WithinAbs(1.111111, 5e-7));
  CHECK_THAT(at(LogNForm::length, 512, 0, 4096), WithinAbs(1.333333, 5e-7));
  CHECK(at(LogNForm::position, 512, 0, 1) == 0.0);
  CHECK(at(LogNForm::position, 512, 511, 1) == 1.0);
  CHECK(at(LogNForm::clipped, 4096, 0, 1) == 1.0);
  CHECK(at(LogNForm::clipped, 4096, 4095, 1) == 1.0);
  CHECK_THAT(at(LogNForm::clipped, 4096, 8191, 1), WithinAbs(1.083333, 5e-7));
  CHECK_THAT(at(LogNForm::clipped, 4096, 16383, 1), WithinAbs(1.166667, 5e-7));
}

TEST_CASE("Llama 4's factor steps every 8192 positions") {
  const auto factors = llama4_factors(std::vector{0.0, 8190.0, 8191.0, 16382.0, 16383.0});
  CHECK(factors[0] == 1.0);
  CHECK(factors[1] == 1.0);
  CHECK(factors[2] == 1.0 + 0.1 * std::log(2.0));
  CHECK(factors[3] == factors[2]);
  CHECK(factors[4] == 1.0 + 0.1 * std::log(3.0));
  const auto without_offset = llama4_factors(std::vector{0.0, 8191.0, 8192.0}, 0.1, 8192.0, 0.0);
  CHECK(without_offset[1] == 1.0);
  CHECK(without_offset[2] == factors[2]);
}

TEST_CASE("the scale is the one given, and 1 / sqrt(dim) where none is") {
  CHECK(default_scale(64) == 0.125f);
  CHECK(scale_or_default(std::nan(""), 3) == static_cast<float>(1.0 / std::sqrt(3.0)));
  CHECK(scale_or_default(0.0, 64) == 0.0f);
  CHECK(scale_or_default(-2.5, 64) == -2.5f);
}

TEST_CASE("temperature factors reject invalid arguments and name them") {
  const auto refuses = [](auto work, const char* text) {
    CHECK_THROWS_MATCHES(work(), std::invalid_argument, MessageMatches(ContainsSubstring(text)));
  };
  const std::vector<double> negative{-1.0}, one{1.0};
  refuses([&] { log_n_factors(negative, 512, LogNForm::clipped); }, "positions must be at least 0");
  refuses([&] { log_n_factors(one, 1, LogNForm::clipped); },
          "original_length must be greater than 1");
  refuses([&] { llama4_factors(one, 0.1, 0); }, "floor_length must be at least 1");
  refuses([&] { llama4_factors(one, 0.1, 1, 2); }, "offset must be 0 or 1");
}

TEST_CASE("scalable softmax multiplies by s ln n, per head, with n the keys that a row sees") {
  const std::vector positions{0.0, 15.0, 999.0};
  const auto plain = ssmax_factors(positions, std::vector{.43});
  CHECK(plain[0] == 0.0);
  CHECK_THAT(plain[1], WithinAbs(.43 * std::log(16.0), 1e-15));
  // The figure of the paper: scores of -2, the last 3.
  const auto weight = [&](double factor, double n) {
    return 1 / (1 + (n - 1) * std::exp(-5 * factor));
  };
  CHECK_THAT(weight(plain[1], 16), WithinAbs(.962781321, 5e-10));
  CHECK_THAT(weight(plain[2], 1000), WithinAbs(.999645667, 5e-10));
  const auto both = ssmax_factors(positions, std::vector{1.0, 2.0}, std::vector{.5, 0.0});
  CHECK(both[0] == .5);
  CHECK(both[3] == 0.0);
  CHECK_THAT(both[5], WithinAbs(2 * std::log(1000.0), 1e-14));
  CHECK_THROWS_MATCHES(ssmax_factors(positions, std::vector{1.0, 2.0}, std::vector{1.0}),
                       std::invalid_argument,
                       MessageMatches(ContainsSubstring("one value per head, 2, got 1")));
}
