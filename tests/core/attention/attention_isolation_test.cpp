// Isolation of rows: no value that a mask hides changes a row, bit for bit.
#include <catch_amalgamated.hpp>

#include "support/attention_case.hpp"

using namespace ropewalk;

namespace {

constexpr std::size_t queries = 50, keys = 300, dim = 5,
                      value_dim = 11;  // tails in every direction
constexpr std::size_t places[] = {0, 1, 7, 8, 30, 49, 255, 256, 260, 299};

// Both paths, since both make the promise.
std::vector<Matrix> outputs(const AttentionCase& problem) {
  return {problem.output(), problem.steps().output};
}

// reached(query, column) says which values may change, and have to be NaN.
template <class Reached>
void check_reach(const AttentionCase& clean, const AttentionCase& spoilt, Reached reached) {
  const auto before = outputs(clean), after = outputs(spoilt);
  std::size_t wrong = 0;
  for (std::size_t path = 0; path < before.size(); ++path) {
    for (std::size_t m = 0; m < clean.q.rows; ++m) {
      for (std::size_t d = 0; d < clean.v.cols; ++d) {
        const float was = before[path].at(m, d), is = after[path].at(m, d);
        wrong += reached(m, d) ? !std::isnan(is) : !same_bits(is, was);
      }
    }
  }
  CHECK(wrong == 0);
}

AttentionCase problem_with(const Band& band) {
  AttentionCase problem(queries, keys, dim, value_dim, 5);
  problem.band = band;
  return problem;
}

const Band everything = {}, top_left = causal_top_left(),
           bottom_right = causal_bottom_right(queries, keys);
const Band window = {.offset = 240, .lookback = 20, .lookahead = 3};

}  // namespace

TEST_CASE("a NaN in a query reaches its own row only") {
  const AttentionCase clean = problem_with(GENERATE(everything, top_left, bottom_right, window));
  for (const std::size_t at : {0, 5, 6, 23, 24, 49}) {
    AttentionCase spoilt = clean;
    spoilt.q.at(at, 2) = not_a_number;
    check_reach(clean, spoilt, [&](std::size_t m, std::size_t) { return m == at; });
  }
}

TEST_CASE("a NaN in a key reaches the rows that see it and no other") {
  const AttentionCase clean = problem_with(GENERATE(everything, top_left, bottom_right, window));
  for (const std::size_t at : places) {
    AttentionCase spoilt = clean;
    spoilt.k.at(at, dim - 1) = not_a_number;
    check_reach(clean, spoilt, [&](std::size_t m, std::size_t) { return clean.sees(m, at); });
  }
}

TEST_CASE("a NaN in a value reaches its own column of the rows that see it and nothing else") {
  const AttentionCase clean = problem_with(GENERATE(everything, top_left, bottom_right, window));
  const std::size_t column = GENERATE(0, value_dim - 1);
  for (const std::size_t at : places) {
    AttentionCase spoilt = clean;
    spoilt.v.at(at, column) = not_a_number;
    check_reach(clean, spoilt,
                [&](std::size_t m, std::size_t d) { return d == column && clean.sees(m, at); });
  }
}

