// A fixed slice of the core's fuzzer; `npm run fuzz -- MINUTES core` looks further.
#include <catch_amalgamated.hpp>

#include "fuzz/core/cases.hpp"

using namespace ropewalk;

namespace {

void replay(std::span<const fuzz::Case> cases, std::uint64_t seeds) {
  for (const fuzz::Case& one : cases) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      Random random(seed);
      std::vector<std::uint8_t> bytes(4096);
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.bits());
      fuzz::Draws draws(bytes);
      Comparison comparison;
      one.run(draws, comparison);
      INFO(one.name << ", seed " << seed);
      REQUIRE_THAT(comparison, WithinBounds());
    }
  }
}

}  // namespace

TEST_CASE("fuzz: attention with any options is the reference within its bound") {
  replay(fuzz::attention_cases(), 120);
}

TEST_CASE("fuzz: gradients of attention are the reference's within their bounds") {
  replay(fuzz::gradient_cases(), 100);
}

TEST_CASE("fuzz: positions are the reference within their bounds") {
  replay(fuzz::position_cases(), 150);
}

TEST_CASE("fuzz: biases are the reference within their bounds") { replay(fuzz::bias_cases(), 200); }

TEST_CASE("fuzz: terms of content and distance are the reference within their bounds") {
  replay(fuzz::content_cases(), 150);
}

TEST_CASE("fuzz: biases from the text are the reference, and their gradients central differences") {
  replay(fuzz::text_bias_cases(), 60);
}

TEST_CASE(
    "fuzz: products from the text are the reference, and their gradients central differences") {
  replay(fuzz::text_product_cases(), 60);
}

TEST_CASE("fuzz: positions at the input are the reference within their bounds") {
  replay(fuzz::input_cases(), 150);
}

TEST_CASE("fuzz: axes, number formats and angle coverage equal the reference") {
  replay(fuzz::rotary_cases(), 150);
}
