#include "kernels/matvec.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/dot.hpp"
#include "kernels/lanes.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {
namespace {

// Rows taken at once: enough sums that none waits for itself, and two registers of results.
constexpr std::size_t at_once = 2 * Lanes::size;

// Sums of lanes, one for each of as many registers as a register has lanes.
Lanes sums_across(Lanes* lanes) {
  xsimd::transpose(lanes, lanes + Lanes::size);
  Lanes total = lanes[0];
  for (std::size_t i = 1; i < Lanes::size; ++i) total += lanes[i];
  return total;
}

// Products of row with at_once rows that follow each other in memory.
void multiply_group(float* out, std::span<const float> row, const float* others, std::size_t stride,
                    float factor) {
  const std::size_t body = row.size() - row.size() % Lanes::size;
  Lanes sums[at_once];
  for (Lanes& sum : sums) sum = Lanes(0.0f);
  for (std::size_t d = 0; d < body; d += Lanes::size) {
    const Lanes piece = load(&row[d]);
    for (std::size_t i = 0; i < at_once; ++i) {
      sums[i] = multiply_add(piece, load(others + i * stride + d), sums[i]);
    }
  }
  for (std::size_t i = 0; i < at_once; i += Lanes::size) {
    store(out + i, sums_across(sums + i) * Lanes(factor));
  }
  for (std::size_t d = body; d < row.size(); ++d) {
    for (std::size_t i = 0; i < at_once; ++i) out[i] += factor * row[d] * others[i * stride + d];
  }
}

// out += the weighted sum of at_once rows that follow each other in memory; whole lanes only.
void accumulate_group(std::span<float> out, const float* weights, const float* rows,
                      std::size_t stride) {
  Lanes
      factors[at_once];  // kept: for all a compiler knows, what is stored to out could be a weight
  for (std::size_t i = 0; i < at_once; ++i) factors[i] = Lanes(weights[i]);
  for (std::size_t c = 0; c < out.size(); c += Lanes::size) {
    Lanes sum = load(&out[c]);
    for (std::size_t i = 0; i < at_once; ++i) {
      sum = multiply_add(factors[i], load(rows + i * stride + c), sum);
    }
    store(&out[c], sum);
  }
}

}  // namespace

void multiply_rows(std::span<float> out, std::span<const float> row, ConstMatrixView matrix,
                   float factor) {
  assert(out.size() == matrix.rows && row.size() == matrix.cols);
  std::size_t i = 0;
  for (; i + at_once <= matrix.rows; i += at_once) {
    multiply_group(&out[i], row, matrix.data + i * matrix.stride, matrix.stride, factor);
  }
  for (; i < matrix.rows; ++i) out[i] = factor * dot(row, matrix.row(i));
}

void accumulate_rows(std::span<float> out, std::span<const float> weights, ConstMatrixView matrix) {
  assert(out.size() == matrix.cols && weights.size() == matrix.rows);
  const std::size_t body = out.size() - out.size() % Lanes::size;
  std::size_t i = 0;
  for (; i + at_once <= matrix.rows; i += at_once) {
    accumulate_group(out.first(body), &weights[i], matrix.data + i * matrix.stride, matrix.stride);
  }
  // What is left: the last columns of these rows, and the last rows.
  for (std::size_t row = body < out.size() ? 0 : i; row < matrix.rows; ++row) {
    const std::size_t first = row < i ? body : 0;
    add_scaled(out.subspan(first), matrix.row(row).subspan(first), weights[row]);
  }
}

}  // namespace ropewalk
