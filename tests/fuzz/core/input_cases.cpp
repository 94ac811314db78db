#include <cmath>
#include <numbers>

#include "attention/temperature.hpp"
#include "fuzz/core/cases.hpp"
#include "input/combine.hpp"
#include "input/counting.hpp"
#include "input/learned.hpp"
#include "input/sinusoidal.hpp"
#include "reference/input.hpp"
#include "rotary/position_maps.hpp"

namespace ropewalk::fuzz {
namespace {

constexpr float unwritten = std::numeric_limits<float>::quiet_NaN();

// One float operation each, or none.
void combinations(Draws& draws, Comparison& comparison) {
  const std::size_t length = draws.size(20), dim = draws.size(20), width = draws.size(20);
  const Matrix x = draws.matrix(length, dim), same = draws.matrix(length, dim);
  const Matrix column = draws.matrix(length, 1), wide = draws.matrix(length, width);
  Matrix sums(length, dim, unwritten), products = sums, joined(length, dim + width, unwritten);
  const Matrix& p = draws.chance(1, 2) ? same : column;
  combine(sums.view(), x.view(), p.view(), Combination::add);
  combine(products.view(), x.view(), p.view(), Combination::multiply);
  combine(joined.view(), x.view(), wide.view(), Combination::concatenate);
  for (std::size_t t = 0; t < length; ++t) {
    for (std::size_t c = 0; c < dim; ++c) {
      const float at = p.at(t, p.cols == 1 ? 0 : c);
      comparison.add(sums.at(t, c), x.at(t, c) + at, 0);
      comparison.add(products.at(t, c), x.at(t, c) * at, 0);
      comparison.add(joined.at(t, c), x.at(t, c), 0);
    }
    for (std::size_t c = 0; c < width; ++c) comparison.add(joined.at(t, dim + c), wide.at(t, c), 0);
  }
}

// Numbers that positions are themselves: learned rows, counts, parts of a length, bits.
void counts(Draws& draws, Comparison& comparison) {
  const std::size_t bits = draws.size(24), dim = draws.size(20), held = draws.size(40);
  std::vector<double> rows(draws.size(20)), whole(rows.size());
  for (double& row : rows) row = double(draws.below(held));
  for (double& position : whole)
    position = double((draws.bits() << 8 | draws.below(256)) % (1u << bits));
  const Matrix learned = draws.matrix(held, dim);
  const bool is_highest_first = draws.chance(1, 2);
  Matrix read(rows.size(), dim, unwritten), digits(rows.size(), bits, unwritten);
  Matrix counted(rows.size(), 1, unwritten), part = counted;
  look_up(read.view(), learned.view(), rows);
  integer_positions(counted.view(), whole);
  unit_interval(part.view(), rows, held);
  binary(digits.view(), whole, is_highest_first ? BitOrder::highest_first : BitOrder::lowest_first);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    for (std::size_t d = 0; d < dim; ++d)
      comparison.add(read.at(t, d), learned.at(std::size_t(rows[t]), d), 0);
    comparison.add(counted.at(t, 0), whole[t], 0);
    const double exact = held == 1 ? 0 : rows[t] / double(held - 1);
    comparison.add(part.at(t, 0), exact, 1.01 * rounding * exact);
    for (std::size_t b = 0; b < bits; ++b) {
      const std::size_t bit = is_highest_first ? bits - 1 - b : b;
      comparison.add(digits.at(t, b), std::fmod(std::floor(std::ldexp(whole[t], -int(bit))), 2), 0);
    }
  }
}

void recurrences(Draws& draws, Comparison& comparison) {
  const std::size_t length = draws.size(20), dim = draws.size(9), hidden = draws.size(20);
  const Matrix x = draws.matrix(length, dim);
  Matrix input(dim, hidden), step(hidden, hidden), states(length, hidden, unwritten);
  std::vector<float> bias(hidden);
  untrained_recurrent(input.view(), step.view(), bias, draws.bits());
  const auto initial = draws.floats(hidden);
  const bool is_linear = draws.chance(1, 2);
  recurrent(states.view(), x.view(), {input.view(), step.view(), bias}, initial,
            is_linear ? Activation::identity : Activation::tanh);
  const auto activation = is_linear ? +[](double value) { return value; }
                                    : +[](double value) { return std::tanh(value); };
  const auto exact =
      reference::recurrent(rows_of(x), rows_of(input), rows_of(step), {bias.begin(), bias.end()},
                           {initial.begin(), initial.end()}, activation);
  for (std::size_t t = 0; t < length; ++t) {
    for (std::size_t c = 0; c < hidden; ++c) {
      comparison.add(states.at(t, c), exact[t][c], rounding * std::abs(exact[t][c]) + 1e-12);
    }
  }
}

void features(Draws& draws, Comparison& comparison) {
  const FourierOptions options{draws.size(12), draws.chance(1, 2), draws.chance(1, 2)};
  const std::size_t points = draws.size(12), axes = draws.size(4), waves = axes * options.bands;
  std::vector<double> at(points * axes), resolution(axes);
  for (double& coordinate : at) coordinate = draws.uniform(-1, 1);
  for (double& size : resolution) size = draws.uniform(2, 600);
  Matrix table(points, fourier_width(axes, options), unwritten);
  fourier_features(table.view(), at, resolution, options);
  for (std::size_t point = 0; point < points; ++point) {
    std::vector<double> exact;
    for (std::size_t a = 0; options.with_coordinates && a < axes; ++a)
      exact.push_back(at[point * axes + a]);
    for (std::size_t i = 0; i < (options.sines_only ? waves : 2 * waves); ++i) {
      const std::size_t axis = i % waves / options.bands, band = i % options.bands;
      const double way = options.bands == 1 ? 0 : double(band) / double(options.bands - 1);
      const double frequency = 1 - way + way * resolution[axis] / 2;
      const double angle = std::numbers::pi * at[point * axes + axis] * frequency;
      exact.push_back(i < waves ? std::sin(angle) : std::cos(angle));
    }
    for (std::size_t c = 0; c < exact.size(); ++c)
      comparison.add(table.at(point, c), exact[c], 1e-7);
  }
}

// Pictures with any pixels missing; one that is empty in a row or column counts 0 there.
void pictures(Draws& draws, Comparison& comparison) {
  const std::size_t rows = draws.size(9), columns = draws.size(9), dim = 4 * draws.size(9);
  SinusoidalMaskOptions options{.base = std::exp(draws.uniform(0, 14)),
                                .normalize = draws.chance(1, 2)};
  std::vector<float> mask(rows * columns);
  Random random(draws.bits());
  for (float& pixel : mask) pixel = random.uniform() < 0.7 ? 1.0f : 0.0f;
  Matrix table(dim, rows * columns, unwritten);
  sinusoidal_mask(table.view(), mask, rows, columns, options);
  const auto counted = [&](std::size_t first, std::size_t step, std::size_t to, std::size_t count) {
    double before = 0, all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double pixel = mask[first + i * step] != 0;
      all += pixel;
      if (i <= to) before += pixel;
    }
    return options.normalize ? before / (all + 1e-6) * options.scale : before;
  };
  for (std::size_t cell = 0; cell < rows * columns; ++cell) {
    const std::size_t row = cell / columns, column = cell % columns;
    const double y = counted(column, columns, row, rows),
                 x = counted(row * columns, 1, column, columns);
    for (std::size_t c = 0; c < dim; ++c) {
      comparison.add(table.at(c, cell), reference::pixel(y, x, c, dim, options.base), 1e-7);
    }
  }
}

