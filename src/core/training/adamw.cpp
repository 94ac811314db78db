#include "training/adamw.hpp"

#include <cmath>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/adamw.hpp"

namespace ropewalk {
namespace {

void require_length(const char* what, std::size_t expected, std::size_t length) {
  require(length == expected, what, " must have ", expected, " values, got ", length);
}

void require_beta(const char* what, double beta) {
  require(beta >= 0.0 && beta < 1.0, what, " must be from 0 to less than 1, got ", beta);
}

}  // namespace

void adamw_step(std::span<float> values, std::span<const float> gradients,
                std::span<float> first_moment, std::span<float> second_moment, const AdamW& options,
                double learning_rate, double weight_decay, double gradient_scale,
                std::uint64_t step) {
  require_length("adamw_step: gradients", values.size(), gradients.size());
  require_length("adamw_step: first_moment", values.size(), first_moment.size());
  require_length("adamw_step: second_moment", values.size(), second_moment.size());
  require_beta("adamw_step: beta1", options.beta1);
  require_beta("adamw_step: beta2", options.beta2);
  require_positive("adamw_step: epsilon", options.epsilon);
  require_at_least("adamw_step: learning_rate", 0.0, learning_rate);
  require_at_least("adamw_step: weight_decay", 0.0, weight_decay);
  // NaN passes: gradients that are NaN have such a norm, and the values show it.
  require(!(gradient_scale < 0.0), "adamw_step: gradient_scale must not be negative, got ",
          gradient_scale);
  require_at_least("adamw_step: step", 1.0, static_cast<double>(step));

  const double t = static_cast<double>(step);
  const double first = 1.0 - portable::pow(options.beta1, t);
  const double second = 1.0 - portable::pow(options.beta2, t);
  adamw_update(values, gradients, first_moment, second_moment,
               {.gradient_scale = static_cast<float>(gradient_scale),
                .keep_first = static_cast<float>(options.beta1),
                .take_first = static_cast<float>(1.0 - options.beta1),
                .keep_second = static_cast<float>(options.beta2),
                .take_second = static_cast<float>(1.0 - options.beta2),
                .root_scale = static_cast<float>(1.0 / std::sqrt(second)),
                .epsilon = static_cast<float>(options.epsilon),
                .step_size = static_cast<float>(learning_rate / first),
                .decay = static_cast<float>(learning_rate * weight_decay)});
}

double gradient_norm(std::span<const float> all) {
  // Four sums, since each addition waits for the one before in its sum.
  double sums[4] = {};
  for (std::size_t i = 0; i < all.size(); ++i) sums[i % 4] += double(all[i]) * double(all[i]);
  return std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

double clip_scale(double norm, double max_norm) {
  require_positive("clip_scale: max_norm", max_norm);
  const double scale = max_norm / (norm + 1e-6);
  return scale > 1.0 ? 1.0 : scale;
}

}  // namespace ropewalk
