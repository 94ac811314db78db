#include "content/grape.hpp"

#include <algorithm>
#include <cmath>

#include "content/prefix_sums.hpp"
#include "kernels/activations.hpp"
#include "kernels/dot.hpp"
#include "kernels/matvec.hpp"
#include "kernels/rows.hpp"

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
  // score = before - distance (query gate + key gate)
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

float slope_omega(float raw, double slope) {
  return static_cast<float>(-slope * prefix_term(PrefixTerm::log_sigmoid_of_negative, raw));
}

void slope_gates(std::span<float> gates, ConstMatrixView x, std::span<const float> direction,
                 float omega) {
  const float factor = static_cast<float>(1.0 / std::sqrt(static_cast<double>(x.cols)));
  multiply_rows({gates.data(), 1, gates.size()}, {direction.data(), 1, direction.size()}, x,
                factor);
  softplus(gates, gates);
  scale(gates, omega);
}

std::vector<float> slope_gates(const SlopeRows& rows) {
  std::vector<float> gates(rows.batches * rows.heads * rows.length);
  for (std::size_t h = 0; h < rows.heads; ++h) {
    const std::span<const float> given = rows.directions.row(h);
    const std::vector<float> unit = unit_direction(given);
    for (std::size_t b = 0; b < rows.batches; ++b) {
      const std::size_t first = (b * rows.heads + h) * rows.length;
      slope_gates(
          std::span(gates).subspan(first, rows.length),
          {rows.x.head(b, h / rows.sharing), rows.length, rows.directions.cols, rows.x.row_step},
          rows.normalizes ? std::span<const float>(unit) : given, rows.omegas[h]);
    }
  }
  return gates;
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

}  // namespace ropewalk
