#include "attention/gate_modifiers.hpp"

#include <algorithm>
#include <cmath>

#include "attention/prefix_sums.hpp"
#include "base/elementary.hpp"
#include "kernels/activations.hpp"
#include "kernels/dot.hpp"
#include "kernels/matvec.hpp"
#include "kernels/sincos.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {

void GatedSlopeBias::check(const AttentionShape& shape) const {
  const std::size_t heads = shape.batches * shape.heads;
  if (!query_gates_.empty()) check_count("query gates", heads * shape.queries, query_gates_.size());
  if (!key_gates_.empty()) check_count("key gates", heads * shape.keys, key_gates_.size());
}

void GatedSlopeBias::apply(const ScoreRow& row) const {
  const auto first_distance =
      static_cast<float>(row.query_key - static_cast<std::int64_t>(row.first_key));
  const float own = query_gates_.empty() ? 0.0f : query_gates_[row.query_index()];
  const std::span<const float> keys =
      key_gates_.empty()
          ? key_gates_
          : key_gates_.subspan(row.head_of_keys() + row.first_key, row.scores.size());
  subtract_slopes(row.scores, first_distance, own, keys);
}

void GatedSlopeBias::backward(const ScoreRow& d_scores, std::span<const float>) const {
  const std::size_t first_key = d_scores.head_of_keys() + d_scores.first_key;
  double of_query = 0.0;
  for (std::size_t i = 0; i < d_scores.scores.size(); ++i) {
    const auto distance =
        static_cast<double>(d_scores.query_key - static_cast<std::int64_t>(d_scores.first_key + i));
    const double d = -distance * double(d_scores.scores[i]);
    of_query += d;
    if (!d_key_gates_.empty()) d_key_gates_[first_key + i] += static_cast<float>(d);
  }
  if (!d_query_gates_.empty())
    d_query_gates_[d_scores.query_index()] += static_cast<float>(of_query);
}

void slope_gates(std::span<float> gates, ConstMatrixView x, std::span<const float> direction,
                 float omega) {
  const float factor = static_cast<float>(1.0 / std::sqrt(static_cast<double>(x.cols)));
  multiply_rows({gates.data(), 1, gates.size()}, {direction.data(), 1, direction.size()}, x,
                factor);
  softplus(gates, gates);
  scale(gates, omega);
}

void slope_gates_backward(const SlopeGatesGradients& gradients, std::span<const float> d_gates,
                          ConstMatrixView x, std::span<const float> direction, float omega) {
  const float factor = static_cast<float>(1.0 / std::sqrt(static_cast<double>(x.cols)));
  for (std::size_t r = 0; r < x.rows; ++r) {
    const double z = double(factor) * double(dot(x.row(r), direction)), d = d_gates[r];
    // softplus(z) = -ln sigmoid(-z), whose slope is sigmoid(z)
    gradients.omega -= d * prefix_term(PrefixTerm::log_sigmoid_of_negative, z);
    const double d_product = -d * double(omega) * double(factor) *
                             prefix_term_slope(PrefixTerm::log_sigmoid_of_negative, z);
    add_scaled(gradients.x.row(r), direction, static_cast<float>(d_product));
    for (std::size_t c = 0; c < x.cols; ++c)
      gradients.direction[c] += d_product * double(x.row(r)[c]);
  }
}

namespace {

// Length of a direction, at least 1e-6, since it is a divisor.
double length_of(std::span<const float> direction) {
  double sum = 0.0;
  for (const float value : direction) sum += double(value) * double(value);
  return std::max(std::sqrt(sum), 1e-6);
}

}  // namespace

std::vector<float> unit_direction(std::span<const float> direction) {
  const double length = length_of(direction);
  std::vector<float> unit;
  unit.reserve(direction.size());
  for (const float value : direction) unit.push_back(static_cast<float>(double(value) / length));
  return unit;
}

