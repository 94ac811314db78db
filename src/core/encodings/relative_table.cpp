#include "encodings/relative_table.hpp"

#include <cmath>

#include "base/require.hpp"
#include "kernels/dot.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {
namespace {

void require_shape(const char* what, ConstMatrixView view, std::size_t rows, std::size_t cols) {
  require(view.rows == rows && view.cols == cols, "relative table: ", what, " must be ", rows,
          " x ", cols, ", got ", view.rows, " x ", view.cols);
}

// use(m, n, table row) for every pair that has a row.
template <class Use>
void for_each_row(ConstMatrixView table, const RelativeIndex& index, Use use) {
  for (std::size_t m = 0; m < index.queries; ++m) {
    for (std::size_t n = 0; n < index.keys; ++n) {
      const std::int32_t row = index.at(m, n);
      if (row == no_row) continue;
      require(row >= 0 && static_cast<std::size_t>(row) < table.rows, "relative table: it has ",
              table.rows, " rows and none with index ", row);
      use(m, n, table.row(static_cast<std::size_t>(row)));
    }
  }
}

}  // namespace

std::int64_t whole_offset(double query, double key) {
  const double offset = key - query;
  require(std::abs(offset) <= 0x1p53 && offset == std::floor(offset),
          "relative table: positions must be whole numbers within 2^53 of each other, got ", query,
          " and ", key);
  return static_cast<std::int64_t>(offset);
}

void add_query_products(MatrixView scores, ConstMatrixView q, ConstMatrixView table,
                        const RelativeIndex& index, float scale) {
  require_shape("scores", scores, index.queries, index.keys);
  require_shape("q", q, index.queries, table.cols);
  for_each_row(table, index, [&](std::size_t m, std::size_t n, std::span<const float> row) {
    scores.row(m)[n] += scale * dot(q.row(m), row);
  });
}

void add_key_products(MatrixView scores, ConstMatrixView k, ConstMatrixView table,
                      const RelativeIndex& index, float scale) {
  require_shape("scores", scores, index.queries, index.keys);
  require_shape("k", k, index.keys, table.cols);
  for_each_row(table, index, [&](std::size_t m, std::size_t n, std::span<const float> row) {
    scores.row(m)[n] += scale * dot(k.row(n), row);
  });
}

void add_weighted_rows(MatrixView out, ConstMatrixView weights, ConstMatrixView table,
                       const RelativeIndex& index) {
  require_shape("weights", weights, index.queries, index.keys);
  require_shape("out", out, index.queries, table.cols);
  for_each_row(table, index, [&](std::size_t m, std::size_t n, std::span<const float> row) {
    add_scaled(out.row(m), row, weights.row(m)[n]);
  });
}

}  // namespace ropewalk
