#include "attention/head_group.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/product_scheme.hpp"
#include "attention/quantized_heads.hpp"
#include "attention/scratch.hpp"
#include "base/elementary.hpp"
#include "kernels/matvec.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {
namespace {

// A block of keys and values (packed: 2 x 64 KiB at dim 64) stays in the second-level cache while
// all queries pass over it; a block of scores (24 KiB) stays in the first-level cache.
constexpr std::size_t block_keys = 256;
// About the same bytes of stored values in 8 bits. Not 1024: rows of scores 4 KiB apart would wait
// for each other, since stores are compared with loads by the lowest 12 bits of their addresses.
constexpr std::size_t block_stored_keys = 992;
// Where keys and values are read as they lie, long runs of them are read faster; the scores stay in
// the first-level cache.
std::size_t block_unpacked_keys(std::size_t rows) { return rows <= 2 ? 4064 : block_keys; }

// With fewer rows than this (decoding has one per query head) keys and values are read where they
// are stored: packing them costs more than it saves. Short rows gain less from it.
std::size_t rows_worth_packing(std::size_t dim) { return dim < 64 ? 3 : 9; }

std::size_t rows_of_group(const AttentionShape& shape) {
  return shape.heads / shape.key_heads * shape.queries;
}

// A fill or copy of nothing is still a call out of wasm.
void clear(std::span<float> row) {
  if (!row.empty()) std::ranges::fill(row, 0.0f);
}

float entropy_of(std::span<const float> weights) {
  double entropy = 0.0;
  for (const float weight : weights) {
    if (weight != 0.0f) entropy -= double(weight) * portable::log(double(weight));
  }
  return static_cast<float>(entropy);
}

// Divides a row by its softmax denominator; a row that sees no key stays as it is.
void normalize(std::span<float> row, SoftmaxState state) {
  if (state.sum != 0.0f) scale(row, 1.0f / state.sum);
}

float logarithm_of_sum(SoftmaxState state) {
  return state.sum == 0.0f ? minus_infinity
                           : state.maximum + static_cast<float>(portable::log(state.sum));
}

// Returns a buffer with room for `count` values. Not inlined: code that grows a vector is large.
[[gnu::noinline]] float* room(std::vector<float>& buffer, std::size_t count) {
  if (buffer.size() < count) buffer.resize(count);
  return buffer.data();
}

class HeadGroup {
 public:
  HeadGroup(const AttentionCall& call, std::span<const RotatedQK> rotations,
            const AttentionResults& results, std::size_t batch, std::size_t key_head,
            AttentionScratch& scratch)
      : call_(call),
        shape_(call.shape),
        rotations_(rotations),
        results_(results),
        scratch_(scratch),
        tiles_(call, rotations, batch, key_head, keeps_every_score_, keys_per_block_),
        v_(tiles_.values()) {
    if (packs_)
      room(scratch.keys, rotations.size() * score_stride_ * shape_.dim);
    else
      room(scratch.rows_before, tiles_.rows() * shape_.value_dim);
    const std::size_t scores = (packs_ ? max_tile_rows : tiles_.rows()) * score_stride_;
    room(scratch.scores, scores);
    if (rotations.size() > 1) room(scratch.other_scores, scores);
    scratch.extreme_blocks.clear();
    scratch.rows.resize(tiles_.rows());
    SoftmaxState* state = scratch.rows.data();
    for (std::size_t head = tiles_.first_head(); state < scratch.rows.data() + tiles_.rows();
         ++head)
      state = std::fill_n(state, shape_.queries, state_before_keys(head));
    clear(of_group(results.output, shape_.value_dim));
    if (results.weights) clear(of_group(results.weights, shape_.keys));
    if (results.entropy) clear(of_group(results.entropy, 1));
    if (results.biased) std::ranges::fill(of_group(results.biased, shape_.keys), minus_infinity);
  }

  void run() {
    const auto process = [this](IndexRange block) { process_key_block(block); };
    if (is_weighted_) {
      tiles_.for_blocks_reversed(process);
    } else {
      tiles_.for_blocks(process);
    }
    finish();
  }

 private:
  // The part of a result with so many values per row that belongs to the group, or to one row of
  // it.
  std::span<float> of_group(float* result, std::size_t values) const {
    return {result + tiles_.first_row() * values, tiles_.rows() * values};
  }
  std::span<float> of_row(float* result, std::size_t values, std::size_t row) const {
    return of_group(result, values).subspan(row * values, values);
  }

  MatrixView output_of(const Tile& tile) const {
    return {output_ + tile.row(0) * shape_.value_dim, tile.rows(), shape_.value_dim};
  }

