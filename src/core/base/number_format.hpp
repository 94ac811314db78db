// What narrow floating-point formats make of a number.
#pragma once

namespace ropewalk {

enum class NumberFormat { f64, f32, f16, bf16 };

// The nearest number of the format, ties to even: subnormals, signed zeros and NaN included; beyond
// the largest number plus half a step, infinity. Rounded once, straight from double.
double rounded_to(NumberFormat format, double value);

}  // namespace ropewalk
