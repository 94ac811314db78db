#include "training/layers.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/activations.hpp"
#include "kernels/matmul.hpp"
#include "kernels/matvec.hpp"
#include "kernels/normalize.hpp"
#include "kernels/rows.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {
namespace {

// With fewer rows a matrix is read where it is: packing costs more than it saves.
constexpr std::size_t rows_worth_packing = 9;

// Weights that are packed at a time stay in the second-level cache while all rows pass them.
constexpr std::size_t packed_weights = 1 << 17;

// Rows that pass all panels of a packed matrix while they stay in the first-level cache: 12 KiB at
// width 64. A multiple of the rows of a tile in every build.
constexpr std::size_t chunk_rows = 48;
static_assert(chunk_rows % micro_rows == 0);

float* room(std::vector<float>& scratch, std::size_t count) {
  if (scratch.size() < count) scratch.resize(count);
  return scratch.data();
}

std::size_t packed_size(std::size_t depth, std::size_t cols) {
  return depth * round_up(cols, panel_cols);
}

// use(first, count) for runs of at most chunk_rows rows.
template <class Use>
void for_each_chunk(std::size_t rows, Use use) {
  for (std::size_t first = 0; first < rows; first += chunk_rows) {
    use(first, std::min(chunk_rows, rows - first));
  }
}

template <class Element>
BasicMatrixView<Element> rows_of(BasicMatrixView<Element> matrix, std::size_t first,
                                 std::size_t count) {
  return {matrix.data + first * matrix.stride, count, matrix.cols, matrix.stride};
}

// out = left * packed, writing nothing past out.cols.
void multiply(MatrixView out, ConstMatrixView left, const float* packed) {
  const std::size_t whole = out.cols - out.cols % panel_cols;
  for_each_chunk(left.rows, [&](std::size_t first, std::size_t count) {
    const MatrixView part = rows_of(out, first, count);
    const ConstMatrixView left_part = rows_of(left, first, count);
    multiply_packed({part.data, count, whole, part.stride}, left_part, packed);
    if (whole == out.cols) return;
    // multiply_packed would write the last panel to its end, and there is no room for it.
    const MatrixView last(part.data + whole, count, part.cols - whole, part.stride);
    for (std::size_t r = 0; r < count; ++r) std::ranges::fill(last.row(r), 0.0f);
    const std::size_t panel = left.cols * panel_cols;
    accumulate_packed(last, left_part, {packed + whole * left.cols, panel});
  });
}

// out += leftT right.
void accumulate_gradient(MatrixView out, ConstMatrixView left, ConstMatrixView right,
                         std::vector<float>& scratch) {
  float* packed = room(scratch, packed_size(std::min(chunk_rows, left.rows), right.cols));
  for_each_chunk(left.rows, [&](std::size_t first, std::size_t count) {
    pack_columns(packed, rows_of(right, first, count));
    accumulate_transposed(out, rows_of(left, first, count), {packed, count * panel_cols});
  });
}

}  // namespace

void linear_forward(MatrixView y, ConstMatrixView x, ConstMatrixView w,
                    std::vector<float>& scratch) {
  require_shape("linear_forward: x", x, x.rows, w.rows);
  require_shape("linear_forward: y", y, x.rows, w.cols);
  if (x.rows < rows_worth_packing) {
    for (std::size_t r = 0; r < y.rows; ++r) std::ranges::fill(y.row(r), 0.0f);
    return accumulate_rows(y, x, w);
  }
  float* packed = room(scratch, packed_size(w.rows, w.cols));
  pack_columns(packed, w);
  multiply(y, x, packed);
}

