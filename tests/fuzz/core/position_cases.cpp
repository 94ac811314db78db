#include <bit>
#include <cmath>
#include <numeric>

#include "fuzz/core/cases.hpp"
#include "input/counting.hpp"
#include "input/sinusoidal.hpp"
#include "kernels/sincos.hpp"
#include "reference/input.hpp"
#include "reference/rotary.hpp"
#include "rotary/angles.hpp"
#include "rotary/rotate.hpp"
#include "rotary/scaling.hpp"

namespace ropewalk::fuzz {
namespace {

constexpr double most = 0x1p24;

// As the headers say, and what position * frequency loses in the reference's doubles.
double wave_error(double position) { return 1e-7 + std::abs(position) * 0x1p-50; }

std::vector<double> drawn_positions(Draws& draws, std::size_t count) {
  double start = draws.position(most / 2);
  const double step = draws.chance(1, 2) ? 1.0 : draws.position(100);
  const bool steps = draws.chance(1, 2);
  std::vector<double> positions(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (draws.chance(1, 24)) start = draws.position(most / 2);  // a run breaks off
    positions[i] = steps ? start + step * double(i) : draws.position(most);
  }
  return positions;
}

void sinusoid(Draws& draws, Comparison& comparison) {
  const std::size_t dim = draws.size(140);
  const auto positions = drawn_positions(draws, draws.size(90));
  SinusoidOptions options{.base = std::exp(draws.uniform(0, 14))};
  if (draws.chance(1, 4)) options.zero_at = positions[draws.below(positions.size())];
  const bool concatenated = draws.chance(1, 2), cos_first = draws.chance(1, 2);
  if (concatenated) options.layout = SinusoidLayout::half_split;
  if (cos_first) options.order = SinusoidOrder::cos_first;
  Matrix table(positions.size(), dim, std::numeric_limits<float>::quiet_NaN());
  sinusoidal(table.view(), positions, options);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    for (std::size_t c = 0; c < dim; ++c) {
      const std::size_t pair = c / 2, second = (c % 2) != cos_first;
      const std::size_t at = concatenated ? pair + (c % 2) * ((dim + 1) / 2) : c;
      const bool is_padding = positions[t] == options.zero_at;
      const double exact =
          reference::sinusoidal(positions[t], 2 * pair + second, dim, options.base);
      comparison.add(table.at(t, at), is_padding ? 0 : exact,
                     is_padding ? 0 : wave_error(positions[t]));
    }
  }
}

void dials(Draws& draws, Comparison& comparison) {
  const std::size_t dim = 1 + draws.size(40);
  const auto positions = drawn_positions(draws, draws.size(20));
  const double base = std::exp(draws.uniform(0, 14));
  const auto compare = [&](WaveSpacing spacing, auto formula) {
    Matrix table(positions.size(), dim, std::numeric_limits<float>::quiet_NaN());
    sine_waves(table.view(), positions, {spacing, base});
    for (std::size_t t = 0; t < positions.size(); ++t) {
      for (std::size_t d = 0; d < dim; ++d) {
        comparison.add(table.at(t, d), formula(positions[t], d), wave_error(positions[t]));
      }
    }
  };
  compare(WaveSpacing::halving,
          [](double t, std::size_t d) { return reference::halving_dial(t, d); });
  compare(WaveSpacing::endpoint_included,
          [&](double t, std::size_t d) { return reference::dial_to_base(t, d, dim, base); });
  compare(WaveSpacing::endpoint_excluded,
          [&](double t, std::size_t d) { return reference::dial_below_base(t, d, dim, base); });
}

void grid(Draws& draws, Comparison& comparison) {
  const std::size_t rows = draws.size(12), columns = draws.size(12), dim = 4 * draws.size(20);
  const bool is_row_first = draws.chance(1, 2), has_token = draws.chance(1, 2);
  Matrix table(rows * columns + has_token, dim, std::numeric_limits<float>::quiet_NaN());
  sinusoidal_grid(table.view(), rows, columns,
                  {.order = is_row_first ? GridOrder::row_first : GridOrder::column_first,
                   .class_token = has_token});
  for (std::size_t c = 0; c < dim; ++c) {
    if (has_token) comparison.add(table.at(0, c), 0, 0);
    for (std::size_t cell = 0; cell < rows * columns; ++cell) {
      const std::size_t half = is_row_first ? (c + dim / 2) % dim : c;
      const double exact = reference::grid(cell / columns, cell % columns, half, dim);
      comparison.add(table.at(cell + has_token, c), exact, 1e-7);
    }
  }
}

// Every finite angle, by its bits. The reference is the library's, off by half a unit at most.
void sines(Draws& draws, Comparison& comparison) {
  Random random(1 + draws.bits());
  std::vector<double> angles(draws.size(40));
  for (double& angle : angles) {
    const double any = std::bit_cast<double>(random.bits());
    angle = std::isfinite(any) && draws.chance(3, 4) ? any : random.uniform(-100, 100);
  }
  std::vector<double> sin(angles.size()), cos(angles.size());
  sincos(angles, sin, cos);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    comparison.add(sin[i], std::sin(angles[i]), 3e-16 + 0x1p-53);
    comparison.add(cos[i], std::cos(angles[i]), 3e-16 + 0x1p-53);
  }
}

