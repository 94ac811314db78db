#include "base/require.hpp"

#include <catch_amalgamated.hpp>
#include <cstdio>
#include <limits>

using namespace ropewalk;
using Catch::Matchers::Message;

TEST_CASE("require joins its parts into the error's text") {
  CHECK_NOTHROW(require(true, "never read ", 1));
  CHECK_THROWS_MATCHES(require(false, "f: dim must be even, got ", std::size_t{7}, " and ", -2),
                       std::invalid_argument, Message("f: dim must be even, got 7 and -2"));
}

TEST_CASE("require writes numbers as a reader would") {
  CHECK(text_of(10000.0) == "10000");
  CHECK(text_of(-0.5) == "-0.5");
  CHECK(text_of(1e300) == "1e+300");
  for (const double value :
       {0.1, 1.0 / 3, 2.5e-7, -123456.789, 9.99999999999, 1e10, 12345678901.0, 1e-4, 4.9e-9, 0.0}) {
    char expected[32];
    std::snprintf(expected, sizeof expected, "%.10g", value);
    CHECK(text_of(value) == expected);
  }
  CHECK(text_of(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(text_of(std::size_t{4294967295}) == "4294967295");
}
