// Position schemes that add rows at the input, and none.
#include "input/learned.hpp"
#include "input/sinusoidal.hpp"
#include "kernels/rows.hpp"
#include "training/initial_values.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {
namespace {

class Sinusoidal final : public InputScheme {
 public:
  using InputScheme::InputScheme;

 private:
  void fill(MatrixView rows) override {
    SinusoidOptions options{.base = setup_.options.base};
    if (setup_.options.is_half_split) options.layout = SinusoidLayout::half_split;
    sinusoidal(rows, setup_.sequences.positions, options);
  }
};

// pos (rows x width)
class Learned final : public InputScheme {
 public:
  explicit Learned(const PositionSetup& setup) : InputScheme(setup) {
    const std::size_t rows = setup.options.rows;
    require(rows > 0, "position: rows must be at least 1, got ", rows);
    table_ = setup.parameters.add("pos", rows, setup.shape.width);
  }

  void initialize(Random& random) override {
    fill_normal(setup_.parameters.values(table_), random, 0.5);
  }

  // x[r] += table[position of r]
  void backward(ConstMatrixView d_x) override {
    const MatrixView d_table = setup_.parameters.gradients(table_);
    const std::vector<double>& positions = setup_.sequences.positions;
    for (std::size_t r = 0; r < d_x.rows; ++r)
      add(d_table.row(static_cast<std::size_t>(positions[r % positions.size()])), d_x.row(r));
  }

 private:
  void fill(MatrixView rows) override {
    look_up(rows, setup_.parameters.values(table_), setup_.sequences.positions);
  }

  std::size_t table_;
};

constexpr PositionKind kinds[] = {
    {"none", nullptr, make_layer<LayerScheme>, Sharing::all},
    {"sinusoidal", make_input<Sinusoidal>, make_layer<LayerScheme>, Sharing::all},
    {"learned", make_input<Learned>, make_layer<LayerScheme>, Sharing::all},
};

}  // namespace

constinit const std::span<const PositionKind> input_kinds = kinds;

}  // namespace ropewalk
