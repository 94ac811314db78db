#include "input/combine.hpp"

#include <algorithm>
#include <functional>

#include "base/require.hpp"

namespace ropewalk {
namespace {

template <class Operation>
void element_wise(std::span<float> out, std::span<const float> x, std::span<const float> p,
                  Operation operation) {
  if (p.size() == 1) {
    for (std::size_t c = 0; c < x.size(); ++c) out[c] = operation(x[c], p[0]);
  } else {
    for (std::size_t c = 0; c < x.size(); ++c) out[c] = operation(x[c], p[c]);
  }
}

}  // namespace

void combine(MatrixView out, ConstMatrixView tokens, ConstMatrixView table, Combination by) {
  const bool wider = by == Combination::concatenate;
  require(table.rows == tokens.rows, "combine: the table must have one row per token, ",
          tokens.rows, ", got ", table.rows);
  require(wider || table.cols == tokens.cols || table.cols == 1,
          "combine: the table's width must be 1 or that of the tokens, ", tokens.cols, ", got ",
          table.cols);
  const std::size_t width = wider ? tokens.cols + table.cols : tokens.cols;
  require_shape("combine: result", out, tokens.rows, width);
  for (std::size_t t = 0; t < tokens.rows; ++t) {
    const std::span<const float> x = tokens.row(t), p = table.row(t);
    const std::span<float> row = out.row(t);
    if (by == Combination::add) element_wise(row, x, p, std::plus{});
    if (by == Combination::multiply) element_wise(row, x, p, std::multiplies{});
    if (wider) std::ranges::copy(p, std::ranges::copy(x, row.begin()).out);
  }
}

}  // namespace ropewalk
