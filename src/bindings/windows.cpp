// Biases of two-dimensional windows: Swin, Swin v2, BEiT.
#include "bias/windows.hpp"
#include "bindings/boundary.hpp"
#include "bindings/network.hpp"

namespace ropewalk::bindings {
namespace {

std::span<float> gathered(ConstMatrixView table, std::span<const std::int32_t> indices,
                          std::size_t tokens) {
  const std::span<float> bias = floats_out.reserve(table.cols * tokens * tokens);
  gather_window_bias({bias.data(), table.cols * tokens, tokens}, table, indices);
  return bias;
}

Pointer window_index_list(std::size_t height, std::size_t width, bool class_token) {
  return guarded([&] { return integers_out.assign(window_indices({height, width}, class_token)); });
}

// floats: table, rows x heads
Pointer window_bias(std::size_t height, std::size_t width, bool class_token, std::size_t heads) {
  return guarded([&] {
    const std::size_t rows = window_table_rows({height, width}, class_token);
    const ConstMatrixView table(floats_in.take(rows * heads).data(), rows, heads);
    const std::size_t tokens = height * width + (class_token ? 1 : 0);
    return gathered(table, window_indices({height, width}, class_token), tokens);
  });
}

Pointer swin_v2_coordinate_list(std::size_t height, std::size_t width,
                                std::size_t pretrained_height, std::size_t pretrained_width) {
  return guarded([&] {
    return doubles_out.assign(
        swin_v2_coordinates({height, width}, {pretrained_height, pretrained_width}));
  });
}

// floats: network
Pointer swin_v2_bias(std::size_t height, std::size_t width, std::size_t pretrained_height,
                     std::size_t pretrained_width, std::size_t heads, std::size_t hidden,
                     bool has_head_bias) {
  return guarded([&] {
    const std::vector<double> coordinates =
        swin_v2_coordinates({height, width}, {pretrained_height, pretrained_width});
    const BiasNetwork network = take_network(2, hidden, heads, has_head_bias);
    std::vector<float> values(coordinates.size() / 2 * heads);
    const MatrixView table(values.data(), coordinates.size() / 2, heads);
    swin_v2_table(table, coordinates, network);
    return gathered(table, window_indices({height, width}), height * width);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(windows) {
  using namespace emscripten;
  function("windowIndices", &window_index_list);
  function("windowBias", &window_bias);
  function("swinV2Coordinates", &swin_v2_coordinate_list);
  function("swinV2Bias", &swin_v2_bias);
}

}  // namespace ropewalk::bindings
