#include "attention/backward.hpp"

#include <algorithm>
#include <vector>

#include "attention/product_scheme.hpp"
#include "attention/scratch.hpp"
#include "base/elementary.hpp"
#include "kernels/dot.hpp"
#include "kernels/rows.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {
namespace {

// Scores, weights and their gradients of a tile are two of these; with the packed keys and values
// of a block (at dim 64: 3 x 32 KiB) they stay in the second-level cache.
constexpr std::size_t block_keys = 128;

// Gradients of the queries and keys under one rotation.
struct RotatedGradient {
  float *q, *k;
};

class GroupGradient {
 public:
  GroupGradient(const AttentionCall& call, std::span<const RotatedQK> rotations,
                const AttentionOutcome& outcome, const AttentionGradients& gradients,
                std::span<const RotatedGradient> rotated, std::size_t batch, std::size_t key_head,
                AttentionScratch& scratch)
      : call_(call),
        shape_(call.shape),
        rotations_(rotations),
        outcome_(outcome),
        gradients_(gradients),
        rotated_(rotated),
        scratch_(scratch),
        tiles_(call, rotations, batch, key_head, false, keys_per_block_),
        first_key_row_((batch * shape_.key_heads + key_head) * shape_.keys) {
    BackwardScratch& s = scratch.backward;
    s.keys.resize(rotations.size() * packed_size(shape_.dim));
    s.key_columns.resize(rotations.size() * packed_size(shape_.dim));
    s.values.resize(packed_size(shape_.value_dim));
    s.queries.resize(max_tile_rows * round_up(shape_.dim, panel_cols));
    s.d_output.resize(max_tile_rows * round_up(shape_.value_dim, panel_cols));
    for (auto* tile : {&s.weights, &s.d_weights, &s.other}) tile->resize(max_tile_rows * stride_);
    s.before.resize(call.modifiers.size() * keys_per_block_);
    s.delta.resize(tiles_.rows());
  }

  void run() {
    for (std::size_t row = 0; row < tiles_.rows(); ++row) start_row(row);
    tiles_.for_blocks([this](IndexRange block) {
      pack(block);
      tiles_.for_tiles(block, *this, &GroupGradient::process_tile);
    });
  }

 private:
  // Size of a block whose keys or values are packed as columns of the given length.
  std::size_t packed_size(std::size_t length) const {
    return std::max(stride_ * length, keys_per_block_ * round_up(length, panel_cols));
  }

  ConstMatrixView d_output(std::size_t row, std::size_t count) const {
    const std::size_t dim = shape_.value_dim;
    return {outcome_.d_output + (tiles_.first_row() + row) * dim, count, dim};
  }
  float log_sum_exp(std::size_t row) const {
    return outcome_.log_sum_exp[tiles_.first_row() + row];
  }
  // Whether the softmax of a row has no term. A weighting leaves that to the row's keys.
  bool is_fully_masked(std::size_t row) const {
    return !call_.weighting && log_sum_exp(row) == minus_infinity;
  }

  void start_row(std::size_t row) {
    const std::size_t dim = shape_.value_dim;
    const std::span<const float> output(outcome_.output + (tiles_.first_row() + row) * dim, dim);
    const double delta = dot(d_output(row, 1).row(0), output);
    scratch_.backward.delta[row] = static_cast<float>(delta);
    const std::size_t head = tiles_.first_head() + row / shape_.queries;
    if (!gradients_.sinks || call_.sinks.empty() || is_fully_masked(row)) return;
    const double weight = portable::exp(double(call_.sinks[head]) - double(log_sum_exp(row)));
    gradients_.sinks[head] -= static_cast<float>(weight * delta);
  }

  float* packed_keys(std::size_t rotation) const {
    return scratch_.backward.keys.data() + rotation * packed_size(shape_.dim);
  }
  float* packed_key_columns(std::size_t rotation) const {
    return scratch_.backward.key_columns.data() + rotation * packed_size(shape_.dim);
  }

  void pack(IndexRange block) {
    for (std::size_t s = 0; s < rotations_.size() && !call_.product; ++s) {
      const ConstMatrixView keys = rows_of(tiles_.keys_of(rotations_[s]), block);
      pack_rows_as_columns(packed_keys(s), keys, call_.scale);
      pack_columns(packed_key_columns(s), keys);
      scale({packed_key_columns(s), keys.rows * round_up(keys.cols, panel_cols)}, call_.scale);
    }
    pack_rows_as_columns(scratch_.backward.values.data(), rows_of(tiles_.values(), block));
  }

