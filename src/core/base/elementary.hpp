// Elementary functions in double that give the same bits in every build. The C library's versions
// use tables that would be a twelfth of the wasm binary. These sum series, in double-double where
// digits would be lost; the error is below 0.7 units in the last place (tanh: 3).
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk {

// Named as in <cmath>. pow takes a base that is not negative; exp2 is exact for whole x, log2 for
// powers of two.
namespace portable {
double exp(double x);
double exp2(double x);
double log(double x);
double log2(double x);
double log1p(double x);
double pow(double base, double exponent);
double tanh(double x);
}  // namespace portable

// base^(-i / steps), i = first ... first + count - 1: the frequencies of every sinusoid and
// rotation.
std::vector<double> geometric_frequencies(std::size_t count, double base, double steps,
                                          std::size_t first = 0);

}  // namespace ropewalk
