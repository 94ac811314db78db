#include "training/parameters.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "base/require.hpp"

namespace ropewalk {

// std::to_string would add tables to the binary that nothing else needs.
std::string layer_prefix(std::size_t layer) {
  return "blocks." + text_of(static_cast<double>(layer)) + ".";
}

std::size_t ParameterList::add(std::string name, std::size_t rows, std::size_t cols, bool decays) {
  const double total = double(size_) + double(rows) * double(cols);  // may exceed size_t
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  require(total <= double(most), "parameters: their number must be at most ", most, ", got ",
          total);
  parameters_.push_back({std::move(name), rows, cols, size_, decays});
  size_ += rows * cols;
  return parameters_.size() - 1;
}

namespace {

// Codes begin at a line of the cache.
constexpr std::size_t line = 64 / sizeof(float);
std::size_t whole_lines(std::size_t floats) { return (floats + line - 1) / line * line; }

// The floats that some rows take after the place of their scales.
std::size_t code_floats(const Parameter& parameter, std::size_t rows) {
  return rows * (row_bytes(*parameter.format, parameter.cols) / sizeof(float));
}

}  // namespace

void ParameterList::set_formats(std::span<const std::optional<RowFormat>> formats) {
  assert(values_.empty() && formats.size() == parameters_.size());
  size_ = 0;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    Parameter& parameter = parameters_[i];
    if (parameter.is_quantizable) parameter.format = formats[i];
    parameter.offset = parameter.format ? whole_lines(size_) : size_;
    size_ = parameter.offset +
            (parameter.format ? whole_lines(parameter.rows) + code_floats(parameter, parameter.rows)
                              : parameter.size());
  }
}

bool ParameterList::has_floats_only() const {
  return std::ranges::none_of(
      parameters_, [](const Parameter& parameter) { return parameter.format.has_value(); });
}

std::optional<QuantizedRows> ParameterList::quantized(std::size_t index) {
  const Parameter& parameter = parameters_[index];
  if (!parameter.format) return std::nullopt;
  float* const scales = values_.data() + parameter.offset;
  return {{*parameter.format, scales,
           reinterpret_cast<std::uint8_t*>(scales + whole_lines(parameter.rows)), parameter.rows,
           parameter.cols}};
}

std::optional<float> ParameterList::write(std::size_t index, std::size_t first, std::size_t count,
                                          std::span<const std::uint8_t> from, FileFormat format,
                                          float added) {
  const Parameter& parameter = parameters_[index];
  const std::size_t past_end = first + count, bytes = file_bytes(format, parameter.cols);
  require(past_end <= parameter.rows && from.size() == count * bytes,
          "parameters: rows must be within ", parameter.rows, ", got ", past_end, " of ",
          from.size(), " bytes");
  const std::size_t filled =
      parameter.offset + (parameter.format
                              ? whole_lines(parameter.rows) + code_floats(parameter, past_end)
                              : past_end * parameter.cols);
  // Piece by piece: to fill all values with zeros at once takes long.
  if (values_.size() < filled) values_.resize(filled);
  const auto rows = quantized(index);
  std::vector<float> unpacked(parameter.format ? parameter.cols : 0);
  const float most = parameter.format ? largest_quantized : std::numeric_limits<float>::max();
  for (std::size_t r = 0; r < count; ++r) {
    const std::span<float> row =
        rows ? std::span(unpacked)
             : std::span(values_).subspan(parameter.offset + (first + r) * parameter.cols,
                                          parameter.cols);
    read_values(row, from.data() + r * bytes, format);
    if (added != 0.0f)
      for (float& value : row) value += added;
    if (!(largest_magnitude(row) <= most))
      for (const float value : row)
        if (!(std::abs(value) <= most)) return value;
    if (rows) quantize(rows->rows_from(first + r, 1), {row.data(), 1, row.size()});
  }
  return std::nullopt;
}

// Not inlined: to grow a vector takes much code.
[[gnu::noinline]] std::vector<float>& ParameterList::allocated(std::vector<float>& numbers) const {
  if (numbers.size() != size_) numbers.resize(size_);
  return numbers;
}

MatrixView ParameterList::view(std::vector<float>& numbers, std::size_t index) const {
  const Parameter& parameter = parameters_[index];
  assert(!parameter.format);
  return {numbers.data() + parameter.offset, parameter.rows, parameter.cols};
}

void ParameterList::clear_gradients() { std::ranges::fill(gradients(), 0.0f); }

void ParameterList::release_training() {
  for (auto* numbers : {&gradients_, &first_moments_, &second_moments_})
    std::vector<float>().swap(*numbers);
}

double ParameterList::step(const StepOptions& options, std::uint64_t t) {
  const double norm = gradient_norm(gradients());
  const double scale = options.max_grad_norm == 0.0 ? 1.0 : clip_scale(norm, options.max_grad_norm);
  for (const Parameter& parameter : parameters_) {
    const auto part = [&](std::vector<float>& numbers) {
      return std::span(numbers).subspan(parameter.offset, parameter.size());
    };
    adamw_step(part(values()), part(gradients()), part(first_moments()), part(second_moments()),
               options.adamw, options.learning_rate, parameter.decays ? options.weight_decay : 0.0,
               scale, t);
  }
  return norm;
}

}  // namespace ropewalk