  void process_tile(const Tile& tile) {
    BackwardScratch& s = scratch_.backward;
    const std::size_t keys = tile.seen.past_end - tile.seen.first;
    const MatrixView weights(s.weights.data(), tile.rows(), keys, stride_);
    const MatrixView d_weights(s.d_weights.data(), tile.rows(), keys, stride_);
    const std::size_t at = tile.in_block(tile.seen).first;

    tiles_.gather_scores(
        weights, s.other.data(), tile, [&](MatrixView to, std::size_t r, IndexRange range) {
          if (call_.product) return call_.product->fill(to, tiles_, tile);
          multiply_packed(to, tiles_.queries_of(rotations_[r], tile),
                          packed_keys(r) + tile.in_block(range).first * shape_.dim);
        });
    const ConstMatrixView d_out = d_output(tile.row(0), tile.rows());
    multiply_packed(d_weights, d_out, s.values.data() + at * shape_.value_dim);
    for (std::size_t r = 0; r < tile.rows(); ++r) {
      differentiate_row(weights.row(r), d_weights.row(r), tile, r);
    }

    // out = weights v
    pack_columns(s.d_output.data(), d_out);
    accumulate_transposed(gradient_of_keys(gradients_.v, shape_.value_dim, tile.seen), weights,
                          {s.d_output.data(), tile.rows() * panel_cols});
    if (call_.product) {
      return call_.product->backward(d_weights, tiles_, tile,
                                     gradient_of_queries(rotated_[0], tile),
                                     gradient_of_keys(rotated_[0].k, shape_.dim, {0, shape_.keys}));
    }
    for (std::size_t r = 0; r < rotations_.size(); ++r) accumulate_rotation(r, d_weights, tile);
  }

  // From scores and the gradient of weights to weights and the gradient of the products of q and k,
  // but for the scale.
  void differentiate_row(std::span<float> scores, std::span<float> d_weights, const Tile& tile,
                         std::size_t r) {
    const std::size_t query = tile.query(r);
    IndexRange keys = intersection(tile.seen, tiles_.visible(query));
    if (keys.empty() || is_fully_masked(tile.row(r))) keys = {tile.seen.first, tile.seen.first};
    const std::size_t at = keys.first - tile.seen.first, count = keys.past_end - keys.first;
    const auto clear_rest = [&](std::span<float> row) {
      std::fill(row.begin(), row.begin() + at, 0.0f);
      std::fill(row.begin() + at + count, row.end(), 0.0f);
    };
    clear_rest(scores);
    clear_rest(d_weights);
    if (count == 0) return;

    ScoreRow row{shape_,
                 scores.subspan(at, count),
                 tiles_.batch(),
                 tile.head(r),
                 query,
                 keys.first,
                 std::int64_t(query) + tiles_.band().offset};
    const auto before = [&](std::size_t m) {
      return std::span(scratch_.backward.before).subspan(m * keys_per_block_, count);
    };
    for (std::size_t m = 0; m < call_.modifiers.size(); ++m) {
      std::ranges::copy(row.scores, before(m).begin());
      call_.modifiers[m]->apply(row);
    }
    const std::span<float> d_scores = d_weights.subspan(at, count);
    if (call_.weighting) {
      call_.weighting_backward(row.scores, d_scores);
    } else {
      softmax_backward(row.scores, d_scores, log_sum_exp(tile.row(r)),
                       scratch_.backward.delta[tile.row(r)]);
    }
    row.scores = d_scores;
    // scores = the modifiers, from the first to the last, of scale q kT
    for (std::size_t m = call_.modifiers.size(); m-- > 0;)
      call_.modifiers[m]->backward(row, before(m));
  }

  void accumulate_rotation(std::size_t r, MatrixView d_scores, const Tile& tile) {
    const IndexRange keys = tiles_.keys_of_rotation(r, tile);
    if (keys.empty()) return;
    BackwardScratch& s = scratch_.backward;
    MatrixView own(d_scores.data + (keys.first - tile.seen.first), tile.rows(),
                   keys.past_end - keys.first, stride_);
    if (rotations_.size() > 1) own = only_own(r, own, keys, tile);
    // scores = q (scale k)T; the scale of d_k comes last, see attend_backward()
    accumulate_packed(gradient_of_queries(rotated_[r], tile), own,
                      {packed_key_columns(r) + tile.in_block(keys).first * panel_cols,
                       (tile.block.past_end - tile.block.first) * panel_cols});
    pack_columns(s.queries.data(), tiles_.queries_of(rotations_[r], tile));
    accumulate_transposed(gradient_of_keys(rotated_[r].k, shape_.dim, keys), own,
                          {s.queries.data(), tile.rows() * panel_cols});
  }

