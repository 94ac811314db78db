#include "base/require.hpp"

#include <catch_amalgamated.hpp>
#include <limits>

using namespace ropewalk;
using Catch::Matchers::Message;

TEST_CASE("require joins its parts into the error's text") {
  CHECK_NOTHROW(require(true, "never read ", 1));
  CHECK_THROWS_MATCHES(require(false, "f: dim must be even, got ", std::size_t{7}, " and ", -2),
                       std::invalid_argument, Message("f: dim must be even, got 7 and -2"));
}

TEST_CASE("require writes numbers as a reader would") {
  CHECK(to_text(10000.0) == "10000");
  CHECK(to_text(-0.5) == "-0.5");
  CHECK(to_text(1e300) == "1e+300");
  CHECK(to_text(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(to_text(std::numeric_limits<std::size_t>::max()) ==
        std::to_string(std::numeric_limits<std::size_t>::max()));
}
