// A position's sinusoid is its expansion in base beta = base^(2 / dim), digit by digit
// (Su, kexue.fm/archives/9675):
//
//   digit i = floor(t / beta^i) mod beta      dial i = t / beta^i mod 2 pi
//
// since t / beta^i = t f_i is exactly the angle of pair i. A digit starts over after beta steps, a
// dial after 2 pi radians; each is beta times slower than the one before it.
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk {

struct PositionDigits {
  double beta = 0.0;
  std::vector<double> digits;  // least significant first, in [0, beta)
  std::vector<double> dials;   // radians in [0, 2 pi)
};

// Throws std::invalid_argument on an odd dim, a base of at most 1, or a negative position.
PositionDigits position_digits(double position, std::size_t dim, double base = 10000.0);

}  // namespace ropewalk