  // A copy with zeros for the keys that another rotation serves.
  MatrixView only_own(std::size_t r, ConstMatrixView d_scores, IndexRange keys, const Tile& tile) {
    const MatrixView copy(scratch_.backward.other.data(), d_scores.rows, d_scores.cols, stride_);
    for (std::size_t i = 0; i < copy.rows; ++i) {
      std::ranges::fill(copy.row(i), 0.0f);
      const IndexRange own = tiles_.keys_of_rotation(r, tile.query(i), keys);
      if (own.empty()) continue;
      const std::size_t at = own.first - keys.first, count = own.past_end - own.first;
      std::ranges::copy(d_scores.row(i).subspan(at, count), copy.row(i).begin() + at);
    }
    return copy;
  }

  MatrixView gradient_of_queries(const RotatedGradient& rotated, const Tile& tile) const {
    return {rotated.q + (tiles_.first_row() + tile.row(0)) * shape_.dim, tile.rows(), shape_.dim};
  }
  MatrixView gradient_of_keys(float* gradient, std::size_t dim, IndexRange keys) const {
    return {gradient + (first_key_row_ + keys.first) * dim, keys.past_end - keys.first, dim};
  }

  const AttentionCall& call_;
  const AttentionShape& shape_;
  std::span<const RotatedQK> rotations_;
  const AttentionOutcome& outcome_;
  const AttentionGradients& gradients_;
  std::span<const RotatedGradient> rotated_;
  AttentionScratch& scratch_;
  std::size_t keys_per_block_ =
      needs_whole_rows(call_) || call_.product || call_.weighting ? shape_.keys : block_keys;
  std::size_t stride_ = round_up(keys_per_block_, panel_cols);
  GroupTiles tiles_;
  std::size_t first_key_row_;  // among those of all batches and key heads
};

}  // namespace

void attend_backward(const AttentionCall& call, const AttentionOutcome& outcome,
                     const AttentionGradients& gradients, AttentionScratch& scratch) {
  check_call(call);
  require(!call.weighting || call.weighting_backward,
          "attention: a weighting without a gradient cannot be differentiated");
  require(!call.product || call.product->has_gradient(),
          "attention: a product without a gradient cannot be differentiated");
  require(!call.stored_v, "attention: stored_v must be null for gradients");
  require(!call.rotary || (!call.rotary->q && !call.rotary->k),
          "attention: q and k of the rotary must be null for gradients");
  const AttentionShape& shape = call.shape;
  const std::size_t q_size = shape.batches * shape.heads * shape.queries * shape.dim;
  const std::size_t key_rows = shape.batches * shape.key_heads * shape.keys;
  RotatedQK rotations[max_rotations];
  const std::size_t count = rotate_queries_and_keys(rotations, call, scratch.rotated);

  // The first rotation's gradients are the result; what the others give is added to them.
  std::vector<float>& more = scratch.backward.more_gradients;
  more.assign((count - 1) * (q_size + key_rows * shape.dim), 0.0f);
  RotatedGradient rotated[max_rotations] = {{gradients.q, gradients.k}};
  for (std::size_t r = 1; r < count; ++r) {
    float* const q = more.data() + (r - 1) * (q_size + key_rows * shape.dim);
    rotated[r] = {q, q + q_size};
  }
  std::fill_n(gradients.q, q_size, 0.0f);
  std::fill_n(gradients.k, key_rows * shape.dim, 0.0f);
  std::fill_n(gradients.v, key_rows * shape.value_dim, 0.0f);

  for (std::size_t b = 0; b < shape.batches; ++b) {
    for (std::size_t h = 0; h < shape.key_heads; ++h) {
      GroupGradient(call, {rotations, count}, outcome, gradients, {rotated, count}, b, h, scratch)
          .run();
    }
  }

  // q and k = those of the call, rotated by their positions
  for (std::size_t r = 0; r < count && call.rotary; ++r) {
    const Rotation& rotation = call.rotary->rotations[r];
    rotate_gradient_back({rotated[r].q, shape.batches, shape.heads, shape.queries, shape.dim},
                         *call.rotary, rotation.queries);
    rotate_gradient_back({rotated[r].k, shape.batches, shape.key_heads, shape.keys, shape.dim},
                         *call.rotary, rotation.keys);
    if (r == 0) continue;
    add({gradients.q, q_size}, {rotated[r].q, q_size});
    add({gradients.k, key_rows * shape.dim}, {rotated[r].k, key_rows * shape.dim});
  }
  if (!call.product) scale({gradients.k, key_rows * shape.dim}, call.scale);
}

}  // namespace ropewalk
