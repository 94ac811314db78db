// Fourier features (Jaegle et al. 2021, Perceiver, section 3.2): sines and cosines of a coordinate
// in [-1, 1] on every axis, at `bands` frequencies spread evenly from 1 to half its resolution.
//
//   sin(pi f_b x_a), cos(pi f_b x_a)    f_b = 1 + (resolution_a / 2 - 1) b / (bands - 1)
//
// A row holds the coordinates themselves, all sines (axis by axis, band by band), all cosines.
#pragma once

#include <cstddef>
#include <span>

#include "base/matrix_view.hpp"

namespace ropewalk {

struct FourierOptions {
  std::size_t bands = 1;
  bool with_coordinates = true;
  bool sines_only = false;
};

// Values of a row: (with_coordinates ? axes : 0) + axes * bands * (sines_only ? 1 : 2).
std::size_t fourier_width(std::size_t axes, const FourierOptions& options);

// coordinates: points x axes, row after row   resolution: one per axis   table: (points, width).
// Throws std::invalid_argument on no axes or bands, or shapes that do not fit.
void fourier_features(MatrixView table, std::span<const double> coordinates,
                      std::span<const double> resolution, const FourierOptions& options);

}  // namespace ropewalk
