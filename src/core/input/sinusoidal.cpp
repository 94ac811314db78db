#include "input/sinusoidal.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/angle_sums.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {
namespace {

void write_row(std::span<float> row, const SinCos& start, const SinCos& steps,
               const SinusoidOptions& options) {
  const std::size_t dim = row.size(), pairs = start.sines.size();
  const std::size_t whole = std::min(dim / 2, pairs);
  const bool cosine_first = options.order == SinusoidOrder::cos_first;
  const bool side_by_side = options.layout == SinusoidLayout::interleaved;
  if (side_by_side) {
    write_sums_in_pairs(start, steps, whole, row.data(), cosine_first);
  } else {
    float *sines = row.data(), *cosines = row.data() + pairs;
    if (cosine_first) std::swap(sines, cosines);
    write_sums(start, steps, whole, sines, cosines);
  }
  if (whole < pairs) {
    const auto first_of_sum = cosine_first ? cosine_of_sum : sine_of_sum;
    row[side_by_side ? 2 * whole : whole] = static_cast<float>(first_of_sum(start, steps, whole));
  }
  if (2 * pairs < dim) row.back() = 0.0f;
}

}  // namespace

std::vector<double> sinusoid_frequencies(std::size_t dim, const SinusoidOptions& options) {
  require(dim > 0, "sinusoidal: dim must be positive, got ", dim);
  require_positive("sinusoidal: base", options.base);
  if (options.spacing == SinusoidSpacing::half_dim) {
    return geometric_frequencies((dim + 1) / 2, options.base, static_cast<double>(dim) / 2.0);
  }
  const std::size_t pairs = dim / 2;
  return geometric_frequencies(pairs, options.base, static_cast<double>(pairs) - 1.0);
}

void sinusoidal(MatrixView table, std::span<const double> positions,
                const SinusoidOptions& options) {
  require_shape("sinusoidal: table", table, positions.size(), table.cols);
  IncrementalSinCos angles(sinusoid_frequencies(table.cols, options), positions.size());
  for (std::size_t t = 0; t < positions.size(); ++t) {
    if (positions[t] == options.zero_at) {
      std::ranges::fill(table.row(t), 0.0f);
    } else {
      const auto& [start, steps] = angles.at(positions[t]);
      write_row(table.row(t), start, steps, options);
    }
  }
}

void sinusoidal_shift(MatrixView map, double offset, const SinusoidOptions& options) {
  require(map.rows == map.cols && map.cols % 2 == 0,
          "sinusoidal_shift: the map must be square with an even dim, got ", map.rows, " x ",
          map.cols);
  require(
      options.layout == SinusoidLayout::interleaved && options.order == SinusoidOrder::sin_first,
      "sinusoidal_shift: the layout must be interleaved with the sine first");
  std::vector<double> angles = sinusoid_frequencies(map.cols, options);
  for (std::size_t r = 0; r < map.rows; ++r) std::fill_n(map.row(r).begin(), map.cols, 0.0f);
  for (double& angle : angles) angle *= offset;
  std::vector<double> sines(angles.size()), cosines(angles.size());
  sincos(angles, sines, cosines);
  for (std::size_t pair = 0; pair < angles.size(); ++pair) {
    const float cos = static_cast<float>(cosines[pair]), sin = static_cast<float>(sines[pair]);
    const std::size_t at = 2 * pair;
    map.row(at)[at] = cos;
    map.row(at)[at + 1] = sin;
    map.row(at + 1)[at] = -sin;
    map.row(at + 1)[at + 1] = cos;
  }
}

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

// Counts, for each of `length` cells `stride` apart, the cells in the mask up to and including it.
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
  require_shape("sinusoidal_grid: table", table, first_row + rows * columns, table.cols);
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
