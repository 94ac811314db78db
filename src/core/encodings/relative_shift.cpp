#include "encodings/relative_shift.hpp"

#include "base/require.hpp"

namespace ropewalk {

RelativeIndex causal_distance_index(std::span<const double> queries, std::span<const double> keys,
                                    std::int64_t rows) {
  require(rows > 0 && rows <= 1 << 30, "relative_shift: the table must have 1 to 2^30 rows, got ",
          rows);
  return relative_index(queries, keys, [&](std::int64_t offset) {
    require(-offset < rows, "relative_shift: the table has ", rows, " distances, from 0 to ",
            rows - 1, ", and none for ", -offset);
    return offset > 0 ? no_row : static_cast<std::int32_t>(rows - 1 + offset);
  });
}

void relative_shift(MatrixView out, ConstMatrixView products) {
  require(out.rows == products.rows && out.cols == products.cols, "relative_shift: out must be ",
          products.rows, " x ", products.cols, ", got ", out.rows, " x ", out.cols);
  const std::size_t padded = products.cols + 1;
  for (std::size_t m = 0; m < out.rows; ++m) {
    for (std::size_t n = 0; n < out.cols; ++n) {
      const std::size_t at = products.rows + m * out.cols + n;
      out.row(m)[n] = at % padded == 0 ? 0.0f : products.row(at / padded)[at % padded - 1];
    }
  }
}

}  // namespace ropewalk
