// The specification of rotary frequencies for longer contexts: pair i of dim values, in plain
// formulas.
#pragma once

#include <cstddef>

namespace ropewalk::reference {

double rotary_frequency(std::size_t i, double dim, double base);

// YaRN's ramp by turns, and by index as shipped (floor, ceil and clamp included).
double yarn_published(std::size_t i, double dim, double base, double original_length,
                      double factor);
double yarn_coded(std::size_t i, double dim, double base, double original_length, double factor,
                  bool truncate);

// Meta's three cases by wavelength.
double llama3(std::size_t i, double dim, double base, double original_length, double factor,
              double low, double high);

}  // namespace ropewalk::reference