// The relative positions of causal pairs in whole numbers, and the factors of rows.
void longer(Draws& draws, Comparison& comparison) {
  const auto m = long(draws.below(5000)), n = long(draws.below(std::size_t(m) + 1)), o = m - n;
  const auto window = long(draws.size(300)), group = long(draws.size(40));
  const auto at = [&](double actual, double exact) {
    comparison.add(actual, exact, 1e-12 * std::abs(exact));
  };
  at(relative_position({PositionMapKind::rerope, double(window)}, m, n), o < window ? o : window);
  at(relative_position({PositionMapKind::leaky_rerope, double(window), double(group)}, m, n),
     o < window ? o : window + double(o - window) / double(group));
  at(relative_position({PositionMapKind::self_extend, double(window), double(group)}, m, n),
     o < window ? o : m / group + window - window / group - n / group);
  const long length = window + group, chunk = length + long(draws.below(std::size_t(length)));
  const long between = m / length - n / length, in_query = m % length + length,
             last = 2 * length - 1;
  const long query = between == 1 ? in_query : last;
  at(relative_position({PositionMapKind::dual_chunk, double(chunk), double(chunk - length)}, m, n),
     between == 0 ? o : std::min(query, chunk) - n % length);

  const std::vector<double> positions = {double(m)};
  const double trained = double(2 + draws.below(9000)),
               grown = std::log(double(m + 1)) / std::log(trained);
  at(log_n_factors(positions, trained, LogNForm::position)[0], grown);
  at(log_n_factors(positions, trained, LogNForm::clipped)[0], std::max(1.0, grown));
  at(log_n_factors(positions, trained, LogNForm::length, double(m + 1))[0], grown);
  at(llama4_factors(positions, 0.1, double(group))[0],
     1 + 0.1 * std::log(double(1 + (m + 1) / group)));
}

constexpr Case cases[] = {{"combinations", combinations}, {"counts", counts},
                          {"recurrences", recurrences},   {"features", features},
                          {"pictures", pictures},         {"longer", longer}};

}  // namespace

std::span<const Case> input_cases() { return cases; }

}  // namespace ropewalk::fuzz
