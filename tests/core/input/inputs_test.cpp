// Learned tables, recurrent layers, and how a table meets the tokens: C14 to C17.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

#include "input/combine.hpp"
#include "input/learned.hpp"
#include "input/sinusoidal.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;

namespace {

struct Layer {
  Matrix input, hidden;
  std::vector<float> bias;

  Layer(std::size_t dim, std::size_t width, std::uint64_t seed)
      : input(dim, width), hidden(width, width), bias(width) {
    untrained_recurrent(input.view(), hidden.view(), bias, seed);
  }
  Layer(std::size_t dim, Matrix step)
      : input(dim, step.cols), hidden(std::move(step)), bias(hidden.cols) {}

  RecurrentWeights weights() const { return {input.view(), hidden.view(), bias}; }

  Matrix run(const Matrix& x, std::vector<float> initial = {},
             Activation f = Activation::tanh) const {
    initial.resize(bias.size());
    Matrix states(x.rows, bias.size());
    recurrent(states.view(), x.view(), weights(), initial, f);
    return states;
  }
};

}  // namespace

TEST_CASE("C14 a learned table gives its rows, and has none past its end") {
  const Matrix learned = random_matrix(5, 3, 1);
  Matrix rows(4, 3);
  look_up(rows.view(), learned.view(), std::vector<double>{4, 0, 2, 2});
  CHECK(rows.values == reordered(learned, {4, 0, 2, 2}).values);
  Matrix row(1, 3);
  const auto refuses = [&](double position, const char* text) {
    const std::vector<double> positions = {position};
    CHECK_THROWS_MATCHES(look_up(row.view(), learned.view(), positions), std::invalid_argument,
                         Message(text));
  };
  refuses(5, "learned: positions[0] must be a row of the table, 0 to 4, got 5");
  refuses(-1, "learned: positions[0] must be a row of the table, 0 to 4, got -1");
  refuses(1.5, "learned: positions[0] must be a row of the table, 0 to 4, got 1.5");
  refuses(4294967296.0, "learned: positions[0] must be a row of the table, 0 to 4, got 4294967296");
  CHECK_THROWS_MATCHES(look_up(row.view(), learned.view(), std::vector<double>{0, 1}),
                       std::invalid_argument, Message("look_up: result must be 2 x 3, got 1 x 3"));
}

TEST_CASE("C14 an untrained table is its seed's, normal with its deviation") {
  Matrix first(200, 100), same(200, 100), other(200, 100);
  untrained_table(first.view(), 7, 0.02);
  untrained_table(same.view(), 7, 0.02);
  untrained_table(other.view(), 8, 0.02);
  CHECK(first.values == same.values);
  CHECK(first.values != other.values);
  double sum = 0, squares = 0;
  for (const float value : first.values) {
    sum += value;
    squares += double(value) * value;
  }
  CHECK_THAT(sum / 20000, WithinAbs(0.0, 4 * 0.02 / std::sqrt(20000.0)));
  CHECK_THAT(std::sqrt(squares / 20000), WithinAbs(0.02, 4 * 0.02 / std::sqrt(40000.0)));
  CHECK_THROWS_MATCHES(untrained_table(first.view(), 1, -1), std::invalid_argument,
                       Message("untrained_table: deviation must be at least 0 and finite, got -1"));
}

TEST_CASE("C15 a recurrent layer depends on order, and never looks ahead") {
  const Layer layer(6, 8, 1);
  const Matrix x = random_matrix(12, 6, 2);
  const Matrix states = layer.run(x);
  for (const float weight : layer.hidden.values) CHECK(std::abs(weight) <= 1 / std::sqrt(8.0));
  const Matrix swapped = layer.run(reordered(x, {1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  for (std::size_t t = 0; t < 12; ++t) CHECK(states.at(t, 0) != swapped.at(t, 0));
  const Matrix cut = layer.run({7, 6, std::vector<float>(x.values.begin(), x.values.begin() + 42)});
  CHECK(std::equal(cut.values.begin(), cut.values.end(), states.values.begin()));
  for (const float state : layer.run(random_matrix(5000, 6, 3)).values)
    CHECK(std::abs(state) <= 1.0f);
}

TEST_CASE("C15 with a fixed rotation as its step a recurrent layer makes the sinusoid") {
  const std::size_t dim = 16, length = 200;
  Matrix shift(dim, dim), step(dim, dim), before(1, dim), expected(length, dim);
  sinusoidal_shift(shift.view(), 1);
  for (std::size_t r = 0; r < dim; ++r) {
    for (std::size_t c = 0; c < dim; ++c) step.at(c, r) = shift.at(r, c);  // h U, not T h
  }
  sinusoidal(before.view(), std::vector<double>{-1});
  sinusoidal(expected.view(), counted_positions(length));
  const Matrix states = Layer(1, step).run(Matrix(length, 1), before.values, Activation::identity);
  Comparison comparison;
  for (std::size_t t = 0; t < length; ++t) {
    // A step turns by a rotation whose entries were rounded, and every step adds that once more.
    for (std::size_t c = 0; c < dim; ++c)
      comparison.add(states.at(t, c), expected.at(t, c), rounding * double(t + 3));
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("combine and recurrent reject invalid arguments") {
  Matrix x(3, 4), p(3, 2), short_table(2, 4), out(3, 4), states(3, 5);
  CHECK_THROWS_MATCHES(
      combine(out.view(), x.view(), p.view(), Combination::add), std::invalid_argument,
      Message("combine: the table's width must be 1 or that of the tokens, 4, got 2"));
  CHECK_THROWS_MATCHES(combine(out.view(), x.view(), short_table.view(), Combination::add),
                       std::invalid_argument,
                       Message("combine: the table must have one row per token, 3, got 2"));
  CHECK_THROWS_MATCHES(combine(out.view(), x.view(), p.view(), Combination::concatenate),
                       std::invalid_argument, Message("combine: result must be 3 x 6, got 3 x 4"));
  const Layer layer(6, 5, 1);
  const std::vector<float> initial(5), short_state(4);
  CHECK_THROWS_MATCHES(recurrent(states.view(), x.view(), layer.weights(), initial),
                       std::invalid_argument,
                       Message("recurrent: input weights must be 4 x 5, got 6 x 5"));
  const Layer fitting(4, 5, 1);
  CHECK_THROWS_MATCHES(
      recurrent(states.view(), x.view(), fitting.weights(), short_state), std::invalid_argument,
      Message("recurrent: bias and initial state must have 5 values, got 5 and 4"));
  CHECK_THROWS_MATCHES(recurrent(out.view(), x.view(), fitting.weights(), initial),
                       std::invalid_argument,
                       Message("recurrent: result must be 3 x 5, got 3 x 4"));
}
