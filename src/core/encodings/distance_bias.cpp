#include "encodings/distance_bias.hpp"

#include <cmath>

#include "base/require.hpp"

namespace ropewalk {

void expand_by_offset(MatrixView full, ConstMatrixView by_offset, std::int64_t first,
                      std::span<const double> queries, std::span<const double> keys) {
  const std::size_t heads = by_offset.rows;
  require(full.rows == heads * queries.size() && full.cols == keys.size(),
          "expand_by_offset: the bias must be ", heads * queries.size(), " x ", keys.size(),
          ", got ", full.rows, " x ", full.cols);
  for (std::size_t m = 0; m < queries.size(); ++m) {
    for (std::size_t n = 0; n < keys.size(); ++n) {
      const double column = keys[n] - queries[m] - static_cast<double>(first);
      const bool has_column = column >= 0.0 && column < static_cast<double>(by_offset.cols) &&
                              column == std::floor(column);
      require(has_column,
              "expand_by_offset: the table has no column for key - query = ", keys[n] - queries[m]);
      for (std::size_t h = 0; h < heads; ++h) {
        full.row(h * queries.size() + m)[n] = by_offset.row(h)[static_cast<std::size_t>(column)];
      }
    }
  }
}

}  // namespace ropewalk
