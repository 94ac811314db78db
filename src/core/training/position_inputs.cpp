// Position schemes that add rows at the input.
#include "input/learned.hpp"
#include "input/sinusoidal.hpp"
#include "kernels/softmax.hpp"
#include "training/initial_values.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

class InputScheme : public PositionScheme {
 public:
  using PositionScheme::PositionScheme;

  void add_to_input(MatrixView x) override {
    std::vector<float> numbers(positions_.size() * shape_.width);
    const MatrixView rows(numbers.data(), positions_.size(), shape_.width);
    fill(rows);
    for (std::size_t r = 0; r < x.rows; ++r) add(x.row(r), rows.row(r % rows.rows));
  }

 protected:
  // One row for each of positions_.
  virtual void fill(MatrixView rows) = 0;
};

class Sinusoidal final : public InputScheme {
 public:
  using InputScheme::InputScheme;

 private:
  void fill(MatrixView rows) override {
    SinusoidOptions options{.base = options_.base};
    if (options_.is_half_split) options.layout = SinusoidLayout::half_split;
    sinusoidal(rows, positions_, options);
  }
};

class Learned final : public InputScheme {
 public:
  explicit Learned(const PositionSetup& setup) : InputScheme(setup) {
    require(options_.rows > 0, "position: rows must be at least 1, got ", options_.rows);
    table_ = parameters_.add("pos", options_.rows, shape_.width);
  }

  void initialize(Random& random) override { fill_normal(parameters_.values(table_), random, 0.5); }

  void add_to_input_backward(ConstMatrixView d_x) override {
    const MatrixView d_table = parameters_.gradients(table_);
    for (std::size_t r = 0; r < d_x.rows; ++r)
      add(d_table.row(static_cast<std::size_t>(positions_[r % positions_.size()])), d_x.row(r));
  }

 private:
  void fill(MatrixView rows) override { look_up(rows, parameters_.values(table_), positions_); }

  std::size_t table_;
};

}  // namespace

std::unique_ptr<PositionScheme> make_sinusoidal(const PositionSetup& setup) {
  return std::make_unique<Sinusoidal>(setup);
}

std::unique_ptr<PositionScheme> make_learned(const PositionSetup& setup) {
  return std::make_unique<Learned>(setup);
}

}  // namespace ropewalk
