// The element-wise loop of AdamW.
#pragma once

#include <span>

namespace ropewalk {

// The numbers of one step that are the same for all elements of a tensor.
struct AdamWFactors {
  float gradient_scale;
  float keep_first, take_first;    // beta1, 1 - beta1
  float keep_second, take_second;  // beta2, 1 - beta2
  float root_scale;                // 1 / sqrt(1 - beta2^t)
  float epsilon;
  float step_size;  // learning rate / (1 - beta1^t)
  float decay;      // learning rate * weight decay
};

// With g = gradient_scale * gradient, for each element:
//   m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2
//   p -= decay p + step_size m / (root_scale sqrt(v) + epsilon)
// A moment below the smallest normal float becomes 0: arithmetic on subnormal numbers is slow, and
// m of an unused row would stay subnormal, since rounding stops its decay.
void adamw_update(std::span<float> values, std::span<const float> gradients,
                  std::span<float> first_moment, std::span<float> second_moment,
                  const AdamWFactors& factors);

}  // namespace ropewalk
