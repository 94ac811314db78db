// The parameters of a model as one list of named matrices, with their gradients and the moments of
// AdamW, each in one array.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/matrix_view.hpp"
#include "kernels/file_values.hpp"
#include "kernels/quantized_rows.hpp"
#include "training/adamw.hpp"

namespace ropewalk {

struct Parameter {
  std::string name;
  std::size_t rows, cols;                // a vector has one row
  std::size_t offset;                    // of its first value, in floats
  bool decays;                           // takes part in weight decay
  bool is_quantizable = false;           // its readers take rows in fewer bits
  std::optional<RowFormat> format = {};  // in which rows are stored; none: floats

  std::size_t size() const { return rows * cols; }
};

// Prefix of the names of a layer's own parameters.
std::string layer_prefix(std::size_t layer);

struct StepOptions {
  AdamW adamw = {};
  double learning_rate = 0.0, weight_decay = 0.0;
  double max_grad_norm = 1.0;  // 0: gradients are not clipped
};

class ParameterList {
 public:
  // Adds a parameter and returns its index. Values, gradients and moments are 0, and have memory
  // from their first use: a model that does not train has its values alone.
  // Throws std::invalid_argument where all parameters together cannot be addressed.
  std::size_t add(std::string name, std::size_t rows, std::size_t cols, bool decays = false);

  // Says that all who read the parameter take its quantized() rows, too.
  void allow_quantized(std::size_t index) { parameters_[index].is_quantizable = true; }
  // Stores the rows of quantizable parameters so, and others as floats. One format per parameter;
  // before any of them has memory.
  void set_formats(std::span<const std::optional<RowFormat>> formats);

  const std::vector<Parameter>& all() const { return parameters_; }
  // Of a parameter that is stored as floats.
  MatrixView values(std::size_t index) { return view(values(), index); }
  MatrixView gradients(std::size_t index) { return view(gradients(), index); }
  std::span<float> row(std::size_t index) { return values(index).row(0); }
  // None where the parameter is stored as floats.
  std::optional<QuantizedRows> quantized(std::size_t index);

  bool has_floats_only() const;

  // Takes the memory of all values at once, for write() to fill in the order of the list.
  void reserve() { values_.reserve(size_); }
  double bytes() const { return double(size_) * sizeof(float); }
  // Writes some rows from those of a file, each value increased by `added`. Returns the first value
  // that is not finite or too large for the format, if there is one; its row stays unwritten.
  std::optional<float> write(std::size_t index, std::size_t first, std::size_t count,
                             std::span<const std::uint8_t> from, FileFormat format, float added);

  // The values of all parameters, in the order of the list.
  std::vector<float>& values() { return allocated(values_); }
  std::vector<float>& gradients() { return allocated(gradients_); }
  std::vector<float>& first_moments() { return allocated(first_moments_); }
  std::vector<float>& second_moments() { return allocated(second_moments_); }

  // Working memory that the layers of the model share: a call may leave anything there.
  std::vector<float>& scratch() { return scratch_; }

  void clear_gradients();
  // Frees gradients and moments: they are 0 again at their next use.
  void release_training();
  // Step t, 1 for the first, along the gradients. Returns their norm before clipping.
  // All parameters must be stored as floats.
  double step(const StepOptions& options, std::uint64_t t);

 private:
  MatrixView view(std::vector<float>& numbers, std::size_t index) const;
  std::vector<float>& allocated(std::vector<float>& numbers) const;

  std::vector<Parameter> parameters_;
  std::size_t size_ = 0;  // of all parameters, in floats
  std::vector<float> values_, gradients_, first_moments_, second_moments_, scratch_;
};

}  // namespace ropewalk
