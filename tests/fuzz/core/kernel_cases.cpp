#include <cmath>

#include "fuzz/core/cases.hpp"
#include "kernels/dot.hpp"
#include "kernels/matmul.hpp"
#include "kernels/matvec.hpp"
#include "reference/kernels.hpp"

namespace ropewalk::fuzz {
namespace {

constexpr float untouched = 12345.0f;

double sum_error(std::size_t terms, double magnitude) {
  return double(terms) * epsilon * magnitude;
}

// Numbers of a matrix whose rows lie some way apart and begin anywhere.
struct Placed {
  Placed(Draws& draws, std::size_t rows, std::size_t cols)
      : offset(draws.below(4)), stride(cols + draws.below(4)), rows(rows), cols(cols) {
    // Nothing stands past the last row, so that reading on is reading past the end.
    values = draws.floats(offset + (rows == 0 ? 0 : (rows - 1) * stride + cols));
  }

  ConstMatrixView view() const { return {values.data() + offset, rows, cols, stride}; }

  std::size_t offset, stride, rows, cols;
  std::vector<float> values;
};

void rows(Draws& draws, Comparison& comparison) {
  const std::size_t count = draws.below(20), cols = draws.below(70);
  const Placed matrix(draws, count, cols), row(draws, 1, cols);
  const auto weights = draws.floats(count), before = draws.floats(cols);
  const auto factor = float(draws.uniform(-2, 2));
  std::vector<float> products(count), sums = before;
  multiply_rows({products.data(), 1, count}, row.view(), matrix.view(), factor);
  accumulate_rows({sums.data(), 1, cols}, {weights.data(), 1, count}, matrix.view());
  for (std::size_t i = 0; i < count; ++i) {
    const auto exact = reference::dot(row.view().row(0), matrix.view().row(i));
    comparison.add(dot(row.view().row(0), matrix.view().row(i)), exact.value,
                   sum_error(cols, exact.magnitude));
    comparison.add(products[i], factor * exact.value,
                   sum_error(cols + 1, std::abs(factor) * exact.magnitude));
  }
  for (std::size_t c = 0; c < cols; ++c) {
    double sum = before[c], magnitude = std::abs(sum);
    for (std::size_t i = 0; i < count; ++i) {
      const double term = double(weights[i]) * matrix.view().row(i)[c];
      sum += term, magnitude += std::abs(term);
    }
    comparison.add(sums[c], sum, sum_error(count + 1, magnitude));
  }
}

// left right of any shape, packed both ways; what lies beside the results stays.
void packed(Draws& draws, Comparison& comparison) {
  const std::size_t count = draws.size(20), depth = draws.size(40), cols = draws.size(40);
  const std::size_t padded = round_up(cols, panel_cols), width = padded + draws.below(4);
  const Placed left(draws, count, depth), columns(draws, cols, depth), right(draws, depth, cols);
  std::vector<float> panels(depth * padded), fresh(count * width, untouched);
  pack_rows_as_columns(panels.data(), columns.view());
  multiply_packed({fresh.data(), count, cols, width}, left.view(), panels.data());
  const auto products = reference::multiply_transposed(left.view(), columns.view());

  const Matrix before = draws.matrix(count, width);
  Matrix sums = before;
  pack_columns(panels.data(), right.view());
  accumulate_packed({sums.values.data(), count, cols, width}, left.view(),
                    {panels.data(), panel_cols * depth});
  const auto added = reference::multiply(left.view(), right.view());
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      const reference::Sum &product = products[r * cols + c], &more = added[r * cols + c];
      const double start = before.at(r, c);
      comparison.add(fresh[r * width + c], product.value, sum_error(depth, product.magnitude));
      comparison.add(sums.at(r, c), start + more.value,
                     sum_error(depth + 1, std::abs(start) + more.magnitude));
    }
    for (std::size_t c = padded; c < width; ++c) comparison.add(fresh[r * width + c], untouched, 0);
    for (std::size_t c = cols; c < width; ++c) comparison.add(sums.at(r, c), before.at(r, c), 0);
  }
}

constexpr Case cases[] = {{"rows", rows}, {"packed", packed}};

}  // namespace

std::span<const Case> kernel_cases() { return cases; }

}  // namespace ropewalk::fuzz