void linear_forward(MatrixView y, ConstMatrixView x, const ConstQuantizedRows& w,
                    std::vector<float>& scratch) {
  require_shape("linear_forward: x", x, x.rows, w.rows);
  require_shape("linear_forward: y", y, x.rows, w.cols);
  if (x.rows >= rows_worth_packing) {
    std::vector<float> unpacked(w.rows * w.cols);
    dequantize({unpacked.data(), w.rows, w.cols}, w);
    return linear_forward(y, x, ConstMatrixView(unpacked.data(), w.rows, w.cols), scratch);
  }
  for (std::size_t r = 0; r < y.rows; ++r) std::ranges::fill(y.row(r), 0.0f);
  accumulate_quantized(y, x, w);
}

namespace {

// y = x wT, block by block: rows_of_weights(first, count) gives some rows of w.
template <class RowsOfWeights>
void multiply_blocks(MatrixView y, ConstMatrixView x, std::vector<float>& scratch,
                     RowsOfWeights rows_of_weights) {
  const std::size_t depth = std::max<std::size_t>(x.cols, 1),
                    most = round_up(std::max(packed_weights / depth, panel_cols), panel_cols);
  float* const packed = room(scratch, packed_size(x.cols, std::min(most, y.cols)));
  for (std::size_t first = 0; first < y.cols; first += most) {
    const std::size_t count = std::min(most, y.cols - first);
    pack_rows_as_columns(packed, rows_of_weights(first, count));
    multiply({y.data + first, y.rows, count, y.stride}, x, packed);
  }
}

}  // namespace

void linear_transposed_forward(MatrixView y, ConstMatrixView x, ConstMatrixView w,
                               std::vector<float>& scratch) {
  require_shape("linear_transposed_forward: x", x, x.rows, w.cols);
  require_shape("linear_transposed_forward: y", y, x.rows, w.rows);
  if (x.rows < rows_worth_packing) return multiply_rows(y, x, w, 1.0f);
  multiply_blocks(y, x, scratch,
                  [&](std::size_t first, std::size_t count) { return rows_of(w, first, count); });
}

void linear_transposed_forward(MatrixView y, ConstMatrixView x, const ConstQuantizedRows& w,
                               std::vector<float>& scratch) {
  require_shape("linear_transposed_forward: x", x, x.rows, w.cols);
  require_shape("linear_transposed_forward: y", y, x.rows, w.rows);
  if (x.rows < rows_worth_packing) return multiply_quantized(y, x, w, 1.0f);
  std::vector<float> unpacked;
  multiply_blocks(y, x, scratch, [&](std::size_t first, std::size_t count) {
    const MatrixView part(room(unpacked, count * w.cols), count, w.cols);
    dequantize(part, w.rows_from(first, count));
    return ConstMatrixView(part);
  });
}

void linear_backward(MatrixView d_x, MatrixView d_w, ConstMatrixView d_y, ConstMatrixView x,
                     ConstMatrixView w, std::vector<float>& scratch) {
  require_shape("linear_backward: x", x, x.rows, w.rows);
  require_shape("linear_backward: d_y", d_y, x.rows, w.cols);
  require_shape("linear_backward: d_w", d_w, w.rows, w.cols);
  if (d_x.data != nullptr) {
    require_shape("linear_backward: d_x", d_x, x.rows, w.rows);
    float* packed = room(scratch, packed_size(w.cols, w.rows));
    pack_rows_as_columns(packed, w);
    multiply(d_x, d_y, packed);
  }
  accumulate_gradient(d_w, x, d_y, scratch);
}

// y = x wT: d_x = d_y w, d_w += d_yT x
void linear_transposed_backward(MatrixView d_x, MatrixView d_w, ConstMatrixView d_y,
                                ConstMatrixView x, ConstMatrixView w, std::vector<float>& scratch) {
  require_shape("linear_transposed_backward: x", x, d_y.rows, d_w.cols);
  linear_forward(d_x, d_y, w, scratch);
  accumulate_gradient(d_w, d_y, x, scratch);
}

namespace {

void check_embedding(const char* what, ConstMatrixView table, ConstMatrixView rows,
                     std::span<const std::uint32_t> ids) {
  require_shape(what, rows, ids.size(), table.cols);
  for (const std::uint32_t id : ids) {
    require(id < table.rows, "embedding: tokens must be below ", table.rows, ", got ", id);
  }
}

}  // namespace

