#include "training/layers.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <numbers>

#include "kernels/lanes.hpp"
#include "reference/kernels.hpp"
#include "reference/training.hpp"
#include "support/central_differences.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;

namespace {

// Parameters' gradients start from these, since backward functions add to them.
Matrix earlier_gradient(std::size_t rows, std::size_t cols) {
  return random_matrix(rows, cols, 99);
}

std::vector<float> less_earlier(const Matrix& sum) {
  std::vector<float> rest = sum.values;
  const Matrix earlier = earlier_gradient(sum.rows, sum.cols);
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= earlier.values[i];
  return rest;
}

Matrix transposed(const Matrix& matrix) {
  Matrix result(matrix.cols, matrix.rows);
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    for (std::size_t c = 0; c < matrix.cols; ++c) result.at(c, r) = matrix.at(r, c);
  }
  return result;
}

// A matrix amid other numbers: what lies beside its columns must stay as it is.
struct Embedded {
  std::size_t rows, cols, stride;
  std::vector<float> values, before;

  Embedded(const Matrix& matrix, std::size_t more)
      : rows(matrix.rows),
        cols(matrix.cols),
        stride(matrix.cols + more),
        values(random_floats(matrix.rows * stride, 77)) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < cols; ++c) values[r * stride + c] = matrix.at(r, c);
    }
    before = values;
  }

  MatrixView view() { return {values.data(), rows, cols, stride}; }
  ConstMatrixView view() const { return {values.data(), rows, cols, stride}; }
  float at(std::size_t row, std::size_t col) const { return values[row * stride + col]; }
  float was(std::size_t row, std::size_t col) const { return before[row * stride + col]; }
  bool kept_the_rest() const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % stride >= cols && !same_bits(values[i], before[i])) return false;
    }
    return true;
  }
};

// actual = expected, or expected plus what was there, within the rounding of each sum.
void check_products(const Embedded& actual, const std::vector<reference::Sum>& expected,
                    std::size_t depth, bool is_added) {
  Comparison comparison;
  for (std::size_t r = 0; r < actual.rows; ++r) {
    for (std::size_t c = 0; c < actual.cols; ++c) {
      const reference::Sum& sum = expected[r * actual.cols + c];
      const double before = is_added ? actual.was(r, c) : 0.0;
      comparison.add(actual.at(r, c), sum.value + before,
                     double(depth + 2) * epsilon * (sum.magnitude + std::abs(before)) + 1e-30);
    }
  }
  CHECK_THAT(comparison, WithinBounds());
  CHECK(actual.kept_the_rest());
}

void check_linear(std::size_t rows, std::size_t in, std::size_t out, std::size_t more,
                  std::vector<float>& scratch) {
  const Matrix x = random_matrix(rows, in, 1), w = random_matrix(in, out, 2),
               d_y = random_matrix(rows, out, 3);
  const Embedded x_view(x, more), w_view(w, more), d_y_view(d_y, more);
  Embedded y(Matrix(rows, out, no_number), more), d_x(Matrix(rows, in, no_number), more),
      d_w(earlier_gradient(in, out), more), only_d_w = d_w;
  linear_forward(y.view(), x_view.view(), w_view.view(), scratch);
  linear_backward(d_x.view(), d_w.view(), d_y_view.view(), x_view.view(), w_view.view(), scratch);
  check_products(y, reference::multiply(x.view(), w.view()), in, false);
  check_products(d_x, reference::multiply_transposed(d_y.view(), w.view()), out, false);
  check_products(d_w, reference::multiply(transposed(x).view(), d_y.view()), rows, true);

  linear_backward({}, only_d_w.view(), d_y_view.view(), x_view.view(), w_view.view(), scratch);
  CHECK(only_d_w.values == d_w.values);  // d_x is not wanted
}

}  // namespace

