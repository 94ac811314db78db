#include "content/four_terms.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "input/sinusoidal.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;

namespace {

const std::size_t length = 40, dim = 16, width = 12;

struct Terms {
  Terms() {
    for (auto& term : values) term.resize(length * length);
  }

  FourTerms views() {
    const auto view = [&](std::size_t i) { return MatrixView(values[i].data(), length, length); };
    return {view(0), view(1), view(2), view(3)};
  }
  double position_position(std::size_t m, std::size_t n) const { return values[3][m * length + n]; }

  std::vector<float> values[4];
};

std::vector<float> sinusoids() {
  std::vector<float> p(length * dim);
  sinusoidal({p.data(), length, dim}, counted_positions(length));
  return p;
}

// How far the position-position term is from depending on m - n alone, and from being symmetric.
struct Spread {
  double along = 0, across = 0;
};

Spread spread(const Terms& terms) {
  Spread found;
  for (std::size_t offset = 1; offset < length; ++offset) {
    for (std::size_t m = offset; m < length; ++m) {
      const double here = terms.position_position(m, m - offset);
      found.along = std::max(found.along, std::abs(here - terms.position_position(offset, 0)));
      found.across =
          std::max(found.across, std::abs(here - terms.position_position(m - offset, m)));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("C13 the score of tokens with positions added is the sum of its four terms") {
  const auto x = random_floats(length * dim, 1), p = sinusoids();
  const auto wq = random_floats(dim * width, 2), wk = random_floats(dim * width, 3);
  Terms terms;
  four_terms(terms.views(), {x.data(), length, dim}, {p.data(), length, dim},
             {wq.data(), dim, width}, {wk.data(), dim, width}, 0.25f);
  const auto projected = [&](const std::vector<float>& w, std::size_t row, std::size_t col) {
    double sum = 0;
    for (std::size_t d = 0; d < dim; ++d)
      sum += (double(x[row * dim + d]) + p[row * dim + d]) * w[d * width + col];
    return sum;
  };
  for (std::size_t m = 0; m < length; m += 3) {
    for (std::size_t n = 0; n < length; ++n) {
      double score = 0, sum = 0;
      for (std::size_t c = 0; c < width; ++c)
        score += 0.25 * projected(wq, m, c) * projected(wk, n, c);
      for (const auto& term : terms.values) sum += term[m * length + n];
      CHECK_THAT(sum, WithinAbs(score, 1e-4));
    }
  }
}

TEST_CASE("C13 only the position-position term is free of content") {
  const auto p = sinusoids();
  Terms one, other;
  const auto x = random_floats(length * dim, 1), y = random_floats(length * dim, 9);
  four_terms(one.views(), {x.data(), length, dim}, {p.data(), length, dim}, {}, {}, 1.0f);
  four_terms(other.views(), {y.data(), length, dim}, {p.data(), length, dim}, {}, {}, 1.0f);
  CHECK(one.values[3] == other.values[3]);
  for (std::size_t term = 0; term < 3; ++term) CHECK(one.values[term] != other.values[term]);
}

TEST_CASE(
    "C13 with learned weights in between, that term no longer depends on the distance alone") {
  const auto x = random_floats(length * dim, 1), p = sinusoids();
  const auto wq = random_floats(dim * width, 2), wk = random_floats(dim * width, 3);
  Terms plain, learned;
  four_terms(plain.views(), {x.data(), length, dim}, {p.data(), length, dim}, {}, {}, 1.0f);
  four_terms(learned.views(), {x.data(), length, dim}, {p.data(), length, dim},
             {wq.data(), dim, width}, {wk.data(), dim, width}, 1.0f);
  CHECK(spread(plain).along < 1e-5);
  CHECK(spread(plain).across < 1e-5);
  CHECK(spread(learned).along > 1.0);
  CHECK(spread(learned).across > 1.0);
}

TEST_CASE("four_terms rejects positions of another shape") {
  const auto x = random_floats(length * dim, 1);
  Terms terms;
  CHECK_THROWS_MATCHES(
      four_terms(terms.views(), {x.data(), length, dim}, {x.data(), length, 8}, {}, {}, 1.0f),
      std::invalid_argument, Message("four_terms: p must be 40 x 16, got 40 x 8"));
}
