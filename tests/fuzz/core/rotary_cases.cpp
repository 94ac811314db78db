#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "fuzz/core/cases.hpp"
#include "reference/rotary.hpp"
#include "rotary/analysis.hpp"
#include "rotary/axes.hpp"
#include "rotary/precision.hpp"
#include "rotary/scaling.hpp"

namespace ropewalk::fuzz {
namespace {

constexpr double turn = 2 * std::numbers::pi;

double drawn_base(Draws& draws) { return std::exp(draws.uniform(1, 14)); }

// Which frequency each pair of an axis has, counted along the axis.
void axes(Draws& draws, Comparison& comparison) {
  const std::size_t axes = draws.size(4);
  const bool interleaved = draws.chance(1, 2);
  const std::size_t dim = interleaved ? 2 * draws.size(40) : 2 * axes * draws.size(12);
  const double base = drawn_base(draws), width = double(interleaved ? dim : dim / axes);
  const auto split = interleaved ? AxialSplit::interleaved : AxialSplit::repeated;
  const auto [frequencies, axis_of_pair] = axial_frequencies(dim, axes, base, split);
  comparison.add(double(frequencies.size()), double(dim / 2), 0);
  std::vector<std::size_t> seen(axes);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const std::size_t axis = axis_of_pair.at(i), nth = seen.at(axis)++;
    const double exact =
        reference::rotary_frequency(interleaved ? axis + nth * axes : nth, width, base);
    comparison.add(frequencies[i], exact, 1e-13 * exact);
    if (i > 0) comparison.add(double(axis >= axis_of_pair[i - 1]), 1, 0);
  }
  for (std::size_t a = 0; a < axes; ++a) {
    const std::size_t share = interleaved ? (dim / 2 + axes - 1 - a) / axes : dim / 2 / axes;
    comparison.add(double(seen[a]), double(share), 0);
  }
}

// As the two models fill their list, section by section or axis by axis over a list of zeros.
void sections(Draws& draws, Comparison& comparison) {
  std::vector<std::size_t> sections(draws.size(4));
  std::vector<double> consecutive;
  for (std::size_t axis = 0; axis < sections.size(); ++axis) {
    sections[axis] = draws.below(12) + (axis == 0);
    consecutive.insert(consecutive.end(), sections[axis], double(axis));
  }
  const std::size_t pairs = consecutive.size();
  std::vector<double> interleaved(pairs, 0.0);
  for (std::size_t axis = 1; axis < sections.size(); ++axis) {
    for (std::size_t n = 0; n < sections[axis]; ++n) {
      const std::size_t at = n * sections.size() + axis;
      if (at < pairs) interleaved[at] = double(axis);
    }
  }
  const auto compare = [&](SectionOrder order, const std::vector<double>& exact) {
    const auto axis_of_pair = section_axes(pairs, sections, order);
    for (std::size_t i = 0; i < pairs; ++i) comparison.add(double(axis_of_pair.at(i)), exact[i], 0);
  };
  compare(SectionOrder::consecutive, consecutive);
  compare(SectionOrder::interleaved, interleaved);
}

double coordinate(GridCoordinate kind, std::size_t i, std::size_t count) {
  if (kind == GridCoordinate::index) return double(i);
  if (kind == GridCoordinate::number) return double(i + 1);
  if (kind == GridCoordinate::center) return double(2 * i + 1) / double(count) - 1;
  return count == 1 ? -1 : -1 + 2 * double(i) / double(count - 1);
}

// Cells in the order in which loops over frames, squares and their insides come by them.
void cells(Draws& draws, Comparison& comparison) {
  GridOptions grid{.frames = draws.size(3), .block = draws.size(3)};
  grid.height = grid.block * draws.size(5);
  grid.width = grid.block * draws.size(5);
  grid.coordinate = GridCoordinate(draws.below(4));
  grid.is_column_first = draws.chance(1, 2);
  grid.before = draws.below(3);
  grid.after = draws.below(3);
  std::vector<double> rows(grid.before, 0.0), columns(grid.before, 0.0);
  for (std::size_t frame = 0; frame < grid.frames; ++frame) {
    for (std::size_t top = 0; top < grid.height; top += grid.block) {
      for (std::size_t left = 0; left < grid.width; left += grid.block) {
        for (std::size_t inside = 0; inside < grid.block * grid.block; ++inside) {
          const std::size_t row = top + inside / grid.block, column = left + inside % grid.block;
          rows.push_back(coordinate(grid.coordinate, row, grid.height));
          columns.push_back(coordinate(grid.coordinate, column, grid.width));
        }
      }
    }
  }
  rows.resize(rows.size() + grid.after, 0.0);
  columns.resize(rows.size(), 0.0);
  const std::size_t tokens = grid_tokens(grid);
  comparison.add(double(tokens), double(rows.size()), 0);
  std::vector<double> positions(2 * tokens, std::numeric_limits<double>::quiet_NaN());
  grid_positions(grid, positions);
  for (std::size_t t = 0; t < tokens; ++t) {
    comparison.add(positions[t], grid.is_column_first ? columns[t] : rows[t], 4e-16);
    comparison.add(positions[tokens + t], grid.is_column_first ? rows[t] : columns[t], 4e-16);
  }
}

struct Format {
  NumberFormat format;
  int precision, least;  // bits of the significand, exponent of the smallest step
  double largest;
};
constexpr Format formats[] = {{NumberFormat::f64, 53, -1074, 0x1.fffffffffffffp1023},
                              {NumberFormat::f32, 24, -149, 0x1.fffffep127},
                              {NumberFormat::f16, 11, -24, 65504},
                              {NumberFormat::bf16, 8, -133, 0x1.fep127}};

const Format& drawn_format(Draws& draws) { return formats[draws.below(4)]; }

// What std::remainder leaves out is the nearest whole number of steps, ties to even.
double narrowed(const Format& format, double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - format.precision, format.least));
  const double nearest = value - std::remainder(value, step);
  return std::abs(nearest) > format.largest ? std::copysign(INFINITY, value) : nearest;
}

