#include "content/prefix_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/elementary.hpp"
#include "kernels/activations.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {

void PrefixSumBias::Sums::split() const {
  heads.resize(values.size());
  tails.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    heads[i] = static_cast<float>(sign * values[i]);
    tails[i] = static_cast<float>(sign * values[i] - double(heads[i]));
  }
}

void PrefixSumBias::check(const AttentionShape& shape) const {
  const std::size_t count = shape.batches * shape.heads * shape.keys;
  check_count("prefix sums", count, forward_.values.size());
  check_count("later prefix sums", count, later_.values.size());
  forward_.split();
  later_.split();
}

std::size_t PrefixSumBias::earlier(const ScoreRow& row) {
  const std::int64_t count = row.query_key + 1 - static_cast<std::int64_t>(row.first_key);
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(row.scores.size())));
}

void PrefixSumBias::apply(const ScoreRow& row) const {
  const std::size_t at = row.head_of_keys(), own = at + static_cast<std::size_t>(row.query_key);
  const std::size_t count = earlier(row);
  const auto add = [&](const Sums& sums, std::size_t from, std::size_t terms) {
    const std::size_t key = at + row.first_key + from;
    add_differences(row.scores.subspan(from, terms), {sums.heads[own], sums.tails[own]},
                    {sums.heads.data() + key, terms}, {sums.tails.data() + key, terms});
  };
  add(forward_, 0, count);
  if (count < row.scores.size()) add(later_, count, row.scores.size() - count);
}

void PrefixSumBias::backward(const ScoreRow& d_scores, std::span<const float>) const {
  const std::size_t at = d_scores.head_of_keys(), count = earlier(d_scores);
  const auto collect = [&](const Sums& sums, std::size_t from, std::size_t past_end) {
    if (sums.gradient.empty()) return;
    // score = before + sign (sum of the query - sum of the key)
    double* d_sums = sums.gradient.data() + at;
    double all = 0.0;
    for (std::size_t i = from; i < past_end; ++i) {
      const double d = sums.sign * double(d_scores.scores[i]);
      d_sums[d_scores.first_key + i] -= d;
      all += d;
    }
    d_sums[d_scores.query_key] += all;
  };
  collect(forward_, 0, count);
  collect(later_, count, d_scores.scores.size());
}

double prefix_term(PrefixTerm kind, double number) {
  if (kind == PrefixTerm::number) return number;
  const double x = kind == PrefixTerm::log_sigmoid ? number : -number;
  // ln sigmoid(x) = min(x, 0) - ln(1 + exp(-|x|))
  return std::min(x, 0.0) - portable::log1p(portable::exp(-std::abs(x)));
}

void prefix_terms(std::span<double> terms, std::span<const float> numbers, PrefixTerm kind) {
  if (kind == PrefixTerm::number) {
    std::ranges::copy(numbers, terms.begin());
    return;
  }
  log_sigmoid(terms, numbers, kind == PrefixTerm::log_sigmoid ? 1.0 : -1.0);
}

double prefix_term_slope(PrefixTerm kind, double number) {
  // d ln sigmoid(x) = sigmoid(-x)
  if (kind == PrefixTerm::log_sigmoid) return 1.0 / (1.0 + portable::exp(number));
  if (kind == PrefixTerm::log_sigmoid_of_negative) return -1.0 / (1.0 + portable::exp(-number));
  return 1.0;
}

void prefix_sums(std::span<double> sums, std::span<const float> numbers, std::size_t rows,
                 PrefixTerm kind) {
  const std::size_t length = rows == 0 ? 0 : numbers.size() / rows;
  for (const float number : numbers)
    require(std::isfinite(number), "attention: terms of prefix sums must be finite, got ", number);
  prefix_terms(sums, numbers, kind);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<double> of_row = sums.subspan(row * length, length);
    std::partial_sum(of_row.begin(), of_row.end(), of_row.begin());
  }
}

void prefix_sums_backward(std::span<float> d_numbers, std::span<const double> d_sums,
                          std::span<const float> numbers, std::size_t rows, PrefixTerm kind) {
  const std::size_t length = rows == 0 ? 0 : numbers.size() / rows;
  double later = 0.0;
  for (std::size_t i = numbers.size(); i-- > 0;) {
    later = (i % length == length - 1 ? 0.0 : later) + d_sums[i];
    const double slope = prefix_term_slope(kind, double(numbers[i]));
    d_numbers[i] = i % length == 0 ? 0.0f : static_cast<float>(later * slope);
  }
}

void PrefixNumbers::form(std::span<const float> numbers, std::size_t rows, PrefixTerm kind,
                         bool has_gradient, double factor) {
  numbers_ = numbers;
  rows_ = rows;
  kind_ = kind;
  factor_ = factor;
  sums_.resize(numbers.size());
  prefix_sums(sums_, numbers, rows, kind);
  for (double& sum : sums_) sum *= factor;
  d_sums_.assign(has_gradient ? sums_.size() : 0, 0.0);
}

void PrefixNumbers::backward(std::span<float> d_numbers) {
  for (double& d : d_sums_) d *= factor_;
  prefix_sums_backward(d_numbers, d_sums_, numbers_, rows_, kind_);
}

}  // namespace ropewalk
