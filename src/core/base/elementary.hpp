// Exponentials, logarithms and powers in double, the same bits in every build. The C library's are
// fast by tables that would be a twelfth of the wasm binary; these sum series, in double-double
// where digits would be lost, and err by less than 0.7 units in the last place (the tangent: 3).
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk {

double exponential(double x);
double exponential_base_2(double x);  // exact for whole x
double logarithm(double x);
double logarithm_base_2(double x);           // exact for powers of two
double logarithm_of_1_plus(double x);        // keeps the digits of a small x
double power(double base, double exponent);  // of a base that is not negative
double hyperbolic_tangent(double x);

// base^(-i / steps), i = first ... first + count - 1: the frequencies of every sinusoid and rotation.
std::vector<double> geometric_frequencies(std::size_t count, double base, double steps,
                                          std::size_t first = 0);

}  // namespace ropewalk
