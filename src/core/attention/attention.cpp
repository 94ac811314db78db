#include "attention/attention.hpp"

#include <algorithm>

#include "attention/score_terms.hpp"
#include "kernels/matmul.hpp"
#include "kernels/row_products.hpp"

namespace ropewalk {
namespace {

// A block of keys and values (packed: 2 x 64 KiB at dim 64) stays in the second-level cache while
// all queries pass over it; a block of scores (24 KiB) stays in the first-level cache.
constexpr std::size_t block_keys = 256;
constexpr std::size_t block_rows = 24;
static_assert(block_rows % tile_rows == 0);

// With fewer queries than this (decoding has one) keys and values are read where they lie: packing
// them costs more than it saves.
constexpr std::size_t rows_worth_packing = 3;

// A fill or copy of nothing is still a call out of wasm.
void clear(std::span<float> row) {
  if (!row.empty()) std::ranges::fill(row, 0.0f);
}

void clear(MatrixView rows) {
  if (rows.stride == rows.cols) return clear({rows.data, rows.rows * rows.cols});
  for (std::size_t r = 0; r < rows.rows; ++r) clear(rows.row(r));
}

ConstMatrixView rows_of(ConstMatrixView matrix, KeyRange rows) {
  return {matrix.row(rows.first).data(), rows.past_end - rows.first, matrix.cols, matrix.stride};
}

// One head on its way through the keys. out holds sums of weighted values until the end.
class Head {
 public:
  Head(MatrixView out, std::span<const ScoreSource> sources, ConstMatrixView v,
       const AttentionOptions& options, AttentionScratch& scratch)
      : out_(out), sources_(sources), v_(v), options_(options), scratch_(scratch) {
    const std::size_t dim = sources[0].k.cols;
    if (packs_) {
      scratch.keys.resize(sources.size() * block_keys * dim);
      scratch.values.resize(block_keys * round_up(v.cols, panel_cols));
    }
    scratch.scores.resize(block_rows * block_keys);
    scratch.other_scores.resize(sources.size() > 1 ? block_rows * block_keys : 0);
    scratch.rows.assign(out.rows, {});
    clear(out);
  }

  void run() {
    const KeyRange seen = seen_by(0, out_.rows);
    for (std::size_t key = seen.first; key < seen.past_end; key += block_keys) {
      take_block({key, std::min(key + block_keys, seen.past_end)});
    }
  }

  void finish(std::span<float> log_sum_exp) {
    for (std::size_t r = 0; r < out_.rows; ++r) finish_row(out_.row(r), scratch_.rows[r], options_);
    for (std::size_t r = 0; r < log_sum_exp.size(); ++r) {
      log_sum_exp[r] = logarithm_of_sum(scratch_.rows[r]);
    }
  }

 private:
  // The union of what rows first ... past_end - 1 see; both ends move up with the row.
  KeyRange seen_by(std::size_t first, std::size_t past_end) const {
    if (first == past_end) return {};
    return {visible_keys(options_.band, first, v_.rows).first,
            visible_keys(options_.band, past_end - 1, v_.rows).past_end};
  }

  void take_block(KeyRange block) {
    pack(block);
    for (std::size_t row = 0, past_end; row < out_.rows; row = past_end) {
      past_end = std::min(row + block_rows, out_.rows);
      // Fewer rows where they see different keys, so that little is computed that no row sees.
      if (!sees_all_of(block, row, past_end)) past_end = std::min(row + 2 * tile_rows, out_.rows);
      KeyRange seen = intersection(block, seen_by(row, past_end));
      if (seen.empty()) continue;
      seen.first -= (seen.first - block.first) % panel_cols;  // whole panels
      take_rows(row, past_end, block, seen);
    }
  }

  void pack(KeyRange block) {
    values_ = rows_of(v_, block);
    if (!packs_) return;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      pack_rows_as_columns(packed_keys(s), rows_of(sources_[s].k, block), options_.scale);
    }
    values_finite_ = pack_columns(scratch_.values.data(), values_);
  }

  float* packed_keys(std::size_t source) const {
    return scratch_.keys.data() + source * block_keys * sources_[0].k.cols;
  }

  void take_rows(std::size_t first, std::size_t past_end, KeyRange block, KeyRange seen) {
    const MatrixView scores(scratch_.scores.data(), past_end - first, seen.past_end - seen.first,
                            block_keys);
    score(scores, first, block, seen);
    weigh(scores, first, seen);
    const MatrixView out(out_.row(first).data(), past_end - first, out_.cols, out_.stride);
    const std::size_t skipped = seen.first - block.first;
    if (!packs_) {
      const ConstMatrixView values = rows_of(v_, seen);
      for (std::size_t r = 0; r < out.rows; ++r) accumulate_rows(out.row(r), scores.row(r), values);
    } else if (values_finite_) {
      accumulate_packed(out, scores, packed_values(scratch_.values, skipped));
    } else {
      accumulate_seen(out, scores, skipped);
    }
  }

  PackedView packed_values(const std::vector<float>& packed, std::size_t skipped) const {
    return {packed.data() + skipped * panel_cols, values_.rows * panel_cols};
  }

