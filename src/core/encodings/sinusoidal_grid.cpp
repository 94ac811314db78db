#include "encodings/sinusoidal_grid.hpp"

#include <algorithm>
#include <vector>

#include "base/require.hpp"

namespace ropewalk {
namespace {

std::size_t half_of(std::size_t dim, const char* who) {
  require(dim > 0 && dim % 4 == 0, who, ": dim must be a positive multiple of 4, got ", dim);
  return dim / 2;
}

std::vector<float> counted_table(std::size_t count, std::size_t dim,
                                 const SinusoidOptions& options) {
  std::vector<double> positions(count);
  for (std::size_t i = 0; i < count; ++i) positions[i] = static_cast<double>(i);
  std::vector<float> table(count * dim);
  sinusoidal({table.data(), count, dim}, positions, options);
  return table;
}

// Of every `length` cells `stride` apart, how many up to and with each are in the mask.
void count_along(std::span<const float> mask, std::span<double> counts, std::size_t first,
                 std::size_t stride, std::size_t length, const SinusoidalMaskOptions& options) {
  double count = 0.0;
  for (std::size_t i = 0, at = first; i < length; ++i, at += stride) {
    if (mask[at] != 0.0f) ++count;
    counts[at] = count;
  }
  if (!options.normalize) return;
  for (std::size_t i = 0, at = first; i < length; ++i, at += stride) {
    counts[at] = counts[at] / (count + 1e-6) * options.scale;
  }
}

}  // namespace

void sinusoidal_grid(MatrixView table, std::size_t rows, std::size_t columns,
                     const SinusoidalGridOptions& options) {
  const std::size_t half = half_of(table.cols, "sinusoidal_grid");
  const std::size_t first_row = options.class_token ? 1 : 0;
  require(table.rows == first_row + rows * columns, "sinusoidal_grid: the table must have ",
          first_row + rows * columns, " rows, got ", table.rows);
  const std::vector<float> of_rows = counted_table(rows, half, options.sinusoid);
  const std::vector<float> of_columns = counted_table(columns, half, options.sinusoid);
  if (options.class_token) std::ranges::fill(table.row(0), 0.0f);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const float *first = &of_columns[c * half], *second = &of_rows[r * half];
      if (options.order == GridOrder::row_first) std::swap(first, second);
      float* const cell = table.row(first_row + r * columns + c).data();
      std::copy_n(second, half, std::copy_n(first, half, cell));
    }
  }
}

void sinusoidal_mask(MatrixView table, std::span<const float> mask, std::size_t rows,
                     std::size_t columns, const SinusoidalMaskOptions& options) {
  const std::size_t half = half_of(table.rows, "sinusoidal_mask"), cells = rows * columns;
  require(mask.size() == cells && table.cols == cells, "sinusoidal_mask: mask and table must have ",
          cells, " cells, got ", mask.size(), " and ", table.cols);
  std::vector<double> y(cells), x(cells);
  for (std::size_t c = 0; c < columns; ++c) count_along(mask, y, c, columns, rows, options);
  for (std::size_t r = 0; r < rows; ++r) count_along(mask, x, r * columns, 1, columns, options);

  std::vector<float> values(cells * half);
  for (const auto* coordinates : {&y, &x}) {
    sinusoidal({values.data(), cells, half}, *coordinates, {.base = options.base});
    const std::size_t first = coordinates == &y ? 0 : half;
    for (std::size_t channel = 0; channel < half; ++channel) {
      const std::span<float> row = table.row(first + channel);
      for (std::size_t cell = 0; cell < cells; ++cell) row[cell] = values[cell * half + channel];
    }
  }
}

}  // namespace ropewalk
