// PoPE's gradients beside central differences in double.
#include "content/polar.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "support/inputs.hpp"

using namespace ropewalk;

TEST_CASE(
    "PoPE's rows have the gradients of what they are made of, and of phases in their limits") {
  const auto layout = GENERATE(PolarLayout::interleaved, PolarLayout::half_split);
  constexpr std::size_t heads = 2, length = 5, dim = 6, polar = 4, width = dim + polar;
  std::vector<float> x = random_floats(heads * length * dim, 131), phases(heads * polar, -1.0f);
  phases[1] = 0.5f;
  phases[2] = -7.0f;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 3.0f;
  const auto positions = counted_positions(length);
  const PolarRows rows{heads, length, dim, polar, positions, phases, 100.0, layout};
  const auto d_made = random_floats(heads * length * width, 132);
  std::vector<float> made(d_made.size()), d_x(x.size());
  std::vector<double> d_phases(phases.size());
  polar_rows(made, x, rows);
  polar_rows_backward(d_x, d_phases, d_made, made, rows);
  const auto exact = [&](const std::vector<double>& in, const std::vector<double>& shifts) {
    double sum = 0;
    for (std::size_t row = 0; row < heads * length; ++row) {
      const float* d = &d_made[row * width];
      for (std::size_t c = 0; c < dim; ++c) {
        const double value = in[row * dim + c];
        if (c >= polar) {
          sum += value * d[c + polar];
          continue;
        }
        const double phase =
            std::clamp(shifts[row / length * polar + c], -2 * std::acos(-1.0), 0.0);
        const double angle = double(row % length) * std::pow(100.0, -double(c) / polar) + phase;
        const bool is_split = layout == PolarLayout::half_split;
        sum +=
            std::log1p(std::exp(value)) * (std::cos(angle) * d[is_split ? c : 2 * c] +
                                           std::sin(angle) * d[is_split ? c + polar : 2 * c + 1]);
      }
    }
    return sum;
  };
  const std::vector<double> in(x.begin(), x.end()), shifts(phases.begin(), phases.end());
  const auto moved_slope = [&](bool of_phase, std::size_t i) {
    double values[2];
    for (const int side : {0, 1}) {
      auto a = in, b = shifts;
      (of_phase ? b : a)[i] += side == 0 ? 1e-5 : -1e-5;
      values[side] = exact(a, b);
    }
    return (values[0] - values[1]) / 2e-5;
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(std::abs(d_x[i] - moved_slope(false, i)) <= 2e-6 * (1 + std::abs(d_x[i])));
  for (std::size_t i = 0; i < phases.size(); ++i)
    CHECK(std::abs(d_phases[i] - moved_slope(true, i)) <= 1e-5 * (1 + std::abs(d_phases[i])));
  CHECK(d_phases[1] == 0);
  CHECK(d_phases[2] == 0);
}