TEST_CASE(
    "linear and its gradients equal the products at every shape, and write nothing outside them") {
  std::vector<float> scratch;
  const std::size_t more = GENERATE(0, 1, 8);
  for (const std::size_t rows : {0, 1, 3, 17, 48, 49, 101}) {
    for (const std::size_t in : {1, 16, 17, 65}) {
      for (const std::size_t out : {1, 5, 16, 17, 64, 65}) {
        check_linear(rows, in, out, more, scratch);
      }
    }
  }
}

TEST_CASE("linear's scratch memory grows to the size needed and is kept") {
  std::vector<float> scratch;
  check_linear(17, 65, 17, 0, scratch);
  const float* const place = scratch.data();
  const std::size_t size = scratch.size();
  check_linear(3, 16, 17, 0, scratch);
  check_linear(17, 65, 17, 0, scratch);
  CHECK(scratch.data() == place);
  CHECK(scratch.size() == size);
}

TEST_CASE("linear's gradients are the central differences of its reference") {
  const auto [rows, in, out] = GENERATE(table<std::size_t, std::size_t, std::size_t>(
      {{1, 16, 17}, {3, 17, 16}, {17, 16, 5}, {3, 65, 17}, {17, 17, 16}}));
  const Matrix x = random_matrix(rows, in, 1), w = random_matrix(in, out, 2),
               d_y = random_matrix(rows, out, 3);
  Matrix d_x(rows, in), d_w = earlier_gradient(in, out);
  std::vector<float> scratch;
  linear_backward(d_x.view(), d_w.view(), d_y.view(), x.view(), w.view(), scratch);
  const Table d_x_expected = gradient(table_of(x), [&](const Table& at) {
    return inner_product(reference::linear(at, table_of(w)), d_y);
  });
  const Table d_w_expected = gradient(table_of(w), [&](const Table& at) {
    return inner_product(reference::linear(table_of(x), at), d_y);
  });
  CHECK(relative_error(d_x.values, d_x_expected) < layer_bound(out));
  CHECK(relative_error(less_earlier(d_w), d_w_expected) < layer_bound(rows));
}

TEST_CASE("linear names the matrix that does not fit") {
  Matrix x(3, 4), w(4, 5), y(3, 5), other(2, 3);
  std::vector<float> scratch;
  const auto forward = [&](Matrix& y_given, Matrix& x_given, const char* text) {
    CHECK_THROWS_MATCHES(linear_forward(y_given.view(), x_given.view(), w.view(), scratch),
                         std::invalid_argument, Message(text));
  };
  forward(y, other, "linear_forward: x must be 2 x 4, got 2 x 3");
  forward(other, x, "linear_forward: y must be 3 x 5, got 2 x 3");
  const auto backward = [&](Matrix& d_x, Matrix& d_w, Matrix& d_y, Matrix& x_given,
                            const char* text) {
    CHECK_THROWS_MATCHES(
        linear_backward(d_x.view(), d_w.view(), d_y.view(), x_given.view(), w.view(), scratch),
        std::invalid_argument, Message(text));
  };
  backward(x, w, y, other, "linear_backward: x must be 2 x 4, got 2 x 3");
  backward(x, w, other, x, "linear_backward: d_y must be 3 x 5, got 2 x 3");
  backward(x, other, y, x, "linear_backward: d_w must be 4 x 5, got 2 x 3");
  backward(other, w, y, x, "linear_backward: d_x must be 3 x 4, got 2 x 3");
}

TEST_CASE("embedding copies rows, and its gradient sums over equal ids") {
  const std::size_t width = GENERATE(1, 16, 17, 65);
  const std::vector<std::uint32_t> ids = {4, 0, 4, 6, 4, 0};
  const Matrix table = random_matrix(7, width, 1), d_y = random_matrix(ids.size(), width, 2);
  Matrix y(ids.size(), width), d_table = earlier_gradient(7, width);
  embedding_forward(y.view(), table.view(), ids);
  const Table expected = reference::embedding(table_of(table), ids);
  for (std::size_t i = 0; i < y.values.size(); ++i) CHECK(y.values[i] == expected.values[i]);

  embedding_backward(d_table.view(), d_y.view(), ids);
  const Table differences = gradient(table_of(table), [&](const Table& at) {
    return inner_product(reference::embedding(at, ids), d_y);
  });
  CHECK(relative_error(less_earlier(d_table), differences) < layer_bound(3));
  for (const std::size_t unused : {1, 2, 3, 5}) {
    for (std::size_t c = 0; c < width; ++c) {
      CHECK(same_bits(d_table.at(unused, c), earlier_gradient(7, width).at(unused, c)));
    }
  }
}

