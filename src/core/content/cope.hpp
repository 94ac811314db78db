// CoPE: contextual position encoding (Golovneva et al. 2024, equations 3 to 5).
//
//   gate(m, k) = sigmoid(logit(m, k))
//   position(m, n) = sum of gate(m, k) over keys k from n to the query, at most rows - 1
//   bias(m, n) = q_m . table[position(m, n)], linear between the two rows around a fraction
//
// Keys count up to the query: those after it, by position, have no gate, and position and bias 0.
//
// logits, positions, bias: queries x keys, keys in the order of their positions
// q: queries x dim   table: rows x dim
#pragma once

#include <vector>

#include "attention/attention.hpp"
#include "base/matrix_view.hpp"

namespace ropewalk {

// Throw std::invalid_argument on shapes that do not fit, or rows 0.
void cope_positions(MatrixView positions, ConstMatrixView logits, std::span<const double> queries,
                    std::span<const double> keys, std::size_t rows);
void cope_bias(MatrixView bias, ConstMatrixView q, ConstMatrixView logits, ConstMatrixView table,
               std::span<const double> queries, std::span<const double> keys);

// The same as a modifier, whose gates are computed from the scores before it: a key that a mask, a
// window or the length hides opens none. Keys after the query get no bias. table is rows
// x dim, shared by the heads; q is unscaled and unrotated.
class ContextualBias final : public ScoreModifier {
 public:
  // Gradients are added to: d_q, contiguous in the shape of q, and d_table.
  ContextualBias(const HeadsView& q, ConstMatrixView table, float* d_q = nullptr,
                 MatrixView d_table = {})
      : ScoreModifier(ScoreStep::contextual, true),
        q_(q),
        table_(table),
        d_q_(d_q),
        d_table_(d_table) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  // Sets positions_ and products_ from the scores of the keys up to the query; returns their count.
  std::size_t find_positions(const ScoreRow& row, std::span<const float> scores) const;

  HeadsView q_;
  ConstMatrixView table_;
  float* d_q_;
  MatrixView d_table_;
  mutable std::vector<float> gates_, products_, d_products_;
  mutable std::vector<double> positions_;
};

}  // namespace ropewalk
