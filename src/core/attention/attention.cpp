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
    if (packs_) scratch.keys.resize(sources.size() * block_keys * dim);
    else scratch.rows_before.resize(out.rows * v.cols);
    scratch.extreme_blocks.clear();
    scratch.scores.resize(block_rows * block_keys);
    scratch.other_scores.resize(sources.size() > 1 ? block_rows * block_keys : 0);
    scratch.rows.assign(out.rows, state_before_keys(options));
    clear(out);
  }

  void run() {
    const KeyRange seen = seen_by(0, out_.rows);
    for (std::size_t key = seen.first; key < seen.past_end; key += block_keys) {
      take_block(block_from(key));
    }
  }

  void finish(std::span<float> log_sum_exp) {
    for (std::size_t r = 0; r < out_.rows; ++r) normalize(out_.row(r), scratch_.rows[r]);
    for (std::size_t r = 0; r < log_sum_exp.size(); ++r) {
      log_sum_exp[r] = logarithm_of_sum(scratch_.rows[r]);
    }
    add_extreme_values();
  }

 private:
  // The union of what rows first ... past_end - 1 see; both ends move up with the row.
  KeyRange seen_by(std::size_t first, std::size_t past_end) const {
    if (first == past_end) return {};
    return {visible_keys(options_.band, first, v_.rows).first,
            visible_keys(options_.band, past_end - 1, v_.rows).past_end};
  }

  // Rows that see some keys of a block, and the union of those keys, from a whole panel on.
  struct Tile {
    std::size_t first, past_end;
    KeyRange block, seen;

    KeyRange seen_in_block() const { return {seen.first - block.first, seen.past_end - block.first}; }
  };

  void take_block(KeyRange block) {
    if (packs_) {
      pack_keys(block);
      pack_values(block);
    }
    for_tiles(block, &Head::take_tile);
  }

  // Rows that see none of the keys are not visited: with a window they are nearly all.
  void for_tiles(KeyRange block, void (Head::*use)(const Tile&)) {
    const KeyRange rows = queries_seeing(options_.band, block, out_.rows);
    for (std::size_t row = rows.first, past_end; row < rows.past_end; row = past_end) {
      past_end = std::min(row + block_rows, rows.past_end);
      // Fewer rows where they see different keys, so that little is computed that no row sees.
      if (!sees_all_of(block, row, past_end)) past_end = std::min(row + 2 * tile_rows, rows.past_end);
      KeyRange seen = intersection(block, seen_by(row, past_end));
      if (seen.empty()) continue;
      seen.first -= (seen.first - block.first) % panel_cols;
      (this->*use)({row, past_end, block, seen});
    }
  }

  void take_tile(const Tile& tile) {
    const MatrixView scores = score(tile);
    weigh(scores, tile.first);
    accumulate(tile, scores);
  }

  KeyRange block_from(std::size_t first) const {
    return {first, std::min(first + block_keys, seen_by(0, out_.rows).past_end)};
  }

  void pack_keys(KeyRange block) {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      pack_rows_as_columns(packed_keys(s), rows_of(sources_[s].k, block), options_.scale);
    }
  }

  void pack_values(KeyRange block) {
    scratch_.values.resize(block_keys * round_up(v_.cols, panel_cols));
    if (pack_columns(scratch_.values.data(), rows_of(v_, block))) return;
    pack_columns(scratch_.values.data(), without_extreme_values(block));
  }

  // A running sum would keep a NaN whose weight becomes zero when the maximum rises, so values that
  // are not summable are left out of it, and add_extreme_values adds them.
  ConstMatrixView without_extreme_values(KeyRange block) {
    scratch_.extreme_blocks.push_back(static_cast<std::uint32_t>(block.first));
    return values_where(block, true);
  }

  // A copy of some values, with zeros for those that are summable or for those that are not.
  ConstMatrixView values_where(KeyRange keys, bool summable) {
    const ConstMatrixView values = rows_of(v_, keys);
    scratch_.copied_values.resize(values.rows * values.cols);
    const MatrixView copy(scratch_.copied_values.data(), values.rows, values.cols);
    for (std::size_t r = 0; r < values.rows; ++r) {
      std::ranges::transform(values.row(r), copy.row(r).begin(), [&](float value) {
        return is_summable(value) == summable ? value : 0.0f;
      });
    }
    return copy;
  }

  float* packed_keys(std::size_t source) const {
    return scratch_.keys.data() + source * block_keys * sources_[0].k.cols;
  }

  void accumulate(const Tile& tile, ConstMatrixView weights) {
    const MatrixView out(out_.row(tile.first).data(), weights.rows, out_.cols, out_.stride);
    if (!packs_) return accumulate_where_they_lie(out, weights, tile);
    const std::size_t skipped = tile.seen_in_block().first;
    accumulate_packed(out, weights,
                      {scratch_.values.data() + skipped * panel_cols,
                       (tile.block.past_end - tile.block.first) * panel_cols});
  }

  void accumulate_where_they_lie(MatrixView out, ConstMatrixView weights, const Tile& tile) {
    const MatrixView before(scratch_.rows_before.data(), out.rows, out.cols);
    bool is_summed = true;
    for (std::size_t r = 0; r < out.rows; ++r) {
      std::ranges::copy(out.row(r), before.row(r).begin());
      accumulate_rows(out.row(r), weights.row(r), rows_of(v_, tile.seen));
      for (const float sum : out.row(r)) is_summed = is_summed && is_summable(sum);
    }
    if (is_summed) return;
    const ConstMatrixView ordinary = rows_of(without_extreme_values(tile.block), tile.seen_in_block());
    for (std::size_t r = 0; r < out.rows; ++r) {
      std::ranges::copy(before.row(r), out.row(r).begin());
      accumulate_rows(out.row(r), weights.row(r), ordinary);
    }
  }

  // What without_extreme_values left out, each with its final weight.
  void add_extreme_values() {
    for (const std::uint32_t first : scratch_.extreme_blocks) {
      const KeyRange block = block_from(first);
      extreme_values_ = values_where(block, false);
      if (packs_) pack_keys(block);
      for_tiles(block, &Head::add_extreme_values_to);
    }
  }

  void add_extreme_values_to(const Tile& tile) {
    const MatrixView scores = score(tile);
    const ConstMatrixView values = rows_of(extreme_values_, tile.seen_in_block());
    for (std::size_t r = 0; r < scores.rows; ++r) {
      const std::span<float> weights = scores.row(r), out = out_.row(tile.first + r);
      SoftmaxState state = scratch_.rows[tile.first + r];  // final: no score is above its maximum
      softmax_step(state, weights);
      normalize(weights, scratch_.rows[tile.first + r]);
      if (std::ranges::find(weights, 0.0f) == weights.end()) {
        accumulate_rows(out, weights, values);
      } else {
        for (std::size_t key = 0; key < weights.size(); ++key) {
          if (weights[key] != 0.0f) add_scaled(out, values.row(key), weights[key]);
        }
      }
    }
  }

  // The scores of a tile, with all that is due to them: -infinity where a query does not see a key.
  MatrixView score(const Tile& tile) {
    const auto& [first, past_end, block, seen] = tile;
    const MatrixView scores(scratch_.scores.data(), past_end - first, seen.past_end - seen.first,
                            block_keys);
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
    if (!takes_scores_as_they_are_ || !sees_all_of(seen, first, past_end)) {
      for (std::size_t r = 0; r < scores.rows; ++r) finish_scores(scores.row(r), first + r, seen);
    }
    return scores;
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
  void weigh(MatrixView scores, std::size_t first) {
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

  MatrixView out_;
  std::span<const ScoreSource> sources_;
  ConstMatrixView v_;
  ConstMatrixView extreme_values_;  // of the block that add_extreme_values is at
  const AttentionOptions& options_;
  AttentionScratch& scratch_;
  bool takes_scores_as_they_are_ = options_.row_scale.empty() && options_.softcap == 0.0f &&
                                   !options_.bias.data && options_.distance_bias.empty();
  bool packs_ = out_.rows >= rows_worth_packing;
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