TEST_CASE("embedding rejects an id that has no row before it writes") {
  Matrix table(7, 2, 1.0f), y(3, 2, 5.0f);
  const std::vector<std::uint32_t> ids = {0, 7, 1};
  const auto message = Message("embedding: tokens must be below 7, got 7");
  CHECK_THROWS_MATCHES(embedding_forward(y.view(), table.view(), ids), std::invalid_argument,
                       message);
  CHECK(y.values == Matrix(3, 2, 5.0f).values);
  CHECK_THROWS_MATCHES(embedding_backward(table.view(), y.view(), ids), std::invalid_argument,
                       message);
  CHECK(table.values == Matrix(7, 2, 1.0f).values);
  CHECK_THROWS_MATCHES(embedding_forward(y.view(), table.view(), std::span(ids).first(2)),
                       std::invalid_argument,
                       Message("embedding_forward: y must be 2 x 2, got 3 x 2"));
  CHECK_THROWS_MATCHES(embedding_backward(Matrix(7, 3).view(), y.view(), ids),
                       std::invalid_argument,
                       Message("embedding_backward: d_y must be 3 x 3, got 3 x 2"));
}

namespace {

constexpr float norm_epsilon = 1e-5f;

// A layer with a gain, and perhaps a bias, at one shape.
struct NormCase {
  Matrix x, gain, bias, d_y;

  NormCase(std::size_t rows, std::size_t width, float mean)
      : x(random_matrix(rows, width, 1)),
        gain(random_matrix(1, width, 2)),
        bias(random_matrix(1, width, 3)),
        d_y(random_matrix(rows, width, 4)) {
    for (float& value : x.values) value += mean;
  }
};

}  // namespace