// Angles to the bit; of cosines and sines what one rounding to their format leaves.
void rounded(Draws& draws, Comparison& comparison) {
  const Format &position = drawn_format(draws), &frequency = drawn_format(draws),
               &angle = drawn_format(draws), &table = drawn_format(draws);
  const std::vector<double> positions = {draws.position(0x1p20), draws.position(0x1p20)};
  const auto frequencies = rotary_frequencies(2 * draws.size(20), drawn_base(draws));
  const auto result = rounded_rotary_table(
      positions, frequencies, {position.format, frequency.format, angle.format, table.format});
  const double bound = std::ldexp(0.5, -table.precision) + 3e-16;
  for (std::size_t cell = 0; cell < 2 * frequencies.size(); ++cell) {
    const double at = narrowed(position, positions[cell / frequencies.size()]);
    const double turning = narrowed(frequency, frequencies[cell % frequencies.size()]);
    const double exact = narrowed(angle, at * turning);
    comparison.add(result.angles[cell], exact, 0);
    comparison.add(result.cos[cell], std::cos(exact), bound);
    comparison.add(result.sin[cell], std::sin(exact), bound);
    comparison.add(result.cos[cell], narrowed(table, result.cos[cell]), 0);
    comparison.add(result.sin[cell], narrowed(table, result.sin[cell]), 0);
  }
}

std::vector<double> drawn_vector(Draws& draws, std::size_t count) {
  const auto floats = draws.floats(count);
  return {floats.begin(), floats.end()};
}

reference::Places drawn_places(Draws& draws, RotaryLayout& layout) {
  const bool is_interleaved = draws.chance(1, 2);
  layout = is_interleaved ? RotaryLayout::interleaved : RotaryLayout::half_split;
  return is_interleaved ? reference::interleaved_pair : reference::half_split_pair;
}

// One rotated query times one key that stays where it is.
double score_at(double offset, const std::vector<double>& q, const std::vector<double>& k,
                const std::vector<double>& frequencies, reference::Places places) {
  std::vector<double> angles;
  for (const double frequency : frequencies) angles.push_back(offset * frequency);
  const auto turned = reference::turned(q, angles, places, places);
  double score = 0;
  for (std::size_t d = 0; d < q.size(); ++d) score += turned[d] * k[d];
  return score;
}

double length_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

// Without narrow formats every score is that of the distance alone.
void scores(Draws& draws, Comparison& comparison) {
  const auto frequencies = rotary_frequencies(2 * draws.size(20), drawn_base(draws));
  const auto q = drawn_vector(draws, 2 * frequencies.size()), k = drawn_vector(draws, q.size());
  RotaryLayout layout;
  const auto places = drawn_places(draws, layout);
  const double position = draws.position(0x1p20), distance = draws.position(3000);
  const auto result =
      rounded_rotary_scores(q, k, std::vector{position}, distance, frequencies, layout, {});
  const double reach = std::abs(position) + std::abs(distance);
  comparison.add(result[0], score_at(distance, q, k, frequencies, places),
                 length_of(q) * length_of(k) * (1e-14 + reach * 0x1p-50));
}

