#include "encodings/binary.hpp"

#include <cmath>
#include <cstdint>

#include "base/require.hpp"

namespace ropewalk {

void binary(MatrixView table, std::span<const double> positions, BitOrder order) {
  const std::size_t bits = table.cols;
  require(table.rows == positions.size(), "binary: the table must have one row per position, got ",
          table.rows, " rows for ", positions.size(), " positions");
  require(bits >= 1 && bits <= 53, "binary: bits must be from 1 to 53, got ", bits);
  const double end = std::ldexp(1.0, static_cast<int>(bits));
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const double position = positions[t];
    require(position >= 0.0 && position < end && position == std::floor(position),
            "binary: positions[", t, "] must be a whole number from 0 to 2^", bits, " - 1, got ",
            position);
    const std::uint64_t number = static_cast<std::uint64_t>(position);
    const std::span<float> row = table.row(t);
    for (std::size_t k = 0; k < bits; ++k) {
      const std::size_t at = order == BitOrder::lowest_first ? k : bits - 1 - k;
      row[at] = static_cast<float>((number >> k) & 1);
    }
  }
}

}  // namespace ropewalk