void unit_direction_backward(std::span<float> d_direction, std::span<const double> d_unit,
                             std::span<const float> direction) {
  const double length = length_of(direction);
  double along = 0.0;
  for (std::size_t i = 0; i < direction.size(); ++i)
    along += d_unit[i] * double(direction[i]) / length;
  for (std::size_t i = 0; i < direction.size(); ++i)
    d_direction[i] +=
        static_cast<float>((d_unit[i] - along * double(direction[i]) / length) / length);
}

void EdgeSumBias::check(const AttentionShape& shape) const {
  const std::size_t rows = shape.batches * shape.heads * shape.keys;
  require_shape("attention: rows of edges", r_, rows, p_.cols);
  require_shape("attention: rows of queries", p_, rows, r_.cols);
  check_count("slopes", shape.heads, slopes_.size());
}

std::span<float> EdgeSumBias::products_of(const ScoreRow& row) const {
  const std::int64_t before_query = row.query_key - static_cast<std::int64_t>(row.first_key);
  if (before_query < 0) return {};
  const std::size_t first = row.head_of_keys(), count = static_cast<std::size_t>(before_query) + 1;
  products_.resize(count);
  const std::span<const float> own = p_.row(first + static_cast<std::size_t>(row.query_key));
  multiply_rows({products_.data(), 1, count}, {own.data(), 1, own.size()},
                {r_.row(first + row.first_key).data(), count, r_.cols, r_.stride}, -factor_);
  return products_;
}

void EdgeSumBias::apply(const ScoreRow& row) const {
  const std::span<const float> products = products_of(row);
  terms_.resize(products.size());
  log_sigmoid(terms_, products, -1.0);
  double sum = 0.0;
  for (std::size_t i = products.size(); i-- > 0;) {
    const bool is_own = static_cast<std::int64_t>(row.first_key + i) == row.query_key;
    const double edge = double(slopes_[row.head]) * terms_[i];
    if (range_ == EdgeRange::before_query && !is_own) sum += edge;
    if (i < row.scores.size()) row.scores[i] += static_cast<float>(sum);
    if (range_ == EdgeRange::after_key) sum += edge;
  }
}

void EdgeSumBias::backward(const ScoreRow& d_scores, std::span<const float>) const {
  if (!d_p_.data) return;
  // The slope of ln sigmoid(x) is sigmoid(-x).
  const std::span<float> slopes = products_of(d_scores);
  sigmoid(slopes, slopes);
  const std::size_t first = d_scores.head_of_keys(),
                    own = first + static_cast<std::size_t>(d_scores.query_key);
  const double factor = double(slopes_[d_scores.head]) * double(factor_);
  double sum = 0.0;  // of the scores that have the edge
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const std::size_t edge = first + d_scores.first_key + i;
    const double d_score = i < d_scores.scores.size() ? double(d_scores.scores[i]) : 0.0;
    if (range_ == EdgeRange::before_query) {
      if (edge == own) break;
      sum += d_score;
    }
    const auto d = static_cast<float>(sum * factor * double(slopes[i]));
    add_scaled(d_p_.row(own), r_.row(edge), d);
    add_scaled(d_r_.row(edge), p_.row(own), d);
    if (range_ == EdgeRange::after_key) sum += d_score;
  }
}

namespace {

// How a row of x becomes one of path_integral_rows.
struct IntegralRow {
  double inverse, sine, cosine;

  IntegralRow(std::span<const float> x, std::size_t index, double epsilon) {
    double squares = 0.0;
    for (const float value : x) squares += double(value) * double(value);
    inverse = 1.0 / std::sqrt(squares / static_cast<double>(x.size()) + epsilon);
    const auto angle = static_cast<double>(index);
    sincos({&angle, 1}, {&sine, 1}, {&cosine, 1});
  }
};

}  // namespace

