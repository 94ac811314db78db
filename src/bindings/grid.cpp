// Absolute positions of more than one dimension.
#include "bindings/boundary.hpp"
#include "input/learned.hpp"
#include "input/sinusoidal.hpp"

namespace ropewalk::bindings {
namespace {

Pointer sinusoidal_grid_table(std::size_t rows, std::size_t columns, std::size_t dim, double base,
                              SinusoidLayout layout, GridOrder order, bool class_token) {
  return guarded([&] {
    const std::size_t count = rows * columns + (class_token ? 1 : 0);
    const std::span<float> table = floats_out.reserve(count * dim);
    sinusoidal_grid({table.data(), count, dim}, rows, columns,
                    {{.base = base, .layout = layout}, order, class_token});
    return table;
  });
}

// floats: mask, rows x columns
Pointer sinusoidal_mask_table(std::size_t rows, std::size_t columns, std::size_t dim, double base,
                              bool normalize, double scale) {
  return guarded([&] {
    const std::size_t cells = rows * columns;
    const std::span<float> table = floats_out.reserve(dim * cells);
    sinusoidal_mask({table.data(), dim, cells}, floats_in.take(cells), rows, columns,
                    {base, normalize, scale});
    return table;
  });
}

// doubles: coordinates, points x axes; resolution, axes
Pointer fourier_table(std::size_t points, std::size_t axes, std::size_t bands,
                      bool with_coordinates, bool sines_only) {
  return guarded([&] {
    const FourierOptions options{bands, with_coordinates, sines_only};
    const std::size_t width = fourier_width(axes, options);
    const std::span<float> table = floats_out.reserve(points * width);
    const std::span<const double> coordinates = doubles_in.take(points * axes);
    fourier_features({table.data(), points, width}, coordinates, doubles_in.take(axes), options);
    return table;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(grid) {
  using namespace emscripten;
  enum_<GridOrder>("GridOrder", enum_value_type::string)
      .value("column-first", GridOrder::column_first)
      .value("row-first", GridOrder::row_first);
  function("sinusoidalGrid", &sinusoidal_grid_table);
  function("sinusoidalMask", &sinusoidal_mask_table);
  function("fourierFeatures", &fourier_table);
}

}  // namespace ropewalk::bindings