// Float products as doubles, which hold them whole, rounded by a cast; exact ones by fma.
void angles(Draws& draws, Comparison& comparison) {
  const auto frequencies = rotary_frequencies(2 * draws.size(20), drawn_base(draws));
  const std::vector<double> positions = {draws.position(0x1p20), double(draws.below(400))};
  const std::size_t pairs = frequencies.size();
  const auto errors = [&](AngleMethod method, const std::vector<double>& at) {
    return rotary_angle_errors(method, at, frequencies);
  };
  const auto in_double = errors(AngleMethod::double_product, positions);
  const auto in_float = errors(AngleMethod::float_product, positions);
  const auto running = errors(AngleMethod::running_product, positions);
  const auto walked = errors(AngleMethod::recurrence, {positions[1]});
  for (std::size_t r = 0; r < 2; ++r) {
    const auto position = double(float(positions[r]));
    const double ratio = pairs > 1 ? double(float(frequencies[1] / frequencies[0])) : 1;
    double run = float(position * float(frequencies[0]));
    for (std::size_t i = 0; i < pairs; ++i, run = double(float(run * ratio))) {
      const double product = positions[r] * frequencies[i];
      const double rest = std::fma(positions[r], frequencies[i], -product);
      const auto compare = [&](double actual, double angle) {
        comparison.add(actual, std::remainder(angle - product, turn) - rest,
                       1e-15 * (1 + std::abs(angle - product)));
      };
      comparison.add(in_double[r * pairs + i], -rest, 0);
      compare(in_float[r * pairs + i], float(position * float(frequencies[i])));
      compare(running[r * pairs + i], run);
      // Errors of a step: its cosine and sine, and three operations for each of them.
      if (r == 1) comparison.add(walked[i], 0, (positions[1] + 1) * 6 * rounding);
    }
  }
}

void decay(Draws& draws, Comparison& comparison) {
  const auto frequencies = rotary_frequencies(2 * draws.size(40), drawn_base(draws));
  const std::vector<double> offsets = {draws.position(0x1p20), draws.position(100)};
  const RotaryDecay result = rotary_decay(frequencies, offsets);
  const auto wavelengths = rotary_wavelengths(frequencies);
  const auto pairs = double(frequencies.size());
  for (std::size_t o = 0; o < offsets.size(); ++o) {
    double cosines = 0;
    for (const double frequency : frequencies) cosines += std::cos(offsets[o] * frequency);
    comparison.add(result.mean_cosine[o], cosines / pairs, 1e-15 * pairs);
    comparison.add(result.mean_partial_sum[o],
                   reference::sum_of_partial_sums(frequencies, offsets[o]) / pairs, 1e-15 * pairs);
  }
  const auto turns = rotary_turns(frequencies, std::abs(offsets[0]));
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    comparison.add(wavelengths[i] * frequencies[i], turn, 1e-15 * turn);
    comparison.add(turns[i] * wavelengths[i], std::abs(offsets[0]), 1e-15 * std::abs(offsets[0]));
  }
}

// A score, its magnitude as the length of a sum of complex numbers, and the order of all three.
void bound(Draws& draws, Comparison& comparison) {
  const auto frequencies = rotary_frequencies(2 * draws.size(20), drawn_base(draws));
  const auto q = drawn_vector(draws, 2 * frequencies.size()), k = drawn_vector(draws, q.size());
  RotaryLayout layout;
  const auto places = drawn_places(draws, layout);
  const double offset = draws.position(0x1p16);
  const auto result = rotary_score_bound(q, k, frequencies, std::vector{offset}, layout);
  std::complex<double> sum = 0, before = 0;
  double step = 0;
  for (std::size_t i = frequencies.size(); i-- > 0;) {
    const auto [a, b] = places(i, frequencies.size());
    const auto h = std::complex(q[a], q[b]) * std::complex(k[a], -k[b]);
    step = std::max(step, std::abs(h - before));
    before = h;
    sum += h * std::polar(1.0, offset * frequencies[i]);
  }
  const double error = length_of(q) * length_of(k) * 1e-14;
  const double limit = step * reference::sum_of_partial_sums(frequencies, offset);
  comparison.add(result.score[0], score_at(offset, q, k, frequencies, places), error);
  comparison.add(result.magnitude[0], std::abs(sum), error);
  comparison.add(result.bound[0], limit, 1e-13 * limit + error);
  comparison.add(std::max(0.0, std::abs(result.score[0]) - result.magnitude[0]), 0, error);
  comparison.add(std::max(0.0, result.magnitude[0] - result.bound[0]), 0, error);
}

