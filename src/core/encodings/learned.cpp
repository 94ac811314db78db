#include "encodings/learned.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "base/require.hpp"

namespace ropewalk {

void untrained_table(MatrixView table, std::uint64_t seed, double deviation) {
  require(deviation >= 0.0 && std::isfinite(deviation),
          "untrained_table: deviation must be at least 0 and finite, got ", deviation);
  Random random(seed);
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (float& value : table.row(r)) value = static_cast<float>(deviation * random.normal());
  }
}

void look_up(MatrixView rows, ConstMatrixView table, std::span<const double> positions) {
  require(rows.rows == positions.size() && rows.cols == table.cols,
          "look_up: the result must be ", positions.size(), " x ", table.cols, ", got ", rows.rows,
          " x ", rows.cols);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const double position = positions[t];
    const bool has_row = position >= 0.0 && position < static_cast<double>(table.rows) &&
                         position == std::floor(position);
    require(has_row, "learned: positions[", t, "] must be a row of the table, 0 to ",
            table.rows - 1, ", got ", position);
    std::ranges::copy(table.row(static_cast<std::size_t>(position)), rows.row(t).begin());
  }
}

}  // namespace ropewalk
