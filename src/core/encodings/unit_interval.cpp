#include "encodings/unit_interval.hpp"

#include "base/require.hpp"

namespace ropewalk {

void unit_interval(MatrixView column, std::span<const double> positions, std::size_t length) {
  require(column.rows == positions.size() && column.cols == 1, "unit_interval: the table must be ",
          positions.size(), " x 1, got ", column.rows, " x ", column.cols);
  require(length > 0, "unit_interval: length must be positive, got ", length);
  const double last = static_cast<double>(length - 1);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    require(positions[t] >= 0.0 && positions[t] <= last, "unit_interval: positions[", t,
            "] must be from 0 to length - 1 = ", last, ", got ", positions[t]);
    column.row(t)[0] = length == 1 ? 0.0f : static_cast<float>(positions[t] / last);
  }
}

}  // namespace ropewalk
