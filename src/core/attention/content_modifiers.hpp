// Biases from the content of queries: Shaw's relative keys and CoPE.
#pragma once

#include <vector>

#include "attention/attention.hpp"

namespace ropewalk {

// Shaw's relative keys (content/relative.hpp): score(m, n) += scale q_m . table[clip(n - m) +
// clip]. tables: 2 clip + 1 rows for all heads, or that many per head, stacked. q is unscaled and
// unrotated; scale is that of the call.
class RelativeKeys final : public ScoreModifier {
 public:
  // Gradients are added to: d_q, contiguous in the shape of q, and d_tables.
  RelativeKeys(const HeadsView& q, ConstMatrixView tables, std::size_t table_count, float scale,
               float* d_q = nullptr, MatrixView d_tables = {})
      : ScoreModifier(ScoreStep::biased),
        q_(q),
        tables_(tables),
        table_count_(table_count),
        scale_(scale),
        d_q_(d_q),
        d_tables_(d_tables) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  // The first row of tables_ that the keys of a row read, and how many rows after it.
  struct TableRows {
    std::size_t first, count;
  };
  TableRows rows_of(const ScoreRow& row) const;
  // Calls use(i, r) for each score i of the row; it reads row r of rows_of(row).
  template <class Use>
  void for_each(const ScoreRow& row, Use use) const;

  HeadsView q_;
  ConstMatrixView tables_;
  std::size_t table_count_;
  float scale_;
  float* d_q_;
  MatrixView d_tables_;
  mutable std::vector<float> products_;
};

// CoPE (content/cope.hpp); its gates are computed from the scores before this modifier: a key that
// a mask, a window or the length hides opens none. Keys after the query get no bias. table is rows
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
