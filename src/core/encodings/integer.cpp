#include "encodings/integer.hpp"

#include "base/require.hpp"

namespace ropewalk {

void integer_positions(MatrixView column, std::span<const double> positions) {
  require(column.rows == positions.size() && column.cols == 1,
          "integer_positions: the table must be ", positions.size(), " x 1, got ", column.rows,
          " x ", column.cols);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    column.row(t)[0] = static_cast<float>(positions[t]);
  }
}

}  // namespace ropewalk
