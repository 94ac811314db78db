// The layers of a decoder.
#include "bindings/layers.hpp"

#include "bindings/boundary.hpp"
#include "bindings/stored.hpp"
#include "kernels/activations.hpp"
#include "training/layers.hpp"

namespace ropewalk::bindings {
namespace {

MatrixView taken(std::size_t rows, std::size_t cols) {
  return {floats_in.take(rows * cols).data(), rows, cols};
}

// A parameter, in the transfer buffer or resident.
ConstMatrixView parameter(Pointer at, std::size_t rows, std::size_t cols) {
  return {floats_at(at, rows * cols).data(), rows, cols};
}

std::vector<float> scratch;

// floats: x, gain, bias (layer norm)
Pointer norm(Norm kind, std::size_t rows, std::size_t width, double epsilon) {
  return guarded([=] {
    const MatrixView x = taken(rows, width);
    const std::span<float> gain = floats_in.take(width);
    const std::span<float> bias = floats_in.take(kind == Norm::layer ? width : 0);
    const MatrixView y(floats_out.reserve(rows * width).data(), rows, width);
    const auto e = static_cast<float>(epsilon);
    if (kind == Norm::rms) rms_norm_forward(y, x, gain, e);
    if (kind == Norm::layer) layer_norm_forward(y, x, gain, bias, e);
    return std::span(y.data, rows * width);
  });
}

// floats: x, w unless resident, bias (if any). w: in x out, or out x in; in fewer bits out x in.
Pointer linear(Pointer w_at, std::size_t rows, std::size_t in, std::size_t out, bool is_out_in,
               bool has_bias) {
  return guarded([=] {
    const MatrixView x = taken(rows, in);
    const auto quantized = quantized_rows_at(w_at, out, in);
    const ConstMatrixView w =
        quantized ? MatrixView{} : parameter(w_at, is_out_in ? out : in, is_out_in ? in : out);
    const std::span<const float> bias = floats_in.take(has_bias ? out : 0);
    const MatrixView y(floats_out.reserve(rows * out).data(), rows, out);
    if (quantized)
      linear_transposed_forward(y, x, *quantized, scratch);
    else if (is_out_in)
      linear_transposed_forward(y, x, w, scratch);
    else
      linear_forward(y, x, w, scratch);
    for (std::size_t r = 0; r < rows && has_bias; ++r)
      std::ranges::transform(y.row(r), bias, y.row(r).begin(), std::plus());
    return std::span(y.data, rows * out);
  });
}

enum class Activation { gelu, silu };

// floats: x, then the factors of a gated layer (if any). Result: act(x), or act(x) times them.
Pointer activation(Activation kind, std::size_t count, bool is_gated) {
  return guarded([=] {
    const std::span<float> x = floats_in.take(count), y = floats_out.reserve(count);
    if (kind == Activation::gelu) gelu(y, x);
    if (kind == Activation::silu) silu(y, x);
    if (is_gated) std::ranges::transform(y, floats_in.take(count), y.begin(), std::multiplies());
    return y;
  });
}

// floats: table unless resident; doubles: ids. Result: rows.
Pointer embedding(Pointer table_at, std::size_t rows, std::size_t width, std::size_t count) {
  return guarded([=] {
    const std::span<double> numbers = doubles_in.take(count);
    const std::vector<std::uint32_t> ids(numbers.begin(), numbers.end());
    const std::span<float> to = floats_out.reserve(count * width);
    embedding_forward({to.data(), count, width}, parameter(table_at, rows, width), ids);
    return to;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(layers) {
  using namespace emscripten;
  enum_<Norm>("Norm", enum_value_type::string).value("rms", Norm::rms).value("layer", Norm::layer);
  enum_<Activation>("LayerActivation", enum_value_type::string)
      .value("gelu", Activation::gelu)
      .value("silu", Activation::silu);
  function("norm", &norm);
  function("linear", &linear);
  function("activation", &activation);
  function("embedding", &embedding);
}

}  // namespace ropewalk::bindings