reference::Places places_of(RotaryLayout layout) {
  return layout == RotaryLayout::interleaved ? reference::interleaved_pair
                                             : reference::half_split_pair;
}

RotaryLayout drawn_layout(Draws& draws) {
  return draws.chance(1, 2) ? RotaryLayout::interleaved : RotaryLayout::half_split;
}

// Heads of every shape and order, by angles of one axis or several or by rows of a table, some
// values of a head left as they are.
void rotation(Draws& draws, Comparison& comparison) {
  const std::size_t batches = draws.size(3), heads = draws.size(7), length = draws.size(40);
  const std::size_t pairs = draws.size(20), dim = 2 * pairs + draws.below(6);
  const bool is_head_major = draws.chance(1, 2), per_head = draws.chance(1, 3),
             per_batch = per_head || draws.chance(1, 2);
  const RotaryLayouts layouts{drawn_layout(draws), drawn_layout(draws)};
  const double factor = draws.uniform(0.5, 2);
  const std::size_t lists = per_head ? heads : 1,
                    rows = per_batch ? batches * lists * length : length,
                    axes = draws.chance(1, 3) ? draws.size(3) : 1;
  const RowSteps steps{per_batch ? lists * length : 0, per_head ? length : 0};
  const auto positions = drawn_positions(draws, axes * rows);
  const auto frequencies = rotary_frequencies(2 * pairs, std::exp(draws.uniform(0, 14)));
  std::vector<std::size_t> axis_of_pair(axes == 1 ? 0 : pairs), table_rows(rows);
  for (std::size_t& axis : axis_of_pair) axis = draws.below(axes);
  std::iota(table_rows.begin(), table_rows.end(), 0);
  const RotaryAngles angles{rows, positions, frequencies, axis_of_pair, factor, {}, steps};
  const auto x = draws.floats(batches * heads * length * dim);
  std::vector<float> result = x;
  const Heads view{result.data(), batches, heads, length, dim, is_head_major};
  if (axes > 1 || draws.chance(1, 2)) {
    rotate_heads(view, angles, layouts);
  } else {
    const bool has_rows = draws.chance(1, 2);
    for (std::size_t& row : table_rows) row = has_rows ? draws.below(rows) : row;
    rotate_heads(
        view, rotary_table(positions, frequencies, factor).view(),
        {has_rows ? std::span<const std::size_t>(table_rows) : std::span<const std::size_t>(),
         steps},
        layouts);
  }
  for (std::size_t outer = 0; outer < batches * heads * length; ++outer) {
    const std::size_t r = is_head_major ? outer % length : outer / heads % length;
    const std::size_t head = is_head_major ? outer / length % heads : outer % heads;
    const std::size_t table_row = table_rows[steps.first(outer / (heads * length), head) + r];
    const auto position = [&](std::size_t pair) {
      return positions[(axes == 1 ? 0 : axis_of_pair[pair] * rows) + table_row];
    };
    std::vector<double> turns;
    for (std::size_t i = 0; i < pairs; ++i) turns.push_back(position(i) * frequencies[i]);
    const std::vector<double> row(x.begin() + outer * dim, x.begin() + (outer + 1) * dim);
    const auto exact =
        reference::turned(row, turns, places_of(layouts.from), places_of(layouts.to));
    for (std::size_t i = 0; i < pairs; ++i) {
      const auto from = places_of(layouts.from)(i, pairs), to = places_of(layouts.to)(i, pairs);
      // Errors of cos and sin, of each product, and of their sum.
      const double magnitude = factor * (std::abs(row[from.a]) + std::abs(row[from.b]));
      const double bound = magnitude * (wave_error(position(i)) + 3 * rounding);
      comparison.add(result[outer * dim + to.a], factor * exact[to.a], bound);
      comparison.add(result[outer * dim + to.b], factor * exact[to.b], bound);
    }
    for (std::size_t d = 2 * pairs; d < dim; ++d)
      comparison.add(result[outer * dim + d], row[d], 0);
  }
}