TEST_CASE("RMSNorm agrees with its reference, a row of zeros included") {
  const std::size_t rows = GENERATE(1, 3, 17), width = GENERATE(1, 6, 16, 17, 65);
  NormCase layer(rows, width, 0.5f);
  if (rows > 1) std::ranges::fill(layer.x.view().row(1), 0.0f);
  Matrix y(rows, width, no_number);
  rms_norm_forward(y.view(), layer.x.view(), layer.gain.values, norm_epsilon);
  const Table expected = reference::rms_norm(table_of(layer.x), table_of(layer.gain), norm_epsilon);
  Comparison comparison;
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    comparison.add(y.values[i], expected.values[i],
                   layer_bound(width) * std::abs(expected.values[i]));
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("RMSNorm's gradients are the central differences of its reference") {
  const std::size_t rows = GENERATE(1, 3, 17), width = GENERATE(6, 16, 17, 65);
  NormCase layer(rows, width, 0.5f);
  Matrix d_x(rows, width, no_number), d_gain = earlier_gradient(1, width);
  rms_norm_backward(d_x.view(), d_gain.values, layer.d_y.view(), layer.x.view(), layer.gain.values,
                    norm_epsilon);
  const auto loss = [&](const Table& x, const Table& gain) {
    return inner_product(reference::rms_norm(x, gain, norm_epsilon), layer.d_y);
  };
  const Table x = table_of(layer.x), gain = table_of(layer.gain);
  const Table d_x_expected = gradient(x, [&](const Table& at) { return loss(at, gain); });
  const Table d_gain_expected = gradient(gain, [&](const Table& at) { return loss(x, at); });
  CHECK(relative_error(d_x.values, d_x_expected) < layer_bound(width));
  CHECK(relative_error(less_earlier(d_gain), d_gain_expected) < layer_bound(rows));
}

TEST_CASE("at a row of zeros RMSNorm is linear: its gradient is d_y gain / sqrt(epsilon)") {
  const std::size_t width = GENERATE(1, 4, 17);
  const NormCase layer(1, width, 0.0f);
  const Matrix x(1, width, 0.0f);
  Matrix d_x(1, width), d_gain(1, width, 2.0f);
  rms_norm_backward(d_x.view(), d_gain.values, layer.d_y.view(), x.view(), layer.gain.values,
                    norm_epsilon);
  for (std::size_t c = 0; c < width; ++c) {
    const double expected =
        double(layer.d_y.at(0, c)) * layer.gain.at(0, c) / std::sqrt(double(norm_epsilon));
    CHECK_THAT(d_x.at(0, c), WithinAbs(expected, 4 * epsilon * std::abs(expected)));
    CHECK(d_gain.at(0, c) == 2.0f);
  }
}

TEST_CASE("LayerNorm agrees with its reference, also far from mean 0") {
  const std::size_t rows = GENERATE(1, 3, 17), width = GENERATE(2, 6, 16, 17, 65);
  const float mean = GENERATE(0.0f, -1000.0f, 1e6f);
  NormCase layer(rows, width, mean);
  Matrix y(rows, width, no_number);
  layer_norm_forward(y.view(), layer.x.view(), layer.gain.values, layer.bias.values, norm_epsilon);
  const Table expected = reference::layer_norm(table_of(layer.x), table_of(layer.gain),
                                               table_of(layer.bias), norm_epsilon);
  Comparison comparison;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      // Normalized values are at most sqrt(width).
      const double scale = std::sqrt(double(width)) * std::abs(layer.gain.at(0, c));
      comparison.add(y.at(r, c), expected.at(r, c),
                     layer_bound(width) * (scale + std::abs(layer.bias.at(0, c))));
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}

TEST_CASE("LayerNorm's gradients are the central differences of its reference") {
  const std::size_t rows = GENERATE(1, 3, 17), width = GENERATE(6, 16, 17, 65);
  NormCase layer(rows, width, 2.0f);
  Matrix d_x(rows, width, no_number), d_gain = earlier_gradient(1, width), d_bias = d_gain;
  layer_norm_backward(d_x.view(), d_gain.values, d_bias.values, layer.d_y.view(), layer.x.view(),
                      layer.gain.values, norm_epsilon);
  const auto loss = [&](const Table& x, const Table& gain, const Table& bias) {
    return inner_product(reference::layer_norm(x, gain, bias, norm_epsilon), layer.d_y);
  };
  const Table x = table_of(layer.x), gain = table_of(layer.gain), bias = table_of(layer.bias);
  const Table d_x_expected = gradient(x, [&](const Table& at) { return loss(at, gain, bias); });
  const Table d_gain_expected = gradient(gain, [&](const Table& at) { return loss(x, at, bias); });
  const Table d_bias_expected = gradient(bias, [&](const Table& at) { return loss(x, gain, at); });
  CHECK(relative_error(d_x.values, d_x_expected) < layer_bound(width));
  CHECK(relative_error(less_earlier(d_gain), d_gain_expected) < layer_bound(rows));
  CHECK(relative_error(less_earlier(d_bias), d_bias_expected) < layer_bound(rows));
}

TEST_CASE("a row of one value has RMSNorm gradients and, in LayerNorm, only that of its bias") {
  const NormCase layer(3, 1, 0.5f);
  Matrix y(3, 1), d_x(3, 1, no_number), d_gain(1, 1), d_bias(1, 1);
  layer_norm_forward(y.view(), layer.x.view(), layer.gain.values, layer.bias.values, norm_epsilon);
  layer_norm_backward(d_x.view(), d_gain.values, d_bias.values, layer.d_y.view(), layer.x.view(),
                      layer.gain.values, norm_epsilon);
  for (std::size_t r = 0; r < 3; ++r) {
    CHECK(y.at(r, 0) == layer.bias.at(0, 0));
    CHECK(d_x.at(r, 0) == 0.0f);
  }
  CHECK(d_gain.at(0, 0) == 0.0f);
  CHECK(d_bias.at(0, 0) != 0.0f);
}

TEST_CASE("layers may write over their inputs and read parts of wider matrices") {
  const std::size_t rows = 3, width = 17;
  const NormCase layer(rows, width, 0.5f);
  Matrix y(rows, width), d_x(rows, width), d_gain(1, width);
  rms_norm_forward(y.view(), layer.x.view(), layer.gain.values, norm_epsilon);
  rms_norm_backward(d_x.view(), d_gain.values, layer.d_y.view(), layer.x.view(), layer.gain.values,
                    norm_epsilon);
  Embedded in_place(layer.x, 5), d_in_place(layer.d_y, 3);
  Matrix same_gain(1, width);
  rms_norm_backward(d_in_place.view(), same_gain.values, d_in_place.view(), in_place.view(),
                    layer.gain.values, norm_epsilon);
  rms_norm_forward(in_place.view(), in_place.view(), layer.gain.values, norm_epsilon);
  CHECK(same_gain.values == d_gain.values);
  CHECK((in_place.kept_the_rest() && d_in_place.kept_the_rest()));

  Matrix activated(rows, width), d_activated(rows, width);
  gelu_forward(activated.view(), layer.x.view());
  gelu_backward(d_activated.view(), layer.d_y.view(), layer.x.view());
  Embedded gelu_x(layer.x, 5), gelu_d_y(layer.d_y, 3);
  gelu_backward(gelu_d_y.view(), gelu_d_y.view(), gelu_x.view());
  gelu_forward(gelu_x.view(), gelu_x.view());
  CHECK((gelu_x.kept_the_rest() && gelu_d_y.kept_the_rest()));
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      CHECK(same_bits(in_place.at(r, c), y.at(r, c)));
      CHECK(same_bits(d_in_place.at(r, c), d_x.at(r, c)));
      CHECK(same_bits(gelu_x.at(r, c), activated.at(r, c)));
      CHECK(same_bits(gelu_d_y.at(r, c), d_activated.at(r, c)));
    }
  }
}