  SoftmaxState state_before_keys(std::size_t head) const {
    if (is_weighted_) return {.maximum = 0.0f, .sum = 1.0f};
    if (call_.sinks.empty() || call_.sinks[head] == minus_infinity) return {};
    return {.maximum = call_.sinks[head], .sum = 1.0f};
  }

  void process_key_block(IndexRange block) {
    if (packs_) {
      pack_keys(block);
      if (!call_.stored_v) pack_values(block);
    }
    tiles_.for_tiles(block, *this, &HeadGroup::process_tile);
  }

  void process_tile(const Tile& tile) {
    const MatrixView scores = score(tile, true);
    softmax_tile(scores, tile);
    if (results_.weights || results_.entropy) keep_weights(scores, tile);
    accumulate(tile, scores);
  }

  void pack_keys(IndexRange block) {
    if (call_.product) return;
    for (std::size_t s = 0; s < rotations_.size(); ++s) {
      pack_rows_as_columns(packed_keys(s), rows_of(tiles_.keys_of(rotations_[s]), block),
                           call_.scale);
    }
  }

  float* packed_keys(std::size_t rotation) const {
    return scratch_.keys.data() + rotation * score_stride_ * shape_.dim;
  }

  void pack_values(IndexRange block) {
    float* const packed = room(scratch_.values, keys_per_block_ * round_up(v_.cols, panel_cols));
    block_is_extreme_ = !pack_columns(packed, rows_of(v_, block));
    if (!block_is_extreme_) return;
    pack_columns(packed, values_where(block, true));
    if (is_weighted_) {
      extreme_values_ = values_where(block, false);
    } else {
      scratch_.extreme_blocks.push_back({static_cast<std::uint32_t>(block.first)});
    }
  }

  // A copy of some values, with zeros for those that are summable or for those that are not.
  ConstMatrixView values_where(IndexRange keys, bool summable) {
    const ConstMatrixView values = rows_of(v_, keys);
    const MatrixView copy(room(scratch_.copied_values, values.rows * values.cols), values.rows,
                          values.cols);
    for (std::size_t r = 0; r < values.rows; ++r) {
      std::ranges::transform(values.row(r), copy.row(r).begin(), [&](float value) {
        return is_summable(value) == summable ? value : 0.0f;
      });
    }
    return copy;
  }

  // The scores of a tile, with all that is due to them: -infinity where a query does not see a key.
  MatrixView score(const Tile& tile, bool keeps_steps) {
    const MatrixView scores(scratch_.scores.data(), tile.rows(),
                            tile.seen.past_end - tile.seen.first, score_stride_);
    tiles_.gather_scores(
        scores, scratch_.other_scores.data(), tile,
        [&](MatrixView to, std::size_t s, IndexRange keys) { multiply(to, s, tile, keys); });
    if (keeps_scores_ || !call_.modifiers.empty() || !tiles_.sees_all(tile)) {
      for (std::size_t r = 0; r < scores.rows; ++r)
        finish_scores(scores.row(r), tile, r, keeps_steps);
    }
    return scores;
  }

  void multiply(MatrixView scores, std::size_t s, const Tile& tile, IndexRange keys) {
    if (call_.product) return call_.product->fill(scores, tiles_, tile);
    const ConstMatrixView q = tiles_.queries_of(rotations_[s], tile);
    if (packs_) {
      return multiply_packed(scores, q, packed_keys(s) + tile.in_block(keys).first * q.cols);
    }
    const ConstMatrixView k = rows_of(tiles_.keys_of(rotations_[s]), keys);
    multiply_rows(scores, q, k, call_.scale);
  }

  // The scores of keys that the query sees get what is due to them; the others become -infinity.
  void finish_scores(std::span<float> scores, const Tile& tile, std::size_t r, bool keeps_steps) {
    const std::size_t query = tile.query(r);
    IndexRange keys = intersection(tile.seen, tiles_.visible(query));
    if (keys.empty()) keys = {tile.seen.first, tile.seen.first};
    // Not a changed copy of a row: copies read in lanes what was just written in parts, and wait.
    const auto row_of = [&](IndexRange range) {
      return ScoreRow{shape_,
                      scores.subspan(range.first - tile.seen.first, range.past_end - range.first),
                      tiles_.batch(),
                      tile.head(r),
                      query,
                      range.first,
                      std::int64_t(query) + tiles_.band().offset};
    };
    const ScoreRow visible = row_of(keys);
    auto next = call_.modifiers.begin();
    const auto apply_up_to = [&](ScoreStep step, const ScoreRow& modified) {
      for (; next != call_.modifiers.end() && (*next)->step <= step; ++next) {
        if (!modified.scores.empty()) (*next)->apply(modified);
      }
    };
    const auto keep = [&](float* result) {
      if (!result) return;
      std::ranges::copy(scores, of_row(result, shape_.keys, tile.row(r)).begin() + tile.seen.first);
    };
    if (keeps_steps && keeps_every_score_) {
      const ScoreRow row = row_of(scored(tile.seen, query));
      std::fill(row.scores.end(), scores.end(), minus_infinity);
      apply_up_to(ScoreStep::scores, row);
      keep(results_.scores);
      apply_up_to(ScoreStep::capped, row);
      keep(results_.capped);
    }
    apply_up_to(ScoreStep::contextual, visible);
    std::fill(scores.begin(), visible.scores.begin(), minus_infinity);
    std::fill(visible.scores.end(), scores.end(), minus_infinity);
    if (keeps_steps) keep(results_.biased);
  }