void layouts(Draws& draws, Comparison& comparison) {
  const std::size_t dim = draws.size(40), rotary_dim = 2 * draws.below(dim / 2 + 1);
  const std::size_t outer = draws.size(5), inner = draws.size(5);
  const RotaryLayouts there{drawn_layout(draws), drawn_layout(draws)}, back{there.to, there.from};
  const auto x = draws.floats(outer * dim * inner);
  std::vector<float> converted(x.size()), returned(x.size());
  convert_rotary_layout(converted, x, dim, inner, rotary_dim, there);
  convert_rotary_layout(returned, converted, dim, inner, rotary_dim, back);
  for (std::size_t i = 0; i < x.size(); ++i) {
    comparison.add(returned[i], x[i], 0);
    const std::size_t d = i / inner % dim, pairs = rotary_dim / 2;
    const auto to = [&](std::size_t place) { return converted[i + (place - d) * inner]; };
    if (d >= rotary_dim) comparison.add(converted[i], x[i], 0);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      const auto from = places_of(there.from)(pair, pairs), at = places_of(there.to)(pair, pairs);
      if (d == from.a) comparison.add(to(at.a), x[i], 0);
      if (d == from.b) comparison.add(to(at.b), x[i], 0);
    }
  }
}

void scalings(Draws& draws, Comparison& comparison) {
  const std::size_t dim = 2 * draws.size(70);
  const double base = std::exp(draws.uniform(1, 14)), factor = draws.uniform(1, 64);
  const double length = double(2 + draws.below(20000));
  const bool truncate = draws.chance(1, 2);
  const auto coded =
      ntk_by_parts(dim, base, {.factor = factor, .original_length = length, .truncate = truncate});
  const auto published = ntk_by_parts(
      dim, base, {.factor = factor, .original_length = length, .ramp = ByPartsRamp::published});
  const auto waves = llama3(dim, base, {.factor = factor, .original_length = length});
  for (std::size_t i = 0; i < dim / 2; ++i) {
    const double d = double(dim);
    const auto compare = [&](double actual, double exact) {
      comparison.add(actual, exact, 1e-12 * exact);
    };
    compare(coded.inverse_frequencies[i],
            reference::yarn_coded(i, d, base, length, factor, truncate));
    compare(published.inverse_frequencies[i],
            reference::yarn_published(i, d, base, length, factor));
    compare(waves.inverse_frequencies[i], reference::llama3(i, d, base, length, factor, 1, 4));
  }
}

void xpos(Draws& draws, Comparison& comparison) {
  const std::size_t pairs = draws.size(40);
  const XposOptions options{draws.uniform(100, 2000), draws.uniform(0.1, 2), draws.position(300)};
  const double position = draws.position(1000);
  const bool is_key = draws.chance(1, 2);
  std::vector<double> cos(pairs, 1.0), sin(pairs, -0.5);
  scale_xpos({cos.data(), 1, pairs}, {sin.data(), 1, pairs}, std::vector{position},
             is_key ? XposRole::key : XposRole::query, options);
  const double steps = (position - options.center) / options.scale_base;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double exact = reference::xpos_scale(i, pairs, options.gamma, is_key ? -steps : steps);
    comparison.add(cos[i], exact, 1e-13 * exact);
    comparison.add(sin[i], -0.5 * exact, 1e-13 * exact);
  }
}

constexpr Case cases[] = {{"sinusoid", sinusoid}, {"dials", dials},       {"grid", grid},
                          {"sines", sines},       {"rotation", rotation}, {"layouts", layouts},
                          {"scalings", scalings}, {"xpos", xpos}};

}  // namespace

std::span<const Case> position_cases() { return cases; }

}  // namespace ropewalk::fuzz