TEST_CASE("normalizations name what does not fit, and an epsilon that has no root") {
  Matrix x(3, 4), y(3, 4), narrow(3, 3), vector(1, 4), shorter(1, 3);
  const auto& gain = vector.values;
  CHECK_THROWS_MATCHES(rms_norm_forward(narrow.view(), x.view(), gain, 1e-5f),
                       std::invalid_argument,
                       Message("rms_norm_forward: y must be 3 x 4, got 3 x 3"));
  CHECK_THROWS_MATCHES(
      rms_norm_forward(y.view(), x.view(), shorter.values, 1e-5f), std::invalid_argument,
      Message("rms_norm_forward: gain must have 4 values, as x has columns, got 3"));
  CHECK_THROWS_MATCHES(rms_norm_forward(y.view(), x.view(), gain, -1.0f), std::invalid_argument,
                       Message("rms_norm_forward: epsilon must be at least 0 and finite, got -1"));
  CHECK_THROWS_MATCHES(
      rms_norm_backward(y.view(), shorter.values, x.view(), x.view(), gain, 1e-5f),
      std::invalid_argument,
      Message("rms_norm_backward: d_gain must have 4 values, as x has columns, got 3"));
  CHECK_THROWS_MATCHES(
      layer_norm_forward(y.view(), x.view(), gain, shorter.values, 1e-5f), std::invalid_argument,
      Message("layer_norm_forward: bias must have 4 values, as x has columns, got 3"));
  Matrix d_gain(1, 4);
  CHECK_THROWS_MATCHES(
      layer_norm_backward(y.view(), d_gain.values, shorter.values, x.view(), x.view(), gain, 1e-5f),
      std::invalid_argument,
      Message("layer_norm_backward: d_bias must have 4 values, as x has columns, "
              "got 3"));
  CHECK_THROWS_MATCHES(layer_norm_backward(y.view(), d_gain.values, d_gain.values, narrow.view(),
                                           x.view(), gain, 1e-5f),
                       std::invalid_argument,
                       Message("layer_norm_backward: d_y must be 3 x 4, got 3 x 3"));
  CHECK_THROWS_MATCHES(gelu_forward(narrow.view(), x.view()), std::invalid_argument,
                       Message("gelu_forward: y must be 3 x 4, got 3 x 3"));
  CHECK_THROWS_MATCHES(gelu_backward(y.view(), narrow.view(), x.view()), std::invalid_argument,
                       Message("gelu_backward: d_y must be 3 x 4, got 3 x 3"));
}

