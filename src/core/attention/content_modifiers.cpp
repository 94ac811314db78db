#include "attention/content_modifiers.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "kernels/activations.hpp"
#include "kernels/dot.hpp"
#include "kernels/matvec.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {

namespace {

// The query of a row, in a tensor of a call's queries.
std::span<const float> query_of(const ScoreRow& row, const HeadsView& q) {
  return {q.head(row.batch, row.head) + row.query * q.row_step, row.shape.dim};
}

// The same in a contiguous tensor.
std::span<float> query_of(const ScoreRow& row, float* q) {
  return {q + row.query_index() * row.shape.dim, row.shape.dim};
}

}  // namespace

void RelativeKeys::check(const AttentionShape& shape) const {
  require(table_count_ == 1 || table_count_ == shape.heads,
          "attention: there must be one table of relative keys, or one per head, ", shape.heads,
          ", got ", table_count_);
  const std::size_t rows = tables_.rows / table_count_;
  require(rows * table_count_ == tables_.rows && rows % 2 == 1,
          "attention: a table of relative keys must have an odd number of rows, got ", rows);
  require(tables_.cols == shape.dim, "attention: a table of relative keys must have ", shape.dim,
          " columns, got ", tables_.cols);
}

template <class Use>
void RelativeKeys::for_each(const ScoreRow& row, Use use) const {
  const auto clip = static_cast<std::int64_t>(tables_.rows / table_count_ / 2);
  const std::int64_t distance = static_cast<std::int64_t>(row.first_key) - row.query_key;
  const std::int64_t first = std::clamp(distance, -clip, clip);
  for (std::size_t i = 0; i < row.scores.size(); ++i) {
    const std::int64_t at = std::clamp(distance + static_cast<std::int64_t>(i), -clip, clip);
    use(i, static_cast<std::size_t>(at - first));
  }
}

RelativeKeys::TableRows RelativeKeys::rows_of(const ScoreRow& row) const {
  const std::size_t rows = tables_.rows / table_count_;
  const auto clip = static_cast<std::int64_t>(rows / 2);
  const std::int64_t distance = static_cast<std::int64_t>(row.first_key) - row.query_key;
  const auto count = static_cast<std::int64_t>(row.scores.size());
  const std::int64_t first = std::clamp(distance, -clip, clip);
  const std::int64_t last = std::clamp(distance + count - 1, -clip, clip);
  const std::size_t table = table_count_ == 1 ? 0 : row.head * rows;
  return {table + static_cast<std::size_t>(first + clip),
          static_cast<std::size_t>(last - first + 1)};
}

void RelativeKeys::apply(const ScoreRow& row) const {
  const TableRows rows = rows_of(row);
  products_.resize(rows.count);
  multiply_rows({products_.data(), 1, rows.count}, {query_of(row, q_).data(), 1, tables_.cols},
                {tables_.row(rows.first).data(), rows.count, tables_.cols}, scale_);
  for_each(row, [&](std::size_t i, std::size_t r) { row.scores[i] += products_[r]; });
}

void RelativeKeys::backward(const ScoreRow& d_scores, std::span<const float>) const {
  const TableRows rows = rows_of(d_scores);
  std::vector<float>& d_products = products_;
  d_products.assign(rows.count, 0.0f);
  for_each(d_scores,
           [&](std::size_t i, std::size_t r) { d_products[r] += scale_ * d_scores.scores[i]; });
  for (std::size_t r = 0; r < rows.count; ++r) {
    const std::span<const float> table_row = tables_.row(rows.first + r);
    if (d_q_) add_scaled(query_of(d_scores, d_q_), table_row, d_products[r]);
    if (!d_tables_.data) continue;
    add_scaled(d_tables_.row(rows.first + r), query_of(d_scores, q_), d_products[r]);
  }
}

void ContextualBias::check(const AttentionShape& shape) const {
  require(table_.rows > 0, "attention: the table of CoPE must have a row, got ", table_.rows);
  require(table_.cols == shape.dim, "attention: the table of CoPE must have ", shape.dim,
          " columns, got ", table_.cols);
}

std::size_t ContextualBias::find_positions(const ScoreRow& row,
                                           std::span<const float> scores) const {
  const std::int64_t up_to_query = row.query_key + 1 - static_cast<std::int64_t>(row.first_key);
  const auto count = static_cast<std::size_t>(
      std::clamp<std::int64_t>(up_to_query, 0, static_cast<std::int64_t>(scores.size())));
  gates_.resize(count);
  positions_.resize(count);
  sigmoid(gates_, scores.first(count));
  // Gates are at most 1, so that no position exceeds the count.
  products_.resize(std::min(table_.rows, count + 2));
  for (std::size_t r = 0; r < products_.size(); ++r)
    products_[r] = static_cast<float>(dot(query_of(row, q_), table_.row(r)));
  const double last = static_cast<double>(table_.rows - 1);
  double sum = 0.0;
  for (std::size_t n = count; n-- > 0;) {
    sum += double(gates_[n]);
    positions_[n] = std::min(sum, last);
  }
  return count;
}

namespace {

// The table row below a position. A NaN score has no row: its position stays NaN instead of
// becoming an index.
std::size_t row_below(double position) {
  return position >= 0.0 ? static_cast<std::size_t>(position) : 0;
}

}  // namespace

void ContextualBias::apply(const ScoreRow& row) const {
  const std::size_t count = find_positions(row, row.scores);
  for (std::size_t n = 0; n < count; ++n) {
    if (row.scores[n] == minus_infinity) continue;  // hidden
    const std::size_t below = row_below(positions_[n]);
    const std::size_t above = std::min(below + 1, products_.size() - 1);
    const auto share = static_cast<float>(positions_[n] - double(below));
    row.scores[n] += products_[below] + share * (products_[above] - products_[below]);
  }
}

void ContextualBias::backward(const ScoreRow& d_scores, std::span<const float> before) const {
  const std::size_t count = find_positions(d_scores, before);
  const double last = static_cast<double>(table_.rows - 1);
  d_products_.assign(products_.size(), 0.0f);
  double d_gate = 0.0;  // a gate is part of the positions of its own key and all before
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t below = row_below(positions_[n]);
    const std::size_t above = std::min(below + 1, products_.size() - 1);
    const auto share = static_cast<float>(positions_[n] - double(below));
    float& d = d_scores.scores[n];
    d_products_[below] += d * (1.0f - share);
    d_products_[above] += d * share;
    if (positions_[n] < last) d_gate += double(d) * double(products_[above] - products_[below]);
    d += static_cast<float>(d_gate * double(gates_[n]) * (1.0 - double(gates_[n])));
  }
  const std::span<const float> query = query_of(d_scores, q_);
  for (std::size_t r = 0; r < products_.size(); ++r) {
    if (d_products_[r] == 0.0f) continue;
    if (d_q_) add_scaled(query_of(d_scores, d_q_), table_.row(r), d_products_[r]);
    if (d_table_.data) add_scaled(d_table_.row(r), query, d_products_[r]);
  }
}

}  // namespace ropewalk
