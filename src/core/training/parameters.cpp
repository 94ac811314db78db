#include "training/parameters.hpp"

#include <algorithm>
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
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2 / sizeof(float);
  require(total <= double(most), "parameters: their number must be at most ", most, ", got ",
          total);
  parameters_.push_back({std::move(name), rows, cols, size_, decays});
  size_ += rows * cols;
  return parameters_.size() - 1;
}

// Not inlined: to grow a vector takes much code.
[[gnu::noinline]] std::vector<float>& ParameterList::allocated(std::vector<float>& numbers) const {
  if (numbers.size() != size_) numbers.resize(size_);
  return numbers;
}

MatrixView ParameterList::view(std::vector<float>& numbers, std::size_t index) const {
  const Parameter& parameter = parameters_[index];
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
