// The logistic function.
#pragma once

#include <span>

namespace ropewalk {

// to[i] = 1 / (1 + exp(-x[i])), relative error below 4e-7; NaN stays NaN.
void sigmoid(std::span<float> to, std::span<const float> x);

}  // namespace ropewalk
