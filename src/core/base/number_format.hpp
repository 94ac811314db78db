// Rounding to narrow floating-point formats.
#pragma once

namespace ropewalk {

enum class NumberFormat { f64, f32, f16, bf16 };

// Returns the nearest number of the format, ties to even, with subnormals, signed zeros and NaN.
// Numbers beyond the largest one plus half a step become infinity. Rounds once, from double.
double rounded_to(NumberFormat format, double value);

}  // namespace ropewalk
