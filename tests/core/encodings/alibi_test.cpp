#include "encodings/alibi.hpp"

#include <catch_amalgamated.hpp>

#include "reference/encodings.hpp"

using namespace ropewalk;

TEST_CASE("C19 the published slopes are the authors' recursion for every head count") {
  for (std::size_t heads = 1; heads <= 70; ++heads) {
    const auto expected = reference::alibi_slopes(heads);
    const auto slopes = alibi_slopes(heads);
    REQUIRE(slopes.size() == expected.size());
    for (std::size_t h = 0; h < heads; ++h) {
      CHECK_THAT(slopes[h], Catch::Matchers::WithinRel(expected[h], 1e-15));
    }
  }
}
