#include "rotary/precision.hpp"

#include <cmath>
#include <numbers>

#include "base/double_double.hpp"
#include "base/require.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

// angle - position * frequency exactly (the product's own rounding is added back), within half a
// turn: what fmod leaves is exact, and std::remainder and std::fma would be a kilobyte of the
// binary.
double angle_error(double angle, double position, double frequency) {
  const double product = position * frequency;
  const double off = std::fmod(angle - product, turn);
  const double nearest = std::abs(off) > turn / 2 ? off - std::copysign(turn, off) : off;
  return nearest - product_error(position, frequency, product);
}

void product_errors(std::span<const double> frequencies, double position, bool in_float,
                    double* errors) {
  for (const double frequency : frequencies) {
    const double angle = in_float ? static_cast<float>(position) * static_cast<float>(frequency)
                                  : position * frequency;
    *errors++ = angle_error(angle, position, frequency);
  }
}

void running_product_errors(std::span<const double> frequencies, double position, double* errors) {
  const float ratio =
      frequencies.size() > 1 ? static_cast<float>(frequencies[1] / frequencies[0]) : 1.0f;
  float angle = static_cast<float>(position) * static_cast<float>(frequencies[0]);
  for (const double frequency : frequencies) {
    *errors++ = angle_error(angle, position, frequency);
    angle *= ratio;
  }
}

// Walks on from position to position, and starts again where they step back.
void recurrence_errors(std::span<const double> positions, double frequency, double* errors,
                       std::size_t stride) {
  double exact_cos, exact_sin;
  sincos({&frequency, 1}, {&exact_sin, 1}, {&exact_cos, 1});
  const auto step_cos = static_cast<float>(exact_cos), step_sin = static_cast<float>(exact_sin);
  float cos = 1.0f, sin = 0.0f;
  double at = 0.0;
  for (const double position : positions) {
    if (position < at) at = 0.0, cos = 1.0f, sin = 0.0f;
    for (; at < position; ++at) {
      const float turned = cos * step_cos - sin * step_sin;
      sin = cos * step_sin + sin * step_cos;
      cos = turned;
    }
    *errors = angle_error(std::atan2(sin, cos), position, frequency);
    errors += stride;
  }
}

void require_walkable(std::span<const double> positions) {
  constexpr double furthest = 1 << 24;
  for (const double position : positions) {
    require(position >= 0.0 && position <= furthest && position == std::floor(position),
            "rotary_angle_errors: a recurrence needs whole positions from 0 to 2^24, got ",
            position);
  }
}

struct Turned {
  double first, second;
};

Turned turned(double first, double second, double cos, double sin, NumberFormat format) {
  const double a = rounded_to(format, first), b = rounded_to(format, second);
  return {rounded_to(format, a * cos - b * sin), rounded_to(format, a * sin + b * cos)};
}

}  // namespace

RoundedTable rounded_rotary_table(std::span<const double> positions,
                                  std::span<const double> frequencies,
                                  const RotaryFormats& formats) {
  const std::size_t cells = positions.size() * frequencies.size();
  RoundedTable table{std::vector<double>(cells), std::vector<double>(cells),
                     std::vector<double>(cells)};
  std::size_t cell = 0;
  for (const double position : positions) {
    const double held = rounded_to(formats.position, position);
    for (const double frequency : frequencies) {
      table.angles[cell++] =
          rounded_to(formats.angle, held * rounded_to(formats.frequency, frequency));
    }
  }
  sincos(table.angles, table.sin, table.cos);
  for (double& value : table.cos) value = rounded_to(formats.table, value);
  for (double& value : table.sin) value = rounded_to(formats.table, value);
  return table;
}

std::vector<double> rounded_rotary_scores(std::span<const double> query,
                                          std::span<const double> key,
                                          std::span<const double> positions, double distance,
                                          std::span<const double> frequencies, RotaryLayout layout,
                                          const RotaryFormats& formats) {
  const std::size_t pairs = frequencies.size();
  require(query.size() == 2 * pairs && key.size() == 2 * pairs,
          "rounded_rotary_scores: query and key need two values per frequency, ", 2 * pairs,
          ", got ", query.size(), " and ", key.size());
  std::vector<double> key_positions(positions.begin(), positions.end());
  for (double& position : key_positions) position -= distance;
  const RoundedTable at_query = rounded_rotary_table(positions, frequencies, formats);
  const RoundedTable at_key = rounded_rotary_table(key_positions, frequencies, formats);
  const PairAddresses at(layout, pairs);
  std::vector<double> scores(positions.size(), 0.0);
  for (std::size_t r = 0; r < scores.size(); ++r) {
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::size_t a = at.first(i), b = at.second(i);
      const std::size_t c = r * pairs + i;
      const Turned q =
          turned(query[a], query[b], at_query.cos[c], at_query.sin[c], formats.vectors);
      const Turned k = turned(key[a], key[b], at_key.cos[c], at_key.sin[c], formats.vectors);
      scores[r] += q.first * k.first + q.second * k.second;
    }
  }
  return scores;
}

std::vector<double> rotary_angle_errors(AngleMethod method, std::span<const double> positions,
                                        std::span<const double> frequencies) {
  const std::size_t pairs = frequencies.size();
  std::vector<double> errors(positions.size() * pairs);
  if (method == AngleMethod::recurrence) {
    require_walkable(positions);
    for (std::size_t i = 0; i < pairs; ++i) {
      recurrence_errors(positions, frequencies[i], errors.data() + i, pairs);
    }
    return errors;
  }
  for (std::size_t r = 0; r < positions.size(); ++r) {
    double* const row = errors.data() + r * pairs;
    if (method == AngleMethod::running_product) {
      running_product_errors(frequencies, positions[r], row);
    } else {
      product_errors(frequencies, positions[r], method == AngleMethod::float_product, row);
    }
  }
  return errors;
}

}  // namespace ropewalk