TEST_CASE("an infinity in a value behind the mask reaches nobody") {
  const AttentionCase clean = problem_with(GENERATE(top_left, bottom_right, window));
  for (const std::size_t at : places) {
    AttentionCase spoilt = clean;
    for (std::size_t d = 0; d < value_dim; ++d) spoilt.v.at(at, d) = infinity;
    const auto before = outputs(clean), after = outputs(spoilt);
    std::size_t wrong = 0;
    for (std::size_t path = 0; path < 2; ++path) {
      for (std::size_t m = 0; m < queries; ++m) {
        for (std::size_t d = 0; d < value_dim; ++d) {
          const float is = after[path].at(m, d);
          wrong += clean.sees(m, at) ? is != infinity : !same_bits(is, before[path].at(m, d));
        }
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a value of any kind reaches no row whose final weight of it is zero") {
  // Every key's score rises above all before it by more than exp can hold, so that the last key has
  // all the weight and the others had it before, whatever the blocks. A sink has it all as well.
  const std::size_t queries = GENERATE(1, 2, 3, 8), keys = 700;
  const float bad = GENERATE(not_a_number, infinity, -infinity, 3e38f);
  const bool with_sink = GENERATE(false, true);
  AttentionCase clean(queries, keys, 4, 3, 8);
  for (float& value : clean.q.values) value = 1.0f;
  for (std::size_t n = 0; n < keys; ++n) {
    for (std::size_t d = 0; d < 4; ++d) clean.k.at(n, d) = 40.0f * float(n);
  }
  clean.scale = 1.0f;
  if (with_sink) clean.sink = 1e6f;
  for (const std::size_t at : {0, 1, 255, 256, 400, 511, 512, 698}) {
    AttentionCase spoilt = clean;
    for (std::size_t d = 0; d < 3; ++d) spoilt.v.at(at, d) = bad;
    CHECK(spoilt.output().values == clean.output().values);
    CHECK(spoilt.steps().output.values == clean.steps().output.values);
  }
}

TEST_CASE("values that no sum can hold have their mean, in blocks or row by row") {
  const std::size_t queries = GENERATE(1, 2, 7);
  AttentionCase problem(queries, 600, 4, 3, 8);
  problem.band = GENERATE(Band{}, Band{.offset = 10, .lookahead = 0});
  for (float& value : problem.k.values) value = 0.0f;
  for (float& value : problem.v.values) value = 3e38f;
  for (const Matrix& out : {problem.output(), problem.steps().output}) {
    for (const float value : out.values) CHECK(std::abs(value / 3e38f - 1) < 1e-4);
  }
}

TEST_CASE("a bias of -infinity hides a key whatever stands in it") {
  AttentionCase clean = problem_with(everything);
  clean.bias = random_matrix(queries, keys, 6);
  for (const std::size_t at : places) {
    AttentionCase hiding = clean;
    for (std::size_t m = 0; m < queries; m += 3) hiding.bias.at(m, at) = -infinity;
    for (const float bad : {not_a_number, infinity, -infinity}) {
      AttentionCase spoilt = hiding;
      for (std::size_t d = 0; d < dim; ++d) spoilt.k.at(at, d) = d == 0 ? bad : 0.0f;
      for (std::size_t d = 0; d < value_dim; ++d) spoilt.v.at(at, d) = not_a_number;
      const auto before = outputs(hiding), after = outputs(spoilt);
      std::size_t wrong = 0;
      for (std::size_t path = 0; path < 2; ++path) {
        for (std::size_t m = 0; m < queries; m += 3) {
          for (std::size_t d = 0; d < value_dim; ++d) {
            wrong += !same_bits(before[path].at(m, d), after[path].at(m, d));
          }
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a NaN in a bias reaches the rows that are given it") {
  AttentionCase clean = problem_with(top_left);
  clean.bias = random_matrix(queries, keys, 6);
  AttentionCase spoilt = clean;
  spoilt.bias.at(47, 30) = not_a_number;
  spoilt.bias.at(20, 100) = not_a_number;  // masked, so nobody is given it
  check_reach(clean, spoilt, [](std::size_t m, std::size_t) { return m == 47; });

  AttentionCase by_distance = problem_with(everything);
  by_distance.distance_bias = random_floats(queries + keys - 1, 3);
  AttentionCase spoilt_distance = by_distance;
  spoilt_distance.distance_bias[queries - 1 + 290] = not_a_number;  // keys 290 after their query
  check_reach(by_distance, spoilt_distance, [](std::size_t m, std::size_t) { return m < 10; });
}

TEST_CASE("changing a future token never changes an earlier row, bit for bit") {
  const AttentionCase clean = problem_with(GENERATE(top_left, bottom_right));
  for (const std::size_t from : {1, 20, 255, 256, 280, 299}) {
    AttentionCase changed = clean;
    for (std::size_t n = from; n < keys; ++n) {
      for (std::size_t d = 0; d < dim; ++d) changed.k.at(n, d) = -3 * changed.k.at(n, d) + 1;
      for (std::size_t d = 0; d < value_dim; ++d) changed.v.at(n, d) *= -100;
    }
    const auto before = outputs(clean), after = outputs(changed);
    std::size_t wrong = 0, others = 0;
    for (std::size_t path = 0; path < 2; ++path) {
      for (std::size_t m = 0; m < queries; ++m) {
        for (std::size_t d = 0; d < value_dim; ++d) {
          const bool same = same_bits(before[path].at(m, d), after[path].at(m, d));
          clean.sees(m, from) ? others += !same : wrong += !same;
        }
      }
    }
    CHECK(wrong == 0);
    CHECK((others > 0 || !clean.sees(queries - 1, from)));
  }
}
