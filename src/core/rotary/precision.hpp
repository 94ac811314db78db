// Errors of rotary positions when a stage is rounded to a narrow format, or when angles are
// computed in float.
#pragma once

#include <span>
#include <vector>

#include "base/number_format.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk {

// The format of each stage; every stage computes in double and rounds its result once.
struct RotaryFormats {
  NumberFormat position = NumberFormat::f64;
  NumberFormat frequency = NumberFormat::f64;
  NumberFormat angle = NumberFormat::f64;
  NumberFormat table = NumberFormat::f64;    // cos and sin
  NumberFormat vectors = NumberFormat::f64;  // queries and keys, before and after rotation
};

struct RoundedTable {
  std::vector<double> angles, cos, sin;  // positions x frequencies
};

RoundedTable rounded_rotary_table(std::span<const double> positions,
                                  std::span<const double> frequencies,
                                  const RotaryFormats& formats);

// The score of a query at positions[r] with a key `distance` before it, for each r: with exact
// rotation every score is the same. The product is summed in double.
// Throws std::invalid_argument unless query and key have two values per frequency.
std::vector<double> rounded_rotary_scores(std::span<const double> query,
                                          std::span<const double> key,
                                          std::span<const double> positions, double distance,
                                          std::span<const double> frequencies, RotaryLayout layout,
                                          const RotaryFormats& formats);

// Ways in which kernels compute the angle of a pair.
enum class AngleMethod {
  double_product,   // position times frequency in double: this library
  float_product,    // both and their product in float: Hugging Face, vLLM
  running_product,  // angle *= base^(-2 / dim) from pair to pair, in float: ggml
  recurrence        // (cos, sin) rotated by one step per position, in float: no trigonometry
};

// The error of each angle in radians, against the exact product: positions x frequencies.
// running_product takes its ratio from the first two frequencies; recurrence needs positions that
// are whole numbers from 0 to 2^24, and steps from one to the next in ascending order.
// Throws std::invalid_argument when they are not.
std::vector<double> rotary_angle_errors(AngleMethod method, std::span<const double> positions,
                                        std::span<const double> frequencies);

}  // namespace ropewalk
