#include "attention/attention.hpp"

#include <algorithm>
#include <array>

#include "attention/score_terms.hpp"
#include "kernels/matmul.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {
namespace {

// A block of scores is 24 KiB: it stays in the first-level cache beside one panel of keys.
constexpr std::size_t block_rows = 16 * tile_rows;
constexpr std::size_t block_keys = 64;

// One block of queries on its way through the keys.
class RowBlock {
 public:
  RowBlock(ConstMatrixView q, std::size_t first, std::size_t value_dim,
           const AttentionOptions& options, AttentionScratch& scratch)
      : options_(options),
        queries_(q.rows),
        first_(first),
        count_(std::min(block_rows, q.rows - first)),
        padded_rows_(round_up(count_, tile_rows)),
        padded_values_(round_up(value_dim, panel_cols)),
        q_(scratch.queries.data(), padded_rows_, q.cols),
        scores_(scratch.scores.data(), padded_rows_, block_keys),
        sums_(scratch.sums.data(), padded_rows_, padded_values_) {
    std::fill_n(q_.data, padded_rows_ * q_.cols, 0.0f);
    std::fill_n(sums_.data, padded_rows_ * padded_values_, 0.0f);
    for (std::size_t r = 0; r < count_; ++r) {
      std::ranges::copy(q.row(first + r), q_.row(r).begin());
      scale(q_.row(r), options.scale);
    }
  }

  // Takes the next keys, first_key on, of `keys` in all; values holds their rows, packed or not.
  void take(std::size_t first_key, std::size_t keys, const float* packed_keys,
            ConstMatrixView values, const float* packed_values) {
    const std::size_t padded = round_up(values.rows, panel_cols);
    multiply_packed({scores_.data, padded_rows_, padded, block_keys}, q_, packed_keys, false);
    for (std::size_t r = 0; r < count_; ++r) {
      softmax_row(r, scores_.row(r).first(values.rows), first_key, keys);
    }
    if (all_finite({packed_values, values.rows * padded_values_})) {
      const ConstMatrixView weights(scores_.data, padded_rows_, values.rows, block_keys);
      multiply_packed(sums_, weights, packed_values, true);
    } else {
      add_seen_values(values);
    }
  }

  void finish(MatrixView out) {
    for (std::size_t r = 0; r < count_; ++r) {
      const std::span<float> row = out.row(first_ + r);
      std::copy_n(sums_.row(r).begin(), row.size(), row.begin());
      if (states_[r].sum != 0.0f) scale(row, 1.0f / states_[r].sum);
    }
  }

 private:
  // 0 * infinity is NaN, so where a value is not finite only the weights that are not 0 count: an
  // unseen key's NaN must not reach the row.
  void add_seen_values(ConstMatrixView values) {
    for (std::size_t r = 0; r < count_; ++r) {
      for (std::size_t key = 0; key < values.rows; ++key) {
        const float weight = scores_.row(r)[key];
        if (weight != 0.0f) add_scaled(sums_.row(r).first(values.cols), values.row(key), weight);
      }
    }
  }

  void softmax_row(std::size_t r, std::span<float> scores, std::size_t first_key, std::size_t keys) {
    const std::size_t query = first_ + r;
    add_biases(scores, options_, query, queries_, first_key);
    const KeyRange seen = visible_keys(options_.causal, query, queries_, keys);
    const std::size_t past_end = std::clamp(seen.past_end, first_key, first_key + scores.size());
    std::ranges::fill(scores.subspan(past_end - first_key), minus_infinity);
    const float factor = softmax_step(states_[r], scores);
    if (factor != 1.0f) scale(sums_.row(r), factor);
  }

  const AttentionOptions& options_;
  std::size_t queries_, first_, count_, padded_rows_, padded_values_;
  MatrixView q_, scores_, sums_;
  std::array<SoftmaxState, block_rows> states_;
};

}  // namespace

void attend(MatrixView out, ConstMatrixView q, ConstMatrixView k, ConstMatrixView v,
            const AttentionOptions& options, AttentionScratch& scratch) {
  check_shapes(out, q, k, v, options);
  scratch.queries.resize(block_rows * q.cols);
  scratch.scores.resize(block_rows * block_keys);
  scratch.sums.resize(block_rows * round_up(v.cols, panel_cols));
  scratch.keys.resize(block_keys * k.cols);
  scratch.values.resize(block_keys * round_up(v.cols, panel_cols));
  for (std::size_t row = 0; row < q.rows; row += block_rows) {
    RowBlock block(q, row, v.cols, options, scratch);
    const std::size_t last_row = std::min(row + block_rows, q.rows) - 1;
    const std::size_t past_end = visible_keys(options.causal, last_row, q.rows, k.rows).past_end;
    for (std::size_t key = 0; key < past_end; key += block_keys) {
      const std::size_t count = std::min(block_keys, past_end - key);
      const ConstMatrixView values(v.row(key).data(), count, v.cols, v.stride);
      pack_rows_as_columns(scratch.keys.data(), {k.row(key).data(), count, k.cols, k.stride});
      pack_columns(scratch.values.data(), values);
      block.take(key, k.rows, scratch.keys.data(), values, scratch.values.data());
    }
    block.finish(out);
  }
}

}  // namespace ropewalk
