#include "bias/windows.hpp"

#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"

namespace ropewalk {
namespace {

void require_window(WindowSize window) {
  const auto [height, width] = window;
  constexpr std::size_t most = 1u << 15;  // tokens squared must fit a buffer
  require(height > 0 && width > 0 && height <= most && width <= most && height * width <= most,
          "window: height x width must be 1 to ", most, " tokens, got ", height, " x ", width);
}

double log_spaced(double displacement, double reach) {
  const double c = 8.0 * displacement / reach;
  return std::copysign(portable::log2(std::abs(c) + 1.0) / portable::log2(8.0), c);
}

// Divisor of the displacements along a side.
double reach_of(std::size_t side, std::size_t pretrained_side, bool normalised) {
  if (pretrained_side > 0) return static_cast<double>(pretrained_side - 1);
  return normalised && side > 1 ? static_cast<double>(side - 1) : 1.0;
}

}  // namespace

std::size_t window_table_rows(WindowSize window, bool class_token) {
  require_window(window);
  return (2 * window.height - 1) * (2 * window.width - 1) + (class_token ? 3 : 0);
}

std::vector<std::int32_t> window_indices(WindowSize window, bool class_token) {
  const std::size_t rows = window_table_rows(window, class_token);
  const auto [height, width] = window;
  const std::size_t patches = height * width, first = class_token ? 1 : 0, tokens = patches + first;
  std::vector<std::int32_t> indices(tokens * tokens);
  for (std::size_t m = 0; m < patches; ++m) {
    for (std::size_t n = 0; n < patches; ++n) {
      const std::size_t y = m / width + height - 1 - n / width;
      const std::size_t x = m % width + width - 1 - n % width;
      indices[(m + first) * tokens + n + first] =
          static_cast<std::int32_t>(y * (2 * width - 1) + x);
    }
  }
  if (class_token) {
    for (std::size_t t = 1; t < tokens; ++t) {
      indices[t] = static_cast<std::int32_t>(rows - 3);
      indices[t * tokens] = static_cast<std::int32_t>(rows - 2);
    }
    indices[0] = static_cast<std::int32_t>(rows - 1);
  }
  return indices;
}

std::vector<double> swin_v2_coordinates(WindowSize window, WindowSize pretrained) {
  const std::size_t rows = window_table_rows(window, false);
  const bool given = pretrained.height > 0 && pretrained.width > 0;
  require((given && pretrained.height > 1 && pretrained.width > 1) ||
              (pretrained.height == 0 && pretrained.width == 0),
          "swin_v2: pretrained_window must be 0 x 0 or have sides of at least 2, got ",
          pretrained.height, " x ", pretrained.width);
  const auto [height, width] = window;
  const double reach_y = reach_of(height, pretrained.height, height > 1);
  const double reach_x = reach_of(width, pretrained.width, height > 1);
  std::vector<double> coordinates(2 * rows);
  double* next = coordinates.data();
  for (std::size_t y = 0; y < 2 * height - 1; ++y) {
    for (std::size_t x = 0; x < 2 * width - 1; ++x) {
      *next++ = log_spaced(double(y) - double(height - 1), reach_y);
      *next++ = log_spaced(double(x) - double(width - 1), reach_x);
    }
  }
  return coordinates;
}

void swin_v2_table(MatrixView table, std::span<const double> coordinates,
                   const BiasNetwork& network) {
  network.check(2);
  require_shape("swin_v2: table", table, coordinates.size() / 2, network.head_weights.rows);
  std::vector<double> values(table.cols);
  for (std::size_t r = 0; r < table.rows; ++r) {
    network(coordinates.subspan(2 * r, 2), values);
    for (std::size_t h = 0; h < table.cols; ++h) {
      table.row(r)[h] = static_cast<float>(16.0 / (1.0 + portable::exp(-values[h])));
    }
  }
}

void gather_window_bias(MatrixView bias, ConstMatrixView table,
                        std::span<const std::int32_t> indices) {
  const std::size_t tokens = bias.cols, heads = table.cols;
  require(bias.rows == heads * tokens && indices.size() == tokens * tokens,
          "window: the bias must be ", heads * tokens, " x ", tokens, ", got ", bias.rows, " x ",
          bias.cols);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto row = static_cast<std::size_t>(indices[i]);
    require(row < table.rows, "window: the table has ", table.rows, " rows and none for index ",
            row);
    for (std::size_t h = 0; h < heads; ++h) {
      bias.row(h * tokens + i / tokens)[i % tokens] = table.row(row)[h];
    }
  }
}

}  // namespace ropewalk