  // Those of these keys that have a score: in causal products none after the query.
  IndexRange scored(IndexRange keys, std::size_t query) const {
    if (!call_.product || !call_.product->own_key.is_causal) return keys;
    const std::int64_t past_own = std::int64_t(query) + tiles_.band().offset + 1;
    keys.past_end = static_cast<std::size_t>(
        std::clamp(past_own, std::int64_t(keys.first), std::int64_t(keys.past_end)));
    return keys;
  }

  // Scores become weights, relative to each row's largest score so far; those of a weighting are
  // final, and the sum of a row's state is what the keys after have left.
  void softmax_tile(MatrixView scores, const Tile& tile) {
    const std::span<SoftmaxState> states =
        std::span(scratch_.rows).subspan(tile.row(0), scores.rows);
    if (is_weighted_) {
      for (std::size_t r = 0; r < scores.rows; ++r)
        states[r].sum = call_.weighting(scores.row(r), states[r].sum);
      return;
    }
    float factors[max_tile_rows];
    softmax_steps(states, scores, std::span(factors).first(scores.rows));
    const MatrixView out = output_of(tile);
    for (std::size_t r = 0; r < scores.rows; ++r) {
      if (factors[r] != 1.0f) scale(out.row(r), factors[r]);
    }
  }

  // Normalizes the weights of rows whose keys are one block. Their softmax denominator is known and
  // becomes 1.
  void keep_weights(MatrixView weights, const Tile& tile) {
    for (std::size_t r = 0; r < weights.rows; ++r) {
      const std::span<float> row = weights.row(r);
      SoftmaxState& state = scratch_.rows[tile.row(r)];
      if (!is_weighted_) {
        normalize(row, state);
        if (state.sum != 0.0f) state = {logarithm_of_sum(state), 1.0f};
      }
      if (results_.entropy) of_row(results_.entropy, 1, tile.row(r))[0] = entropy_of(row);
      if (!results_.weights) continue;
      std::ranges::copy(
          row, of_row(results_.weights, shape_.keys, tile.row(r)).begin() + tile.seen.first);
    }
  }

  void accumulate(const Tile& tile, ConstMatrixView weights) {
    const MatrixView out = output_of(tile);
    if (call_.stored_v)
      return call_.stored_v->accumulate(out, weights, tiles_.key_row(tile.seen.first));
    if (!packs_) return accumulate_where_they_lie(out, weights, tile);
    const std::size_t skipped = tile.in_block(tile.seen).first;
    accumulate_packed(out, weights,
                      {scratch_.values.data() + skipped * panel_cols,
                       (tile.block.past_end - tile.block.first) * panel_cols});
    if (is_weighted_ && block_is_extreme_) add_extreme_values(tile, weights);
  }

  void accumulate_where_they_lie(MatrixView out, ConstMatrixView weights, const Tile& tile) {
    const MatrixView before(scratch_.rows_before.data(), out.rows, out.cols);
    const std::span<float> sums = {out.data, out.rows * out.cols};
    std::ranges::copy(sums, before.data);
    accumulate_rows(out, weights, rows_of(v_, tile.seen));
    if (std::ranges::all_of(sums, is_summable)) return;
    std::ranges::copy_n(before.data, sums.size(), out.data);
    accumulate_rows(out, weights,
                    rows_of(values_where(tile.block, true), tile.in_block(tile.seen)));
    if (is_weighted_) {
      extreme_values_ = values_where(tile.block, false);
      add_extreme_values(tile, weights);
    } else {
      scratch_.extreme_blocks.push_back(
          {static_cast<std::uint32_t>(tile.block.first), static_cast<std::uint32_t>(tile.row(0))});
    }
  }

