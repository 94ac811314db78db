#include "content/cope.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/activations.hpp"
#include "kernels/dot.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {
namespace {

// The table row below a position. A NaN score has no row: its position stays NaN instead of
// becoming an index.
std::size_t row_below(double position) {
  return position >= 0.0 ? static_cast<std::size_t>(position) : 0;
}

// start(m) for every query, then use(m, n, position) for every key that it has seen; 0 into `out`
// for the others.
template <class Start, class Use>
void for_each_position(MatrixView out, ConstMatrixView logits, std::span<const double> queries,
                       std::span<const double> keys, std::size_t rows, Start start, Use use) {
  require_shape("cope: logits", logits, queries.size(), keys.size());
  require_shape("cope: result", out, queries.size(), keys.size());
  require(rows > 0, "cope: the table must have a row, got ", rows);
  for (std::size_t m = 0; m < queries.size(); ++m) {
    start(m);
    double sum = 0.0;
    for (std::size_t n = keys.size(); n-- > 0;) {
      out.row(m)[n] = 0.0f;
      if (keys[n] > queries[m]) continue;
      sum += 1.0 / (1.0 + portable::exp(-double(logits.row(m)[n])));
      use(m, n, std::min(sum, static_cast<double>(rows - 1)));
    }
  }
}

}  // namespace

void cope_positions(MatrixView positions, ConstMatrixView logits, std::span<const double> queries,
                    std::span<const double> keys, std::size_t rows) {
  for_each_position(
      positions, logits, queries, keys, rows, [](std::size_t) {},
      [&](std::size_t m, std::size_t n, double position) {
        positions.row(m)[n] = static_cast<float>(position);
      });
}

void cope_bias(MatrixView bias, ConstMatrixView q, ConstMatrixView logits, ConstMatrixView table,
               std::span<const double> queries, std::span<const double> keys) {
  require_shape("cope: q", q, queries.size(), table.cols);
  // Gates are at most 1, so that no query reaches beyond row keys.size().
  std::vector<double> products(std::min(table.rows, keys.size() + 1));
  for_each_position(
      bias, logits, queries, keys, table.rows,
      [&](std::size_t m) {
        for (std::size_t r = 0; r < products.size(); ++r) {
          products[r] = dot(q.row(m), table.row(r));
        }
      },
      [&](std::size_t m, std::size_t n, double position) {
        // A NaN logit has no row: it stays NaN instead of becoming an index.
        const double below = position >= 0.0 ? std::floor(position) : 0.0;
        const double* at = &products[static_cast<std::size_t>(below)];
        const double step = below < double(products.size() - 1) ? at[1] - at[0] : 0.0;
        bias.row(m)[n] = static_cast<float>(at[0] + (position - below) * step);
      });
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
  const double last = static_cast<double>(table_.rows - 1);
  double sum = 0.0, reached = 0.0;
  for (std::size_t n = count; n-- > 0;) {
    sum += double(gates_[n]);
    positions_[n] = std::min(sum, last);
    reached = std::max(reached, positions_[n]);  // not by NaN
  }
  // Gates are about 1/2 at first: rows beyond the last position are most of the table.
  products_.resize(std::min(table_.rows, row_below(reached) + 2));
  for (std::size_t r = 0; r < products_.size(); ++r)
    products_[r] = static_cast<float>(dot(query_of(row, q_), table_.row(r)));
  return count;
}

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