void path_integral_rows(std::span<float> rows, std::span<const float> x, std::size_t length,
                        std::size_t width, double epsilon) {
  require_even("path_integral_rows: width", width);
  const std::size_t pairs = width / 2;
  for (std::size_t at = 0; at < x.size(); at += width) {
    const IntegralRow row(x.subspan(at, width), at / width % length, epsilon);
    for (std::size_t i = at; i < at + pairs; ++i) {
      const double a = row.inverse * double(x[i]), b = row.inverse * double(x[i + pairs]);
      rows[i] = static_cast<float>(a * row.cosine + b * row.sine);
      rows[i + pairs] = static_cast<float>(b * row.cosine - a * row.sine);
    }
  }
}

void path_integral_rows_backward(std::span<float> d_x, std::span<const float> d_rows,
                                 std::span<const float> x, std::size_t length, std::size_t width,
                                 double epsilon) {
  require_even("path_integral_rows: width", width);
  const std::size_t pairs = width / 2;
  std::vector<double> d(width);  // of the row before its rotation
  for (std::size_t at = 0; at < x.size(); at += width) {
    const IntegralRow row(x.subspan(at, width), at / width % length, epsilon);
    double along = 0.0;
    for (std::size_t i = 0; i < pairs; ++i) {
      const double a = d_rows[at + i], b = d_rows[at + pairs + i];
      d[i] = a * row.cosine - b * row.sine;
      d[i + pairs] = a * row.sine + b * row.cosine;
      along += d[i] * double(x[at + i]) + d[i + pairs] * double(x[at + pairs + i]);
    }
    along *= row.inverse * row.inverse / static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i)
      d_x[at + i] += static_cast<float>(row.inverse * (d[i] - along * double(x[at + i])));
  }
}

namespace {

// Whether the query of row m masks the key n for later queries, if its score is positive.
bool may_mask(ConstMatrixView gates, std::size_t m, std::size_t n, bool spares_first) {
  const std::size_t first = gates.cols - gates.rows;
  return n != first + m && !(spares_first && n == first);
}

void check_selective(ConstMatrixView bias, ConstMatrixView gates) {
  require_shape("selective_bias: bias", bias, gates.rows, gates.cols);
  require(gates.cols >= gates.rows, "selective_bias: there must be at least ", gates.rows,
          " keys, got ", gates.cols);
}

}  // namespace

void selective_bias(MatrixView bias, ConstMatrixView gates, bool spares_first) {
  check_selective(bias, gates);
  std::vector<double> sums(gates.cols);
  for (std::size_t m = 0; m < gates.rows; ++m) {
    for (std::size_t n = 0; n < gates.cols; ++n) {
      bias.row(m)[n] -= static_cast<float>(sums[n]);
      if (may_mask(gates, m, n, spares_first)) sums[n] += std::max(0.0, double(gates.row(m)[n]));
    }
  }
}

void selective_bias_backward(MatrixView d_gates, ConstMatrixView d_bias, ConstMatrixView gates,
                             bool spares_first) {
  check_selective(d_bias, gates);
  require_shape("selective_bias: gradient of gates", d_gates, gates.rows, gates.cols);
  std::vector<double> sums(gates.cols);  // of the rows after m
  for (std::size_t m = gates.rows; m-- > 0;) {
    for (std::size_t n = 0; n < gates.cols; ++n) {
      if (gates.row(m)[n] > 0.0f && may_mask(gates, m, n, spares_first))
        d_gates.row(m)[n] -= static_cast<float>(sums[n]);
      sums[n] += double(d_bias.row(m)[n]);
    }
  }
}

void OwnKeyMask::apply(const ScoreRow& row) const {
  const std::int64_t at = row.query_key - static_cast<std::int64_t>(row.first_key);
  if (at >= 0 && at < static_cast<std::int64_t>(row.scores.size()))
    row.scores[static_cast<std::size_t>(at)] = minus_infinity;
}

}  // namespace ropewalk
