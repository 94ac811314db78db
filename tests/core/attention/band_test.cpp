#include "attention/band.hpp"

#include <catch_amalgamated.hpp>

#include "support/attention_case.hpp"

using namespace ropewalk;

TEST_CASE(
    "the visible range holds exactly the keys that the band's sentence allows, at every small "
    "size") {
  for (std::size_t keys = 0; keys <= 6; ++keys) {
    for (const std::size_t key_length : {std::size_t{0}, std::size_t{2}, keys, all_keys}) {
      for (std::ptrdiff_t offset = -7; offset <= 7; ++offset) {
        for (const std::size_t lookback :
             {std::size_t{0}, std::size_t{1}, std::size_t{3}, all_keys}) {
          for (const std::size_t lookahead :
               {std::size_t{0}, std::size_t{1}, std::size_t{3}, all_keys}) {
            const Band band{offset, lookback, lookahead, key_length};
            for (std::size_t query = 0; query < 6; ++query) {
              const IndexRange range = visible_keys(band, query, keys);
              std::size_t wrong = range.first > range.past_end || range.past_end > keys;
              for (std::size_t key = 0; key < keys; ++key) {
                const bool inside = key >= range.first && key < range.past_end;
                wrong += inside != sees(band, query, key);
              }
              REQUIRE(wrong == 0);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("the queries that see some keys hold every one that does, and none outside the bounds") {
  for (std::ptrdiff_t offset = -7; offset <= 7; ++offset) {
    for (const std::size_t lookback : {std::size_t{0}, std::size_t{1}, std::size_t{3}, all_keys}) {
      for (const std::size_t lookahead :
           {std::size_t{0}, std::size_t{1}, std::size_t{3}, all_keys}) {
        const Band band{offset, lookback, lookahead};
        for (std::size_t first = 0; first < 6; ++first) {
          for (std::size_t past_end = first + 1; past_end <= 6; ++past_end) {
            const IndexRange range = queries_seeing(band, {first, past_end}, 6);
            std::size_t wrong = range.past_end > 6;
            for (std::size_t query = 0; query < 6; ++query) {
              bool seen = false;
              for (std::size_t key = first; key < past_end; ++key)
                seen = seen || sees(band, query, key);
              wrong += seen != (query >= range.first && query < range.past_end);
            }
            REQUIRE(wrong == 0);
          }
        }
      }
    }
  }
}

TEST_CASE("two queries of five keys see 1 and 2 keys top-left, 4 and 5 bottom-right") {
  const Band top_left = causal_top_left(), bottom_right = causal_bottom_right(2, 5);
  CHECK(visible_keys(top_left, 0, 5).past_end == 1);
  CHECK(visible_keys(top_left, 1, 5).past_end == 2);
  CHECK(visible_keys(bottom_right, 0, 5).past_end == 4);
  CHECK(visible_keys(bottom_right, 1, 5).past_end == 5);
}

TEST_CASE(
    "a causal mask hides exactly the future, in both alignments and for every small number of "
    "each") {
  for (std::size_t queries = 1; queries <= 9; ++queries) {
    for (std::size_t keys = 0; keys <= 9; ++keys) {
      for (std::size_t query = 0; query < queries; ++query) {
        const auto count = [&](const Band& band) {
          const IndexRange range = visible_keys(band, query, keys);
          return range.past_end - range.first;
        };
        CHECK(count(causal_top_left()) == std::min(query + 1, keys));
        const auto seen =
            std::ptrdiff_t(query) + 1 + std::ptrdiff_t(keys) - std::ptrdiff_t(queries);
        CHECK(count(causal_bottom_right(queries, keys)) ==
              std::size_t(std::max<std::ptrdiff_t>(seen, 0)));
        CHECK(count({}) == keys);
      }
    }
  }
}

TEST_CASE("a window wider than half of the range of a 32-bit size is not shortened") {
  for (const std::size_t width : {0x7fffffffu, 0x80000000u, 0xfffffffeu}) {
    const Band band{.offset = 3, .lookback = width, .lookahead = width};
    CHECK(visible_keys(band, 5, 10).first == 0);
    CHECK(visible_keys(band, 5, 10).past_end == 10);
  }
}

TEST_CASE("ranges intersect in their common keys") {
  CHECK(intersection({2, 7}, {4, 9}).first == 4);
  CHECK(intersection({2, 7}, {4, 9}).past_end == 7);
  CHECK(intersection({2, 4}, {4, 9}).empty());
  CHECK(IndexRange{3, 3}.empty());
  CHECK_FALSE(IndexRange{3, 4}.empty());
}