namespace {

double gelu_argument(double x) {  // 2u
  return 2 * std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
}

// Error bound of sigmoid(2u): exp, 4 roundings of its argument, and 3 more.
double sigmoid_error(double x) {
  const double argument = std::abs(gelu_argument(x));
  return exp_error(argument) + rounding * (4 * argument + 3);
}

}  // namespace

TEST_CASE("GELU has a small relative error everywhere, and at every length and offset") {
  const std::size_t length = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2), 4000);
  const std::size_t offset = GENERATE(0, 1, 3);
  auto x = random_floats(offset + length, 6);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::ldexp(1.0f, int(i % 8) - 4);
  Matrix y(1, length, no_number), d_x(1, length, no_number);
  const ConstMatrixView part(x.data() + offset, 1, length);
  const Matrix d_y = random_matrix(1, length, 7);
  gelu_forward(y.view(), part);
  gelu_backward(d_x.view(), d_y.view(), part);
  Comparison forward, backward;
  for (std::size_t i = 0; i < length; ++i) {
    const double at = x[offset + i], h = 1e-5;
    const double s = 1 / (1 + std::exp(-gelu_argument(at))), expected = at * s;
    const double error = std::expm1(2 * sigmoid_error(at));  // second order, for the tails
    forward.add(y.at(0, i), expected,
                (error + rounding) * std::abs(expected) + (1 + std::abs(at)) * least_weight);

    const double slope = (reference::gelu(at + h) - reference::gelu(at - h)) / (2 * h);
    const double curved =
        std::abs(at * s * (1 - s)) * (gelu_argument(at + h) - gelu_argument(at - h)) / (2 * h);
    const double bound = error * s + 2 * (error + 4 * rounding) * curved + 1e-9;
    backward.add(d_x.at(0, i), d_y.at(0, i) * slope, bound * std::abs(d_y.at(0, i)));
  }
  CHECK_THAT(forward, WithinBounds());
  CHECK_THAT(backward, WithinBounds());
}

TEST_CASE("GELU's gradient is the central differences of its reference") {
  const std::size_t rows = GENERATE(1, 3, 17), width = GENERATE(1, 16, 17, 65);
  const Matrix x = random_matrix(rows, width, 1), d_y = random_matrix(rows, width, 2);
  Matrix d_x(rows, width, no_number);
  gelu_backward(d_x.view(), d_y.view(), x.view());
  const Table expected = gradient(
      table_of(x), [&](const Table& at) { return inner_product(reference::gelu(at), d_y); });
  CHECK(relative_error(d_x.values, expected) < layer_bound(0));
}

TEST_CASE("GELU is 0 or x far from 0, with slope 0 or 1, and keeps NaN") {
  Matrix x(1, 7, std::vector<float>{0, 50, -50, 3e38f, -3e38f, no_number, -0.0f});
  const Matrix d_y(1, 7, 2.0f);
  Matrix y(1, 7), d_x(1, 7);
  gelu_forward(y.view(), x.view());
  gelu_backward(d_x.view(), d_y.view(), x.view());
  const float values[] = {0, 50, 0, 3e38f, 0}, slopes[] = {0.5f, 1, 0, 1, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(y.at(0, i) == values[i]);
    CHECK(d_x.at(0, i) == 2 * slopes[i]);
  }
  CHECK((std::isnan(y.at(0, 5)) && std::isnan(d_x.at(0, 5))));
  CHECK((y.at(0, 6) == 0.0f && d_x.at(0, 6) == 1.0f));
}