void embedding_forward(MatrixView y, ConstMatrixView table, std::span<const std::uint32_t> ids) {
  check_embedding("embedding_forward: y", table, y, ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::ranges::copy(table.row(ids[i]), y.row(i).begin());
  }
}

void embedding_forward(MatrixView y, const ConstQuantizedRows& table,
                       std::span<const std::uint32_t> ids) {
  check_embedding("embedding_forward: y", {nullptr, table.rows, table.cols}, y, ids);
  for (std::size_t i = 0; i < ids.size(); ++i)
    dequantize({y.row(i).data(), 1, y.cols}, table.rows_from(ids[i], 1));
}

void embedding_backward(MatrixView d_table, ConstMatrixView d_y,
                        std::span<const std::uint32_t> ids) {
  check_embedding("embedding_backward: d_y", d_table, d_y, ids);
  // y[i] = table[ids[i]]
  for (std::size_t i = 0; i < ids.size(); ++i) add(d_table.row(ids[i]), d_y.row(i));
}

void join_heads(MatrixView by_token, std::span<const float> by_head, std::size_t heads,
                std::size_t length) {
  const std::size_t width = by_token.cols / heads;
  for (std::size_t r = 0; r < by_token.rows; ++r) {
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t first = ((r / length * heads + h) * length + r % length) * width;
      std::ranges::copy(by_head.subspan(first, width), by_token.row(r).begin() + h * width);
    }
  }
}

void split_heads(std::span<float> by_head, ConstMatrixView by_token, std::size_t heads,
                 std::size_t length) {
  const std::size_t width = by_token.cols / heads;
  for (std::size_t r = 0; r < by_token.rows; ++r) {
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t first = ((r / length * heads + h) * length + r % length) * width;
      std::ranges::copy(by_token.row(r).subspan(h * width, width), by_head.begin() + first);
    }
  }
}

namespace {

void require_width(const char* what, ConstMatrixView x, std::span<const float> values) {
  require(values.size() == x.cols, what, " must have ", x.cols, " values, as x has columns, got ",
          values.size());
}

void check_epsilon(const char* what, float epsilon) { require_at_least(what, 0.0, epsilon); }

void normalize(MatrixView y, ConstMatrixView x, const RowNorm& norm) {
  if (x.cols == 0) return;
  for (std::size_t r = 0; r < x.rows; ++r) normalize_row(y.row(r), x.row(r), norm);
}

void normalize_backward(MatrixView d_x, const RowNormGradients& d, ConstMatrixView d_y,
                        ConstMatrixView x, const RowNorm& norm) {
  if (x.cols == 0) return;
  for (std::size_t r = 0; r < x.rows; ++r) {
    normalize_row_backward(d_x.row(r), d, d_y.row(r), x.row(r), norm);
  }
}

}  // namespace

void rms_norm_forward(MatrixView y, ConstMatrixView x, std::span<const float> gain, float epsilon) {
  require_shape("rms_norm_forward: y", y, x.rows, x.cols);
  require_width("rms_norm_forward: gain", x, gain);
  check_epsilon("rms_norm_forward: epsilon", epsilon);
  normalize(y, x, {.gain = gain, .bias = {}, .epsilon = epsilon});
}

void rms_norm_backward(MatrixView d_x, std::span<float> d_gain, ConstMatrixView d_y,
                       ConstMatrixView x, std::span<const float> gain, float epsilon) {
  require_shape("rms_norm_backward: d_x", d_x, x.rows, x.cols);
  require_shape("rms_norm_backward: d_y", d_y, x.rows, x.cols);
  require_width("rms_norm_backward: gain", x, gain);
  require_width("rms_norm_backward: d_gain", x, d_gain);
  check_epsilon("rms_norm_backward: epsilon", epsilon);
  normalize_backward(d_x, {.gain = d_gain, .bias = {}}, d_y, x,
                     {.gain = gain, .bias = {}, .epsilon = epsilon});
}

