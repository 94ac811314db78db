// The specification of input encodings, in plain formulas in double. Tests compare the core with
// it; it does not ship and shares no code with the core.
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk::reference {

// PE(t, column) of Vaswani et al. 2017, interleaved.
double sinusoidal(double t, std::size_t column, std::size_t dim, double base);

// sin(t 2^-dial), sin(t base^(-dial / (dim - 1))) and sin(t base^(-dial / dim)).
double halving_dial(double t, std::size_t dial);
double dial_to_base(double t, std::size_t dial, std::size_t dim, double base);
double dial_below_base(double t, std::size_t dial, std::size_t dim, double base);

using Rows = std::vector<std::vector<double>>;

// h(t) = f(x(t) W + h(t-1) U + b) for every t.
Rows recurrent(const Rows& x, const Rows& w, const Rows& u, const std::vector<double>& b,
               std::vector<double> state, double (*f)(double));

// Column `channel` of MAE's vector of a cell: sines then cosines of the column, then of the row.
double grid(std::size_t row, std::size_t column, std::size_t channel, std::size_t dim);

// Channel of DETR's pixel whose coordinates are y and x: sine and cosine alternate, y before x.
double pixel(double y, double x, std::size_t channel, std::size_t dim, double base);

}  // namespace ropewalk::reference
