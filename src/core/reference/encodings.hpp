// The specification: each family's formula as one plain function in double. Tests compare the core
// with it; nothing of it ships, and it shares no code with what it checks.
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk::reference {

// PE(t, column) of Vaswani et al. 2017, interleaved.
double sinusoidal(double t, std::size_t column, std::size_t dim, double base);

// Row x at position m, pairs (2i, 2i + 1) turned by m base^(-2i / dim).
std::vector<double> rotate_interleaved(const std::vector<double>& x, double m, double base);

// The same with pairs (i, i + dim/2).
std::vector<double> rotate_half_split(const std::vector<double>& x, double m, double base);

// Slope of head 0 ... heads - 1 as the authors' recursion defines it.
std::vector<double> alibi_slopes(std::size_t heads);

}  // namespace ropewalk::reference