  void finish() {
    for (std::size_t row = 0; row < tiles_.rows(); ++row) {
      const SoftmaxState state = scratch_.rows[row];
      if (is_weighted_) {
        if (results_.remainder) of_row(results_.remainder, 1, row)[0] = state.sum;
        continue;
      }
      normalize({output_ + row * shape_.value_dim, shape_.value_dim}, state);
      if (results_.log_sum_exp) of_row(results_.log_sum_exp, 1, row)[0] = logarithm_of_sum(state);
    }
    add_extreme_values();
    if (call_.fully_masked_row == FullyMaskedRow::zeros) return;
    for (std::size_t row = 0; row < tiles_.rows(); ++row) {
      if (scratch_.rows[row].sum != 0.0f) continue;
      std::ranges::fill(of_row(results_.output, shape_.value_dim, row), NAN);
      if (results_.weights) std::ranges::fill(of_row(results_.weights, shape_.keys, row), NAN);
    }
  }

  // A running sum would keep a NaN whose weight becomes zero when the maximum rises, so it leaves
  // out values that are not summable. This adds them, each with its final weight.
  void add_extreme_values() {
    for (const AttentionScratch::ExtremeBlock& extreme : scratch_.extreme_blocks) {
      const IndexRange block = tiles_.block_from(extreme.first_key);
      extreme_row_ = extreme.row;
      extreme_values_ = values_where(block, false);
      if (packs_) pack_keys(block);
      tiles_.for_tiles(block, *this, &HeadGroup::add_extreme_values_to);
    }
  }

  void add_extreme_values_to(const Tile& tile) {
    if (extreme_row_ != AttentionScratch::ExtremeBlock::all_rows && extreme_row_ != tile.row(0))
      return;
    const MatrixView scores = score(tile, false);
    for (std::size_t r = 0; r < scores.rows; ++r) {
      const std::span<float> weights = scores.row(r);
      const SoftmaxState final_state = scratch_.rows[tile.row(r)];
      SoftmaxState state = final_state;  // no score is above its maximum
      softmax_step(state, weights);
      normalize(weights, final_state);
    }
    add_extreme_values(tile, scores);
  }

  // A weight of exactly zero does not multiply its value.
  void add_extreme_values(const Tile& tile, ConstMatrixView of_rows) {
    const MatrixView outputs = output_of(tile);
    const ConstMatrixView values = rows_of(extreme_values_, tile.in_block(tile.seen));
    for (std::size_t r = 0; r < of_rows.rows; ++r) {
      const std::span<const float> weights = of_rows.row(r);
      const std::span<float> out = outputs.row(r);
      if (std::ranges::find(weights, 0.0f) == weights.end()) {
        accumulate_rows({out.data(), 1, out.size()}, {weights.data(), 1, weights.size()}, values);
      } else {
        for (std::size_t key = 0; key < weights.size(); ++key) {
          if (weights[key] != 0.0f) add_scaled(out, values.row(key), weights[key]);
        }
      }
    }
  }

  const AttentionCall& call_;
  const AttentionShape& shape_;
  std::span<const RotatedQK> rotations_;
  const AttentionResults& results_;
  AttentionScratch& scratch_;
  bool packs_ = rows_of_group(shape_) >= rows_worth_packing(shape_.dim);
  bool is_weighted_ = call_.weighting != nullptr;
  bool keeps_every_score_ = results_.scores || results_.capped;
  bool keeps_scores_ = keeps_every_score_ || results_.biased;
  // With intermediates all keys are one block, so that a row is complete when it is kept.
  std::size_t keys_per_block_ =
      keeps_scores_ || results_.weights || results_.entropy || needs_whole_rows(call_) ? shape_.keys
      : call_.stored_v ? block_stored_keys
      : packs_         ? block_keys
                       : block_unpacked_keys(rows_of_group(shape_));
  std::size_t score_stride_ = round_up(keys_per_block_, panel_cols);
  GroupTiles tiles_;
  ConstMatrixView v_;
  float* output_ = results_.output + tiles_.first_row() * shape_.value_dim;  // of the group
  ConstMatrixView extreme_values_;  // of the block whose extreme values are added
  std::size_t extreme_row_ = 0;     // of an ExtremeBlock
  bool block_is_extreme_ = false;   // the block that pack_values packed
};

}  // namespace

void attend_group(const AttentionCall& call, std::span<const RotatedQK> rotations,
                  const AttentionResults& results, std::size_t batch, std::size_t key_head,
                  AttentionScratch& scratch) {
  HeadGroup(call, rotations, results, batch, key_head, scratch).run();
}

}  // namespace ropewalk
