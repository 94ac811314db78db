#include "kernels/row_products.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/dot.hpp"
#include "kernels/lanes.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {
namespace {

// As many rows at once as a register has lanes: their sums turn into one register of products.
constexpr std::size_t at_once = Lanes::size;

Lanes products(const float* row, const float* const (&others)[at_once], std::size_t body) {
  Lanes sums[at_once];
  for (Lanes& sum : sums) sum = Lanes(0.0f);
  for (std::size_t d = 0; d < body; d += Lanes::size) {
    const Lanes factor = load(row + d);
    for (std::size_t i = 0; i < at_once; ++i) sums[i] = multiply_add(factor, load(others[i] + d), sums[i]);
  }
  xsimd::transpose(sums, sums + at_once);
  Lanes total = sums[0];
  for (std::size_t i = 1; i < at_once; ++i) total += sums[i];
  return total;
}

}  // namespace

void multiply_rows(std::span<float> out, std::span<const float> row, ConstMatrixView matrix, float factor) {
  assert(out.size() == matrix.rows && row.size() == matrix.cols);
  const std::size_t body = row.size() - row.size() % Lanes::size;
  std::size_t i = 0;
  for (; i + at_once <= matrix.rows; i += at_once) {
    const float* others[at_once];
    for (std::size_t j = 0; j < at_once; ++j) others[j] = matrix.row(i + j).data();
    store(&out[i], products(row.data(), others, body));
    for (std::size_t j = 0; j < at_once; ++j) {
      for (std::size_t d = body; d < row.size(); ++d) out[i + j] += row[d] * others[j][d];
      out[i + j] *= factor;
    }
  }
  for (; i < matrix.rows; ++i) out[i] = factor * dot(row, matrix.row(i));
}

void accumulate_rows(std::span<float> out, std::span<const float> weights, ConstMatrixView matrix) {
  assert(out.size() == matrix.cols && weights.size() == matrix.rows);
  std::size_t i = 0;
  for (; i + at_once <= matrix.rows; i += at_once) {
    const std::span<const float> four = weights.subspan(i, at_once);
    if (std::ranges::find(four, 0.0f) != four.end()) {
      for (std::size_t j = i; j < i + at_once; ++j) {
        if (weights[j] != 0.0f) add_scaled(out, matrix.row(j), weights[j]);
      }
      continue;
    }
    const float* rows = matrix.data + i * matrix.stride;
    const auto at = [&](std::size_t j, std::size_t c) { return rows + j * matrix.stride + c; };
    for_lanes(
        out.size(),
        [&](std::size_t c) {
          Lanes sum = load(&out[c]);
          for (std::size_t j = 0; j < at_once; ++j) sum = multiply_add(Lanes(four[j]), load(at(j, c)), sum);
          store(&out[c], sum);
        },
        [&](std::size_t c) {
          for (std::size_t j = 0; j < at_once; ++j) out[c] += four[j] * *at(j, c);
        });
  }
  for (; i < matrix.rows; ++i) {
    if (weights[i] != 0.0f) add_scaled(out, matrix.row(i), weights[i]);
  }
}

}  // namespace ropewalk
