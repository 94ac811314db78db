#include "rotary/angles.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/double_double.hpp"
#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {
namespace {

// The coordinate that rotates each pair of a row.
void gather_coordinates(std::span<double> out, const RotaryAngles& angles, std::size_t row) {
  if (angles.axis_of_pair.empty()) {
    std::ranges::fill(out, angles.coordinates[row]);
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = angles.coordinates[angles.axis_of_pair[i] * angles.rows + row];
  }
}

// x^n by squaring.
DoubleDouble power(DoubleDouble x, std::size_t n) {
  DoubleDouble result{1.0, 0.0};
  for (; n > 0; n /= 2, x = x * x) {
    if (n % 2 == 1) result = result * x;
  }
  return result;
}

}  // namespace

void check_rotary_angles(const RotaryAngles& angles) {
  require(angles.rows > 0 && angles.coordinates.size() % angles.rows == 0,
          "rotary: positions must be a whole number of axes of ", angles.rows, " values, got ",
          angles.coordinates.size());
  const std::size_t axes = angles.coordinates.size() / angles.rows;
  require(axes > 0, "rotary: there must be at least one position");
  for (const double coordinate : angles.coordinates) {
    require(std::abs(coordinate) <= 0x1p53, "rotary: positions must lie within 2^53, got ",
            coordinate);
  }
  for (const double frequency : angles.frequencies) {
    require(std::abs(frequency) <= 0x1p53, "rotary: frequencies must lie within 2^53, got ",
            frequency);
  }
  require(angles.axis_of_pair.empty() || angles.axis_of_pair.size() == angles.pairs(),
          "rotary: every pair must have its axis, got ", angles.axis_of_pair.size(), " axes for ",
          angles.pairs(), " pairs");
  for (const std::size_t axis : angles.axis_of_pair) {
    require(axis < axes, "rotary: a pair belongs to axis ", axis, ", but positions have ", axes);
  }
}

void rotary_angles(DoubleMatrixView out, const RotaryAngles& angles) {
  assert(out.rows == angles.rows && out.cols == angles.pairs());
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::span<double> row = out.row(r);
    gather_coordinates(row, angles, r);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] *= angles.frequencies[i];
  }
}

void rotary_table(DoubleMatrixView cos, DoubleMatrixView sin, const RotaryAngles& angles) {
  assert(cos.rows == angles.rows && cos.cols == angles.pairs());
  std::vector<double> tails(angles.pairs());
  for (std::size_t r = 0; r < cos.rows; ++r) {
    const std::span<double> c = cos.row(r), s = sin.row(r);
    gather_coordinates(c, angles, r);
    for (std::size_t i = 0; i < c.size(); ++i) {
      const double frequency = angles.frequencies[i], product = c[i] * frequency;
      tails[i] = product_error(c[i], frequency, product);
      if (!angles.frequency_tails.empty()) tails[i] += c[i] * angles.frequency_tails[i];
      c[i] = product;
    }
    sincos(c, tails, s, c);
    for (double& value : c) value *= angles.attention_factor;
    for (double& value : s) value *= angles.attention_factor;
  }
}

RotaryRows::RotaryRows(const RotaryAngles& angles) : angles_(angles) {
  if (angles.axis_of_pair.empty()) {
    nearby_.emplace(std::vector(angles.frequencies.begin(), angles.frequencies.end()), angles.rows,
                    angles.attention_factor);
    return;
  }
  row_angles_.resize(angles.pairs());
  row_ = unrotated_ = SinCos(row_angles_);
  std::ranges::fill(unrotated_.cosines, angles.attention_factor);
}

IncrementalSinCos::Sum RotaryRows::sum_at(std::size_t row) {
  if (nearby_) return nearby_->at(angles_.coordinates[row]);
  gather_coordinates(row_angles_, angles_, row);
  for (std::size_t i = 0; i < row_angles_.size(); ++i) row_angles_[i] *= angles_.frequencies[i];
  sincos(row_angles_, row_.sines, row_.cosines);
  return {row_, unrotated_};
}

void RotaryRows::form(MatrixView cos, MatrixView sin, std::size_t first) {
  assert(first + cos.rows <= angles_.rows && cos.cols == angles_.pairs());
  for (std::size_t r = 0; r < cos.rows; ++r) {
    const auto [start, steps] = sum_at(first + r);
    write_sums(start, steps, cos.cols, sin.row(r).data(), cos.row(r).data());
  }
}

ExactFrequencies exact_rotary_frequencies(std::size_t dim, double base) {
  require_even("rotary: dim", dim);
  require_positive("rotary: base", base);
  const std::size_t pairs = dim / 2;
  // The step between neighbours solves step^pairs * base = 1. Newton's method doubles the digits of
  // the double's 15 at each round, and loses few of them to the powers.
  DoubleDouble step{portable::pow(base, -1.0 / static_cast<double>(pairs)), 0.0};
  for (int round = 0; round < 3; ++round) {
    const DoubleDouble product = power(step, pairs) * DoubleDouble{base, 0.0};
    const double excess = (product.head - 1.0) + product.tail;
    step = normalized(step.head, step.tail - step.head * (excess / static_cast<double>(pairs)));
  }
  ExactFrequencies frequencies{std::vector<double>(pairs), std::vector<double>(pairs)};
  for (std::size_t i = 0; i < pairs; ++i) {
    const DoubleDouble frequency = power(step, i);
    frequencies.heads[i] = frequency.head;
    frequencies.tails[i] = frequency.tail;
  }
  return frequencies;
}

std::vector<double> xpos_decays(std::size_t pairs, double gamma) {
  require_positive("xpos: gamma", gamma);
  std::vector<double> decays(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    decays[i] = (static_cast<double>(i) / static_cast<double>(pairs) + gamma) / (1.0 + gamma);
  }
  return decays;
}

void scale_xpos(DoubleMatrixView cos, DoubleMatrixView sin, std::span<const double> positions,
                XposRole role, const XposOptions& options) {
  assert(positions.size() == cos.rows);
  require_positive("xpos: scale_base", options.scale_base);
  std::vector<double> logs = xpos_decays(cos.cols, options.gamma);
  for (double& value : logs) value = portable::log(value);
  // Between e^-87 and e^87 every product with a value of ordinary size is a normal float.
  const double farthest = logs.empty() ? 0.0 : 87.0 / -logs.front() * options.scale_base;
  const double sign = role == XposRole::query ? 1.0 : -1.0;
  for (std::size_t r = 0; r < cos.rows; ++r) {
    const double distance = positions[r] - options.center;
    require(std::abs(distance) <= farthest, "xpos: positions must lie within ", farthest,
            " of center, got ", positions[r], " with center ", options.center);
    for (std::size_t i = 0; i < cos.cols; ++i) {
      const double scale = portable::exp(sign * logs[i] * (distance / options.scale_base));
      cos.row(r)[i] *= scale;
      sin.row(r)[i] *= scale;
    }
  }
}

}  // namespace ropewalk