  void score(MatrixView scores, std::size_t first, KeyRange block, KeyRange seen) {
    multiply(scores, 0, first, block, seen);
    for (std::size_t s = 1; s < sources_.size(); ++s) {
      const MatrixView others(scratch_.other_scores.data(), scores.rows, scores.cols, scores.stride);
      multiply(others, s, first, block, seen);
      for (std::size_t r = 0; r < scores.rows; ++r) {
        const KeyRange keys = keys_of_source(sources_, s, first + r, seen);
        if (keys.empty()) continue;
        const auto part = others.row(r).subspan(keys.first - seen.first, keys.past_end - keys.first);
        std::ranges::copy(part, scores.row(r).begin() + (keys.first - seen.first));
      }
    }
  }

  void multiply(MatrixView scores, std::size_t source, std::size_t first, KeyRange block, KeyRange seen) {
    const ConstMatrixView q = rows_of(sources_[source].q, {first, first + scores.rows});
    if (packs_) {
      return multiply_packed(scores, q, packed_keys(source) + (seen.first - block.first) * q.cols);
    }
    const ConstMatrixView keys = rows_of(sources_[source].k, seen);
    for (std::size_t r = 0; r < q.rows; ++r) multiply_rows(scores.row(r), q.row(r), keys, options_.scale);
  }

  // Scores become weights, relative to each row's largest score so far.
  void weigh(MatrixView scores, std::size_t first, KeyRange seen) {
    if (!takes_scores_as_they_are_ || !sees_all_of(seen, first, first + scores.rows)) {
      for (std::size_t r = 0; r < scores.rows; ++r) finish_scores(scores.row(r), first + r, seen);
    }
    float factors[block_rows];
    softmax_steps(std::span(scratch_.rows).subspan(first, scores.rows), scores,
                  std::span(factors).first(scores.rows));
    for (std::size_t r = 0; r < scores.rows; ++r) {
      if (factors[r] != 1.0f) scale(out_.row(first + r), factors[r]);
    }
  }

  // The scores of keys that the query sees get what is due to them; the others become -infinity.
  void finish_scores(std::span<float> scores, std::size_t query, KeyRange seen) {
    const KeyRange keys = intersection(seen, visible_keys(options_.band, query, v_.rows));
    if (keys.empty()) {
      std::ranges::fill(scores, minus_infinity);
      return;
    }
    const std::span<float> visible = scores.subspan(keys.first - seen.first, keys.past_end - keys.first);
    std::fill(scores.begin(), visible.begin(), minus_infinity);
    std::fill(visible.end(), scores.end(), minus_infinity);
    if (takes_scores_as_they_are_) return;
    if (!options_.row_scale.empty()) scale(visible, options_.row_scale[query]);
    cap_scores(visible, options_);
    add_biases(visible, options_, query, out_.rows, keys.first);
  }

  // Whether each of the rows sees every one of these keys.
  bool sees_all_of(KeyRange keys, std::size_t first_row, std::size_t past_end_row) const {
    return visible_keys(options_.band, past_end_row - 1, v_.rows).first <= keys.first &&
           visible_keys(options_.band, first_row, v_.rows).past_end >= keys.past_end;
  }

  // 0 * infinity is NaN, so where a value is not finite each row meets a copy without the keys that
  // it gives no weight. The product is the same one: what a NaN does not reach keeps its very bits.
  void accumulate_seen(MatrixView out, ConstMatrixView weights, std::size_t skipped) {
    for (std::size_t r = 0; r < out.rows; ++r) {
      scratch_.seen_values = scratch_.values;
      const PackedView seen = packed_values(scratch_.seen_values, skipped);
      for (std::size_t key = 0; key < weights.cols; ++key) {
        if (weights.row(r)[key] != 0.0f) continue;
        for (std::size_t col = 0; col < out.cols; col += panel_cols) {
          const std::size_t at = seen.data - scratch_.seen_values.data() + col / panel_cols * seen.stride;
          std::fill_n(scratch_.seen_values.begin() + at + key * panel_cols, panel_cols, 0.0f);
        }
      }
      accumulate_packed({out.row(r).data(), 1, out.cols}, {weights.row(r).data(), 1, weights.cols}, seen);
    }
  }

  MatrixView out_;
  std::span<const ScoreSource> sources_;
  ConstMatrixView v_, values_;
  const AttentionOptions& options_;
  AttentionScratch& scratch_;
  bool takes_scores_as_they_are_ = options_.row_scale.empty() && options_.softcap == 0.0f &&
                                   !options_.bias.data && options_.distance_bias.empty();
  bool packs_ = out_.rows >= rows_worth_packing;
  bool values_finite_ = true;
};

}  // namespace

void attend(MatrixView out, std::span<const ScoreSource> sources, ConstMatrixView v,
            const AttentionOptions& options, AttentionScratch& scratch, std::span<float> log_sum_exp) {
  check_shapes(out, sources, v, options);
  Head head(out, sources, v, options, scratch);
  head.run();
  head.finish(log_sum_exp);
}

}  // namespace ropewalk