// The first position by asking each.
void coverage(Draws& draws, Comparison& comparison) {
  const auto trained = rotary_frequencies(2 * draws.size(20), drawn_base(draws));
  const auto original_length = double(draws.size(300)), length = double(draws.size(2000));
  std::vector<double> used = trained;
  for (double& frequency : used) frequency *= draws.chance(1, 8) ? 0.0 : draws.uniform(0.05, 2);
  const auto pairs = angle_coverage(trained, used, original_length, length);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double arc = original_length * trained[i];
    double first = 0;
    while (first < length && first * used[i] < arc) ++first;
    const bool is_seen = arc >= turn || first == length;
    comparison.add(pairs[i].first_unseen, is_seen ? -1 : first, 0);
    comparison.add(pairs[i].trained_turns, arc / turn, 1e-15 * arc);
    comparison.add(pairs[i].turns, length * used[i] / turn, 1e-15 * length * used[i]);
  }
}

// With an integer beta the digits are those of integers; the angles are those of pairs.
void digits(Draws& draws, Comparison& comparison) {
  const std::size_t beta = 2 + draws.below(99), pairs = draws.size(6);
  const std::size_t position = draws.bits() * draws.size(16);
  const double base = std::pow(double(beta), double(pairs));
  const PositionDigits result = position_digits(double(position), 2 * pairs, base);
  comparison.add(result.beta, double(beta), 1e-14 * double(beta));
  std::size_t rest = position;
  for (std::size_t i = 0; i < pairs; ++i, rest /= beta) {
    comparison.add(result.digits[i], double(rest % beta), 0);
    const double angle = double(position) * reference::rotary_frequency(i, 2 * double(pairs), base);
    comparison.add(double(result.angles[i] >= 0 && result.angles[i] < turn), 1, 0);
    comparison.add(std::remainder(result.angles[i] - angle, turn), 0, 1e-15 * (turn + angle));
  }
}

void divisors(Draws& draws, Comparison& comparison) {
  const std::size_t pairs = draws.size(40);
  const double base = drawn_base(draws), factor = draws.uniform(0.5, 64);
  const auto original_length = double(2 + draws.below(9000));
  const double length = original_length + double(draws.below(3)) - 1;
  std::vector<double> near(pairs), far(pairs);
  for (double& divisor : near) divisor = draws.uniform(0.5, 2);
  for (double& divisor : far) divisor = draws.uniform(1, 100);
  const auto result = longrope(2 * pairs, base, near, far, length, original_length);
  for (std::size_t i = 0; i < pairs; ++i) {
    const double exact = reference::rotary_frequency(i, 2 * double(pairs), base) /
                         (length > original_length ? far[i] : near[i]);
    comparison.add(result.inverse_frequencies[i], exact, 1e-12 * exact);
  }
  const double grown = std::sqrt(1 + std::log(std::max(factor, 1.0)) / std::log(original_length));
  comparison.add(longrope_attention_factor(factor, original_length), grown, 1e-14 * grown);
}

// Shares of 128ths, so that which pairs turn is decided in whole numbers.
void proportion(Draws& draws, Comparison& comparison) {
  const std::size_t pairs = draws.size(60), least = (127 + pairs) / pairs;
  const std::size_t share = least + draws.below(129 - least), turning = pairs * share / 128;
  const double base = drawn_base(draws), factor = draws.uniform(0.5, 64);
  const auto result = proportional(2 * pairs, base, double(share) / 128, factor);
  for (std::size_t i = 0; i < pairs; ++i) {
    const double exact =
        i < turning ? reference::rotary_frequency(i, 2 * double(pairs), base) / factor : 0.0;
    comparison.add(result.inverse_frequencies[i], exact, 1e-12 * exact);
  }
}

constexpr Case cases[] = {{"axes", axes},       {"sections", sections}, {"cells", cells},
                          {"rounded", rounded}, {"scores", scores},     {"angles", angles},
                          {"decay", decay},     {"bound", bound},       {"coverage", coverage},
                          {"digits", digits},   {"divisors", divisors}, {"proportion", proportion}};

}  // namespace

std::span<const Case> rotary_cases() { return cases; }

}  // namespace ropewalk::fuzz
