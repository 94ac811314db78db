#include "content/edge_sums.hpp"

#include <cmath>

#include "kernels/activations.hpp"
#include "kernels/matvec.hpp"
#include "kernels/rows.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {

float edge_factor(EdgeRange range, std::size_t width) {
  const auto own = static_cast<double>(width);
  return static_cast<float>(1.0 / (range == EdgeRange::after_key ? own : std::sqrt(own)));
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
  // score = before + sum over the edges l of slope ln sigmoid(factor p . r[l])
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

}  // namespace ropewalk
