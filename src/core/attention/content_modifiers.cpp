#include "attention/content_modifiers.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "kernels/dot.hpp"
#include "kernels/sigmoid.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {

void PositionDistanceBias::check(const AttentionShape& shape) const {
  check_count("distance_bias", shape.heads * length_, lists_.size());
  check_count("positions",
              positions_.size() == shape.keys ? shape.keys : shape.batches * shape.keys,
              positions_.size());
  shape_ = shape;
}

template <class Use>
void PositionDistanceBias::for_each(const ScoreRow& row, Use use) const {
  const std::size_t batch = positions_.size() == shape_.keys ? 0 : row.batch * shape_.keys;
  const double own = positions_[batch + static_cast<std::size_t>(row.query_key)];
  for (std::size_t i = 0; i < row.scores.size(); ++i) {
    const auto distance = static_cast<std::int64_t>(positions_[batch + row.first_key + i] - own);
    const std::int64_t at = distance - first_distance_;
    require(at >= 0 && static_cast<std::uint64_t>(at) < length_,
            "attention: distance_bias must reach the distance ", distance);
    use(i, row.head * length_ + static_cast<std::size_t>(at));
  }
}

void PositionDistanceBias::apply(const ScoreRow& row) const {
  for_each(row, [&](std::size_t i, std::size_t at) { row.scores[i] += lists_[at]; });
}

void PositionDistanceBias::backward(const ScoreRow& d_scores, std::span<const float>) const {
  if (!d_lists_) return;
  for_each(d_scores, [&](std::size_t i, std::size_t at) { d_lists_[at] += d_scores.scores[i]; });
}

void ContextualBias::check(const AttentionShape& shape) const {
  require(table_.rows > 0, "attention: the table of CoPE must have a row, got ", table_.rows);
  require(table_.cols == shape.dim, "attention: the table of CoPE must have ", shape.dim,
          " columns, got ", table_.cols);
  shape_ = shape;
}

std::span<const float> ContextualBias::query(const ScoreRow& row) const {
  return {q_.head(row.batch, row.head) + row.query * q_.row_step, shape_.dim};
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
    products_[r] = static_cast<float>(dot(query(row), table_.row(r)));
  const double last = static_cast<double>(table_.rows - 1);
  double sum = 0.0;
  for (std::size_t n = count; n-- > 0;) {
    sum += double(gates_[n]);
    positions_[n] = std::min(sum, last);
  }
  return count;
}

void ContextualBias::apply(const ScoreRow& row) const {
  const std::size_t count = find_positions(row, row.scores);
  for (std::size_t n = 0; n < count; ++n) {
    const auto below = static_cast<std::size_t>(positions_[n]);
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
    const auto below = static_cast<std::size_t>(positions_[n]);
    const std::size_t above = std::min(below + 1, products_.size() - 1);
    const auto share = static_cast<float>(positions_[n] - double(below));
    float& d = d_scores.scores[n];
    d_products_[below] += d * (1.0f - share);
    d_products_[above] += d * share;
    if (positions_[n] < last) d_gate += double(d) * double(products_[above] - products_[below]);
    d += static_cast<float>(d_gate * double(gates_[n]) * (1.0 - double(gates_[n])));
  }
  const std::size_t row =
      (d_scores.batch * shape_.heads + d_scores.head) * shape_.queries + d_scores.query;
  for (std::size_t r = 0; r < products_.size(); ++r) {
    if (d_products_[r] == 0.0f) continue;
    if (d_q_) add_scaled({d_q_ + row * shape_.dim, shape_.dim}, table_.row(r), d_products_[r]);
    if (d_table_.data) add_scaled(d_table_.row(r), query(d_scores), d_products_[r]);
  }
}

}  // namespace ropewalk
