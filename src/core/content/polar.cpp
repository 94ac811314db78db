#include "content/polar.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/activations.hpp"
#include "kernels/sincos.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk {

namespace {

constexpr double lowest_phase = -2.0 * std::numbers::pi;

// Where the two parts of channel c are.
struct PolarAddresses {
  std::size_t step, second;

  explicit PolarAddresses(const PolarRows& rows)
      : step(rows.layout == PolarLayout::interleaved ? 2 : 1),
        second(rows.layout == PolarLayout::interleaved ? 1 : rows.polar) {}
};

}  // namespace

void polar_rows(std::span<float> to, std::span<const float> x, const PolarRows& rows) {
  const auto [heads, length, dim, polar, positions, phases, base, layout] = rows;
  require(polar > 0 && polar <= dim, "polar: the polar channels must number 1 to ", dim, ", got ",
          polar);
  require(phases.size() % polar == 0 && (phases.empty() || heads % (phases.size() / polar) == 0),
          "polar: phases must be ", polar, " per head, got ", phases.size());
  require_positive("polar: base", base);
  const std::vector<double> frequencies =
      geometric_frequencies(polar, base, static_cast<double>(polar));
  const RotaryTable table = rotary_table(positions, frequencies);
  std::vector<double> limited(phases.size()), sines(phases.size()), cosines(phases.size());
  for (std::size_t i = 0; i < phases.size(); ++i)
    limited[i] = std::clamp(double(phases[i]), lowest_phase, 0.0);
  sincos(limited, sines, cosines);

  const auto [step, second] = PolarAddresses(rows);
  std::vector<float> sizes(polar);
  for (std::size_t row = 0; row < heads * length; ++row) {
    const float* const from = &x[row * dim];
    float* const out = &to[row * (dim + polar)];
    softplus(sizes, {from, polar});
    const std::span<const float> cos = table.cos_row(row % length),
                                 sin = table.sin_row(row % length);
    const std::size_t at = phases.empty() ? 0 : row / length * polar % phases.size();
    for (std::size_t c = 0; c < polar; ++c) {
      float real = cos[c], imaginary = sin[c];
      if (!phases.empty()) {
        const double of_cos = cosines[at + c], of_sin = sines[at + c];
        real = static_cast<float>(double(cos[c]) * of_cos - double(sin[c]) * of_sin);
        imaginary = static_cast<float>(double(sin[c]) * of_cos + double(cos[c]) * of_sin);
      }
      out[step * c] = sizes[c] * real;
      out[step * c + second] = sizes[c] * imaginary;
    }
    std::copy_n(from + polar, dim - polar, out + 2 * polar);
  }
}

// A pair (a, b) of size mu = softplus(x): d_mu = (a d_a + b d_b) / mu, the slope of softplus is
// 1 - exp(-mu), and d_phase = a d_b - b d_a.
void polar_rows_backward(std::span<float> d_x, std::span<double> d_phases,
                         std::span<const float> d_made, std::span<const float> made,
                         const PolarRows& rows) {
  const std::size_t dim = rows.dim, polar = rows.polar;
  const auto [step, second] = PolarAddresses(rows);
  for (std::size_t row = 0; row < rows.heads * rows.length; ++row) {
    const float *const of = &made[row * (dim + polar)], *const d = &d_made[row * (dim + polar)];
    const std::size_t first_phase =
        d_phases.empty() ? 0 : row / rows.length * polar % d_phases.size();
    for (std::size_t c = 0; c < polar; ++c) {
      const double a = of[step * c], b = of[step * c + second];
      const double d_a = d[step * c], d_b = d[step * c + second];
      const double size = std::sqrt(a * a + b * b);
      const double slope = size < 1e-6 ? 1.0 - 0.5 * size : (1.0 - portable::exp(-size)) / size;
      d_x[row * dim + c] = static_cast<float>((a * d_a + b * d_b) * slope);
      if (d_phases.empty()) continue;
      const float phase = rows.phases[first_phase + c];
      if (phase <= 0.0f && double(phase) >= lowest_phase)
        d_phases[first_phase + c] += a * d_b - b * d_a;
    }
    std::copy_n(d + 2 * polar, dim - polar, &d_x[row * dim + polar]);
  }
}

}  // namespace ropewalk
