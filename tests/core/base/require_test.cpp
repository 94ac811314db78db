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
  CHECK(MessagePart(10000.0).text() == "10000");
  CHECK(MessagePart(-0.5).text() == "-0.5");
  CHECK(MessagePart(1e300).text() == "1e+300");
  CHECK(MessagePart(std::numeric_limits<double>::infinity()).text() == "inf");
  CHECK(MessagePart(std::size_t{4294967295}).text() == "4294967295");
}