void layer_norm_forward(MatrixView y, ConstMatrixView x, std::span<const float> gain,
                        std::span<const float> bias, float epsilon) {
  require_shape("layer_norm_forward: y", y, x.rows, x.cols);
  require_width("layer_norm_forward: gain", x, gain);
  require_width("layer_norm_forward: bias", x, bias);
  check_epsilon("layer_norm_forward: epsilon", epsilon);
  normalize(y, x, {.gain = gain, .bias = bias, .epsilon = epsilon});
}

void layer_norm_backward(MatrixView d_x, std::span<float> d_gain, std::span<float> d_bias,
                         ConstMatrixView d_y, ConstMatrixView x, std::span<const float> gain,
                         float epsilon) {
  require_shape("layer_norm_backward: d_x", d_x, x.rows, x.cols);
  require_shape("layer_norm_backward: d_y", d_y, x.rows, x.cols);
  require_width("layer_norm_backward: gain", x, gain);
  require_width("layer_norm_backward: d_gain", x, d_gain);
  require_width("layer_norm_backward: d_bias", x, d_bias);
  check_epsilon("layer_norm_backward: epsilon", epsilon);
  // No gradient depends on the bias: d_bias stands for it, and says that this is LayerNorm.
  normalize_backward(d_x, {.gain = d_gain, .bias = d_bias}, d_y, x,
                     {.gain = gain, .bias = d_bias, .epsilon = epsilon});
}

void gelu_forward(MatrixView y, ConstMatrixView x) {
  require_shape("gelu_forward: y", y, x.rows, x.cols);
  for (std::size_t r = 0; r < x.rows; ++r) gelu(y.row(r), x.row(r));
}

void gelu_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) {
  require_shape("gelu_backward: d_x", d_x, x.rows, x.cols);
  require_shape("gelu_backward: d_y", d_y, x.rows, x.cols);
  for (std::size_t r = 0; r < x.rows; ++r) gelu_backward(d_x.row(r), d_y.row(r), x.row(r));
}

namespace {

// use(t, source, j) for each tap j of each row t whose source row is in the same sequence.
template <class Use>
void for_taps(std::size_t rows, std::size_t taps, std::size_t length, Use use) {
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t j = 0; j < taps; ++j) {
      const std::size_t back = taps - 1 - j;
      if (back <= t % length) use(t, t - back, j);
    }
  }
}

// 1 / sqrt(sum of x^2 + epsilon)
double inverse_length(std::span<const float> x) {
  double sum = 1e-6;
  for (const float value : x) sum += double(value) * double(value);
  return 1.0 / std::sqrt(sum);
}

}  // namespace

void causal_convolution_forward(MatrixView y, ConstMatrixView x, ConstMatrixView w,
                                std::size_t length) {
  for (std::size_t r = 0; r < y.rows; ++r) std::ranges::fill(y.row(r), 0.0f);
  for_taps(x.rows, w.rows, length, [&](std::size_t t, std::size_t source, std::size_t j) {
    for (std::size_t c = 0; c < x.cols; ++c) y.row(t)[c] += w.row(j)[c] * x.row(source)[c];
  });
}

void causal_convolution_backward(MatrixView d_x, MatrixView d_w, ConstMatrixView d_y,
                                 ConstMatrixView x, ConstMatrixView w, std::size_t length) {
  for (std::size_t r = 0; r < d_x.rows; ++r) std::ranges::fill(d_x.row(r), 0.0f);
  // y[t] += w[j] x[source], element by element
  for_taps(x.rows, w.rows, length, [&](std::size_t t, std::size_t source, std::size_t j) {
    for (std::size_t c = 0; c < x.cols; ++c) {
      d_x.row(source)[c] += w.row(j)[c] * d_y.row(t)[c];
      d_w.row(j)[c] += d_y.row(t)[c] * x.row(source)[c];
    }
  });
}

