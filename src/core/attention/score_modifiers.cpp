#include "attention/score_modifiers.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/dot.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {

void check_count(const char* name, std::size_t expected, std::size_t count) {
  require(count == expected, "attention: ", name, " must have ", expected, " values, got ", count);
}

void insert_modifier(std::vector<const ScoreModifier*>& modifiers, const ScoreModifier& modifier) {
  modifiers.insert(std::ranges::lower_bound(modifiers, modifier.step, {}, &ScoreModifier::step),
                   &modifier);
}

void RowScale::check(const AttentionShape& shape) const {
  check_count("row_scale", factors_.steps.count(shape.batches, shape.heads, shape.queries),
              factors_.values.size());
}

void RowScale::apply(const ScoreRow& row) const { scale(row.scores, factors_.values[index(row)]); }

void RowScale::backward(const ScoreRow& d_scores, std::span<const float> before) const {
  // score = factor before
  if (d_factors_) d_factors_[index(d_scores)] += dot(d_scores.scores, before);
  apply(d_scores);
}

void Softcap::check(const AttentionShape&) const {
  require(cap_ > 0.0f, "attention: softcap must be greater than 0, got ", cap_);
}

void Softcap::apply(const ScoreRow& row) const { softcap(row.scores, cap_); }

void Softcap::backward(const ScoreRow& d_scores, std::span<const float> before) const {
  // score = cap tanh(before / cap), whose slope is 1 - tanh^2
  float capped[64];
  for (std::size_t first = 0; first < before.size(); first += std::size(capped)) {
    const std::size_t count = std::min(std::size(capped), before.size() - first);
    std::copy_n(&before[first], count, capped);
    softcap({capped, count}, cap_);
    for (std::size_t i = 0; i < count; ++i) {
      const float tanh = capped[i] / cap_;
      d_scores.scores[first + i] *= 1.0f - tanh * tanh;
    }
  }
}

BroadcastShape::BroadcastShape(const std::array<std::size_t, 4>& extents) : extents_(extents) {
  std::size_t step = 1;
  for (std::size_t axis = extents.size(); axis-- > 0; step *= extents[axis])
    steps_[axis] = extents[axis] == 1 ? 0 : step;
}

void BroadcastShape::check(const char* name, std::size_t count, const AttentionShape& shape) const {
  const std::size_t full[] = {shape.batches, shape.heads, shape.queries, shape.keys};
  for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
    require(extents_[axis] == full[axis] || extents_[axis] == 1, "attention: axis ", axis, " of ",
            name, " must be ", full[axis], " or 1, got ", extents_[axis]);
  }
  check_count(name, this->count(), count);
}

void Bias::check(const AttentionShape& shape) const { shape_.check("bias", values_.size(), shape); }

void Bias::apply(const ScoreRow& row) const {
  const float* const bias = &values_[shape_.first(row)];
  if (shape_.differs_by_key()) return add_bias(row.scores, {bias, row.scores.size()});
  for (float& score : row.scores) add_bias({&score, 1}, {bias, 1});
}

void Bias::backward(const ScoreRow& d_scores, std::span<const float>) const {
  if (!d_values_) return;
  // score = before + value
  float* const d_bias = d_values_ + shape_.first(d_scores);
  if (shape_.differs_by_key()) return add({d_bias, d_scores.scores.size()}, d_scores.scores);
  for (const float d : d_scores.scores) *d_bias += d;
}

void DistanceBias::check(const AttentionShape& shape) const {
  check_count("distance_bias", shape.heads * length_, lists_.size());
  if (positions_.values.empty()) return;
  check_count("positions", positions_.steps.count(shape.batches, shape.heads, shape.keys),
              positions_.values.size());
  for (const double position : positions_.values) {
    require(std::abs(position) <= 0x1p53 && position == std::floor(position),
            "attention: positions must be whole numbers from -2^53 to 2^53, got ", position);
  }
}

template <class Use>
void DistanceBias::for_each(const ScoreRow& row, Use use) const {
  const std::span<const double> positions =
      positions_.values.subspan(positions_.steps.first(row.batch, row.head), row.shape.keys);
  const double own = position_at(positions, static_cast<std::ptrdiff_t>(row.query_key));
  for (std::size_t i = 0; i < row.scores.size(); ++i) {
    const auto distance = static_cast<std::int64_t>(positions[row.first_key + i] - own);
    const std::int64_t index = distance - first_distance_;
    require(index >= 0 && static_cast<std::uint64_t>(index) < length_,
            "attention: distance_bias must reach the distance ", distance);
    use(i, row.head * length_ + static_cast<std::size_t>(index));
  }
}

std::size_t DistanceBias::first(const ScoreRow& row) const {
  const std::int64_t distance = static_cast<std::int64_t>(row.first_key) - row.query_key;
  const std::int64_t at = distance - first_distance_;
  require(at >= 0 && static_cast<std::uint64_t>(at) + row.scores.size() <= length_,
          "attention: distance_bias must reach from the distance ", distance, " to ",
          distance + static_cast<std::int64_t>(row.scores.size()) - 1);
  return row.head * length_ + static_cast<std::size_t>(at);
}

void DistanceBias::apply(const ScoreRow& row) const {
  if (!positions_.values.empty()) {
    return for_each(row, [&](std::size_t i, std::size_t index) { row.scores[i] += lists_[index]; });
  }
  add_bias(row.scores, lists_.subspan(first(row), row.scores.size()));
}

void DistanceBias::backward(const ScoreRow& d_scores, std::span<const float>) const {
  if (!d_lists_) return;
  // score = before + value of the distance
  if (positions_.values.empty())
    return add({d_lists_ + first(d_scores), d_scores.scores.size()}, d_scores.scores);
  for_each(d_scores,
           [&](std::size_t i, std::size_t index) { d_lists_[index] += d_scores.scores[i]; });
}

void BooleanMask::check(const AttentionShape& shape) const {
  shape_.check("mask", values_.size(), shape);
}

void BooleanMask::apply(const ScoreRow& row) const {
  const std::uint8_t* const mask = &values_[shape_.first(row)];
  if (shape_.differs_by_key()) return hide(row.scores, {mask, row.scores.size()}, true_attends_);
  if ((*mask != 0) != true_attends_) std::ranges::fill(row.scores, minus_infinity);
}

// What is hidden has no weight, and so no gradient.
void BooleanMask::backward(const ScoreRow&, std::span<const float>) const {}

}  // namespace ropewalk
