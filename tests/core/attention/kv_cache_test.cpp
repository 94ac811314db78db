// KV caches: whatever the order in which tokens came and went, attention sees those that are left.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "attention/attention.hpp"
#include "attention/kv_cache.hpp"
#include "attention/scratch.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;

namespace {

constexpr std::size_t heads = 4, dim = 8, value_dim = 5, tokens = 7;
constexpr KvCacheShape shape{2, 2, dim, value_dim, tokens + 1};
constexpr std::size_t rows = shape.batches * shape.key_heads;

// (rows, tokens, cols): the tokens first ... past_end - 1.
std::vector<float> cut(const std::vector<float>& all, std::size_t cols, std::size_t first,
                       std::size_t past_end) {
  std::vector<float> some;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto at = all.begin() + std::ptrdiff_t(row * tokens * cols);
    some.insert(some.end(), at + std::ptrdiff_t(first * cols),
                at + std::ptrdiff_t(past_end * cols));
  }
  return some;
}

struct Filled {
  KvCache cache;
  std::vector<float> k = random_floats(rows * tokens * dim, 1),
                     v = random_floats(rows * tokens * value_dim, 2);

  Filled(std::optional<RowFormat> format, std::optional<KvCacheRotary> rotary)
      : cache(shape, format, std::move(rotary)) {}

  Filled& append(std::size_t first, std::size_t past_end) {
    auto new_k = cut(k, dim, first, past_end), new_v = cut(v, value_dim, first, past_end);
    cache.append(new_k, new_v, past_end - first, TokenOrder::by_head);
    return *this;
  }

  // Of one query per head, at the last token.
  std::vector<float> output() {
    std::vector<float> q = random_floats(shape.batches * heads * dim, 3);
    cache.rotate_queries(q, heads, 1, {});
    AttentionCall call;
    call.shape = {shape.batches, heads, shape.key_heads, 1, cache.length(), dim, value_dim};
    call.q = HeadsView::contiguous(q.data(), heads, 1, dim);
    call.scale = 0.4f;
    cache.attach(call);
    std::vector<float> out(shape.batches * heads * value_dim, NAN);
    AttentionScratch scratch;
    attend(call, {.output = out.data()}, scratch);
    return out;
  }
};

const KvCacheRotary rotary{{1.0, 0.3, 0.1, 0.02}};

void check_close(const std::vector<float>& actual, const std::vector<float>& expected,
                 double tolerance) {
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    CHECK(std::abs(double(actual[i]) - expected[i]) <= tolerance);
}

}  // namespace

TEST_CASE("A cache that was filled in pieces is one that was filled at once", "[attention]") {
  for (const auto format : {std::optional<RowFormat>(), std::optional(RowFormat::float16),
                            std::optional(RowFormat::int8)}) {
    Filled at_once(format, rotary), in_pieces(format, rotary);
    at_once.append(0, tokens);
    in_pieces.append(0, 3).append(3, 4).append(4, tokens);
    CHECK(at_once.output() == in_pieces.output());
  }
}

TEST_CASE("Tokens that were evicted or cut off take no part", "[attention]") {
  Filled left({}, rotary), rest({}, rotary);
  left.append(0, tokens);
  left.cache.evict(2, 4, true);
  rest.append(0, 2).append(4, tokens);
  check_close(left.output(), rest.output(), 2e-6);

  left.cache.truncate(2);
  left.append(4, tokens);
  CHECK(left.output() == rest.output());
}

TEST_CASE("Without new numbers, eviction leaves a gap in the positions", "[attention]") {
  Filled left({}, {});
  left.append(0, tokens);
  left.cache.evict(2, 4, false);
  left.append(3, 4);
  const auto positions = left.cache.positions();
  CHECK(std::vector(positions.begin(), positions.end()) ==
        std::vector{0.0, 1.0, 4.0, 5.0, 6.0, 7.0});
}

TEST_CASE("A cache that refuses tokens has those that it had", "[attention]") {
  Filled filled(RowFormat::int8, rotary);
  filled.append(0, 6);
  const auto before = filled.output();
  CHECK_THROWS_AS(filled.append(0, 3), std::invalid_argument);
  filled.v.back() = std::numeric_limits<float>::infinity();
  CHECK_THROWS_AS(filled.append(6, tokens), std::invalid_argument);
  CHECK_THROWS_AS(filled.cache.truncate(7), std::invalid_argument);
  CHECK_THROWS_AS(filled.cache.evict(5, 7, true), std::invalid_argument);
  CHECK(filled.output() == before);
}