void unit_rows_forward(MatrixView y, ConstMatrixView x) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const double factor = inverse_length(x.row(r));
    for (std::size_t c = 0; c < x.cols; ++c)
      y.row(r)[c] = static_cast<float>(factor * double(x.row(r)[c]));
  }
}

void unit_rows_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const double factor = inverse_length(x.row(r));
    double along = 0.0;
    for (std::size_t c = 0; c < x.cols; ++c) along += double(d_y.row(r)[c]) * double(x.row(r)[c]);
    along *= factor * factor;
    for (std::size_t c = 0; c < x.cols; ++c)
      d_x.row(r)[c] =
          static_cast<float>(factor * (double(d_y.row(r)[c]) - along * double(x.row(r)[c])));
  }
}

namespace {

// Returns the sum of weights.
double check_cross_entropy(ConstMatrixView logits, std::span<const std::uint32_t> targets,
                           std::span<const float> weights) {
  require(targets.size() == logits.rows, "cross_entropy: targets must have ", logits.rows,
          " values, as logits has rows, got ", targets.size());
  require(weights.size() == logits.rows, "cross_entropy: weights must have ", logits.rows,
          " values, as logits has rows, got ", weights.size());
  double sum = 0.0;
  for (std::size_t r = 0; r < logits.rows; ++r) {
    require(targets[r] < logits.cols, "cross_entropy: logits has ", logits.cols,
            " columns and none for target ", targets[r]);
    require_at_least("cross_entropy: a weight", 0.0, weights[r]);
    sum += double(weights[r]);
  }
  return sum;
}

// ln of the sum of exp(row), piece by piece, so that no more than a piece is ever copied.
double log_sum_exp(std::span<const float> row) {
  float piece[64];
  SoftmaxState state;
  for (std::size_t first = 0; first < row.size(); first += std::size(piece)) {
    const std::size_t count = std::min(std::size(piece), row.size() - first);
    std::ranges::copy(row.subspan(first, count), piece);
    softmax_step(state, {piece, count});
  }
  return double(state.maximum) + portable::log(double(state.sum));
}

}  // namespace

void token_losses(std::span<double> losses, ConstMatrixView logits,
                  std::span<const std::uint32_t> targets) {
  for (std::size_t r = 0; r < logits.rows; ++r) {
    require(targets[r] < logits.cols, "losses: targets must be below ", logits.cols, ", got ",
            targets[r]);
    losses[r] = log_sum_exp(logits.row(r)) - double(logits.row(r)[targets[r]]);
  }
}

double cross_entropy_forward(ConstMatrixView logits, std::span<const std::uint32_t> targets,
                             std::span<const float> weights) {
  const double weight_sum = check_cross_entropy(logits, targets, weights);
  double sum = 0.0;
  for (std::size_t r = 0; r < logits.rows; ++r) {
    if (weights[r] == 0.0f) continue;
    sum += double(weights[r]) * (log_sum_exp(logits.row(r)) - double(logits.row(r)[targets[r]]));
  }
  return weight_sum == 0.0 ? 0.0 : sum / weight_sum;
}

void cross_entropy_backward(MatrixView d_logits, ConstMatrixView logits,
                            std::span<const std::uint32_t> targets,
                            std::span<const float> weights) {
  const double weight_sum = check_cross_entropy(logits, targets, weights);
  require_shape("cross_entropy_backward: d_logits", d_logits, logits.rows, logits.cols);
  for (std::size_t r = 0; r < logits.rows; ++r) {
    const std::span<float> row = d_logits.row(r);
    if (weights[r] == 0.0f) {
      std::ranges::fill(row, 0.0f);
      continue;
    }
    if (row.data() != logits.row(r).data()) std::ranges::copy(logits.row(r), row.begin());
    SoftmaxState state;
    softmax_step(state, row);
    const double share = double(weights[r]) / weight_sum;
    scale(row, static_cast<float>(share / double(state.sum)));
    row[targets[r]] -= static_cast<float>(share);
  }
}

}  // namespace ropewalk
