#include "encodings/rotary.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "kernels/rotate_pairs.hpp"

namespace ropewalk {

std::vector<double> rotary_frequencies(std::size_t dim, double base) {
  require(dim > 0 && dim % 2 == 0, "rotary_frequencies: dim must be even and positive, got ", dim);
  require(base > 0.0 && std::isfinite(base),
          "rotary_frequencies: base must be positive and finite, got ", base);
  std::vector<double> frequencies(dim / 2);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    frequencies[i] = std::pow(base, -2.0 * static_cast<double>(i) / static_cast<double>(dim));
  }
  return frequencies;
}

RotaryTable rotary_table(std::span<const double> positions, std::span<const double> frequencies,
                         double attention_factor) {
  RotaryTable table{frequencies.size(), {}, {}};
  table.cos.reserve(positions.size() * table.pairs);
  table.sin.reserve(positions.size() * table.pairs);
  for (const double position : positions) {
    for (const double frequency : frequencies) {
      const double angle = position * frequency;
      table.cos.push_back(static_cast<float>(std::cos(angle) * attention_factor));
      table.sin.push_back(static_cast<float>(std::sin(angle) * attention_factor));
    }
  }
  return table;
}

void rotate(MatrixView x, const RotaryTable& table, RotaryLayout layout) {
  const std::size_t width = 2 * table.pairs;
  require(table.cos.size() == x.rows * table.pairs, "rotate: the table must have one row per row of x, got ",
          table.cos.size() / std::max<std::size_t>(table.pairs, 1), " for ", x.rows);
  require(width <= x.cols, "rotate: the frequencies turn ", width, " values, but a row has ", x.cols);
  const auto rotate_row =
      layout == RotaryLayout::interleaved ? rotate_interleaved_pairs : rotate_split_pairs;
  for (std::size_t r = 0; r < x.rows; ++r) {
    rotate_row(x.row(r).first(width), table.cos_row(r), table.sin_row(r));
  }
}

}  // namespace ropewalk
