#include "training/adamw.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "kernels/lanes.hpp"
#include "reference/training.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Tensor {
  std::vector<float> values, gradients, first_moment, second_moment;

  explicit Tensor(std::size_t count)
      : values(random_floats(count, 1)),
        gradients(count),
        first_moment(count, 0.0f),
        second_moment(count, 0.0f) {}

  void step(double learning_rate, double weight_decay, double scale, std::uint64_t step,
            const AdamW& options = {}) {
    adamw_step(values, gradients, first_moment, second_moment, options, learning_rate, weight_decay,
               scale, step);
  }
};

// Several steps of one tensor beside the reference. Each step costs a moment 4 roundings, and the
// update 12 of its own size; the value itself is rounded once.
void check_steps(std::size_t count, int steps, double weight_decay, double scale,
                 const AdamW& options) {
  Tensor tensor(count);
  std::vector<reference::AdamWParameter> expected(count);
  for (std::size_t i = 0; i < count; ++i) expected[i].value = tensor.values[i];
  std::vector<double> bounds(count, 0.0);
  for (int t = 1; t <= steps; ++t) {
    const double learning_rate = 0.01 / t;
    tensor.gradients = random_floats(count, 100 + std::uint64_t(t));
    // Gradients keep their sign: where moments cancel, no relative bound would hold.
    for (float& gradient : tensor.gradients) gradient = std::abs(gradient) * 1e-3f + 1e-4f;
    for (std::size_t i = 0; i < count; ++i) {
      const double before = expected[i].value;
      reference::adamw(expected[i], tensor.gradients[i] * scale,
                       {options.beta1, options.beta2, options.epsilon, learning_rate, weight_decay},
                       t);
      bounds[i] +=
          rounding * (std::abs(before) + (4.0 * t + 12) * std::abs(expected[i].value - before));
    }
    tensor.step(learning_rate, weight_decay, scale, std::uint64_t(t), options);
  }
  Comparison values, moments;
  for (std::size_t i = 0; i < count; ++i) {
    values.add(tensor.values[i], expected[i].value, bounds[i]);
    const double bound = rounding * (4.0 * steps + 4);
    moments.add(tensor.first_moment[i], expected[i].first_moment, bound * expected[i].first_moment);
    moments.add(tensor.second_moment[i], expected[i].second_moment,
                2 * bound * expected[i].second_moment);
  }
  CHECK_THAT(values, WithinBounds());
  CHECK_THAT(moments, WithinBounds());
}

}  // namespace

TEST_CASE("AdamW agrees with its reference over several steps, at every length") {
  const std::size_t count = GENERATE(range<std::size_t>(0, 4 * Lanes::size + 2));
  const int steps = GENERATE(1, 5, 40);
  check_steps(count, steps, 0.1, 1.0, {});
  check_steps(count, steps, 0.0, 0.25, {});
  check_steps(count, steps, 0.1, 1.0, {.beta1 = 0.5, .beta2 = 0.999, .epsilon = 1e-3});
  check_steps(count, steps, 0.1, 1.0, {.beta1 = 0.0, .beta2 = 0.0, .epsilon = 1e-8});
}

TEST_CASE("the first step moves each value by the learning rate against its gradient's sign") {
  Tensor tensor(5);
  const auto before = tensor.values;
  tensor.gradients = {1e-3f, -1e-3f, 7.0f, -7.0f, 0.0f};
  tensor.step(0.01, 0.0, 1.0, 1);
  const double moves[] = {-0.01, 0.01, -0.01, 0.01, 0.0};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK_THAT(double(tensor.values[i]) - before[i], WithinAbs(moves[i], 1e-6));
  }
}

TEST_CASE("weight decay shrinks a value without a gradient, and leaves its moments at 0") {
  Tensor tensor(6);
  const auto before = tensor.values;
  tensor.step(0.5, 0.1, 1.0, 3);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK_THAT(tensor.values[i], WithinRel(0.95 * before[i], 2 * rounding));
    CHECK((tensor.first_moment[i] == 0.0f && tensor.second_moment[i] == 0.0f));
  }
  Tensor unused(6);
  unused.step(0.5, 0.0, 1.0, 3);
  CHECK(unused.values == before);
}

TEST_CASE("a late step needs no bias correction and does not overflow") {
  Tensor tensor(4);
  const auto before = tensor.values;
  tensor.gradients = {1.0f, 1.0f, 1.0f, 1.0f};
  tensor.first_moment = tensor.second_moment = tensor.gradients;
  tensor.step(0.01, 0.0, 1.0, std::uint64_t(1) << 40);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK_THAT(double(tensor.values[i]), WithinAbs(before[i] - 0.01, 1e-6));
  }
}

TEST_CASE("moments without gradients reach 0 and do not stay subnormal; NaN stays NaN") {
  Tensor tensor(3);
  tensor.gradients = {1.0f, -1e-30f, std::numeric_limits<float>::quiet_NaN()};
  tensor.step(0.0, 0.0, 1.0, 1);
  CHECK(tensor.second_moment[1] == 0.0f);
  tensor.gradients = {0.0f, 0.0f, 0.0f};
  for (std::uint64_t t = 2; t < 2000; ++t) {
    tensor.step(0.0, 0.0, 1.0, t);
    for (std::size_t i = 0; i < 2; ++i) {
      const float m = tensor.first_moment[i], v = tensor.second_moment[i];
      if ((m != 0.0f && !std::isnormal(m)) || (v != 0.0f && !std::isnormal(v))) FAIL(t);
    }
  }
  CHECK((tensor.first_moment[0] == 0.0f && tensor.second_moment[0] == 0.0f));
  CHECK(tensor.first_moment[1] == 0.0f);
  CHECK((std::isnan(tensor.first_moment[2]) && std::isnan(tensor.values[2])));
}

TEST_CASE("the gradient norm is the 2-norm, summed in double") {
  for (std::size_t count = 0; count < 20; ++count) {
    const auto gradients = random_floats(count, count + 1);
    double squares = 0;
    for (const float value : gradients) squares += double(value) * value;
    CHECK_THAT(gradient_norm(gradients), WithinAbs(std::sqrt(squares), 1e-14));
  }
  std::vector<float> many(100'001, 1e-4f);  // a sum in float would lose these beside the first
  many[0] = 1e4f;
  const double small = many[1];
  CHECK_THAT(gradient_norm(many), WithinRel(std::sqrt(1e8 + 100'000 * small * small), 1e-12));
  CHECK_THAT(gradient_norm(std::vector{3e38f, 3e38f}), WithinRel(3e38 * std::sqrt(2.0), 1e-7));
}

TEST_CASE("clipping leaves a norm below the limit alone and scales a greater one to it") {
  CHECK(clip_scale(0.0, 1.0) == 1.0);
  CHECK(clip_scale(0.5, 1.0) == 1.0);
  CHECK_THAT(clip_scale(4.0, 1.0), WithinAbs(1.0 / (4.0 + 1e-6), 1e-15));
  CHECK_THAT(clip_scale(4.0, 0.5), WithinAbs(0.5 / (4.0 + 1e-6), 1e-15));
  CHECK(clip_scale(1.0, 1.0) == 1.0 / (1.0 + 1e-6));  // 1e-6 counts here too
  CHECK(std::isnan(clip_scale(std::nan(""), 1.0)));
  CHECK_THROWS_MATCHES(clip_scale(1.0, 0.0), std::invalid_argument,
                       Message("clip_scale: max_norm must be positive and finite, got 0"));
}

TEST_CASE("a gradient norm that is NaN shows in every value") {
  Tensor tensor(5);
  tensor.step(0.01, 0.0, clip_scale(std::nan(""), 1.0), 1);
  for (const float value : tensor.values) CHECK(std::isnan(value));
}

TEST_CASE("AdamW names the span that does not fit and the number that is out of range") {
  Tensor tensor(4);
  const auto before = tensor.values;
  const auto check = [&](const char* text, double learning_rate = 0.1, double weight_decay = 0.1,
                         double scale = 1.0, std::uint64_t step = 1, const AdamW& options = {}) {
    CHECK_THROWS_MATCHES(tensor.step(learning_rate, weight_decay, scale, step, options),
                         std::invalid_argument, Message(text));
    CHECK(tensor.values == before);
  };
  SECTION("gradients") {
    tensor.gradients.pop_back();
    check("adamw_step: gradients must have 4 values, got 3");
  }
  SECTION("first moment") {
    tensor.first_moment.pop_back();
    check("adamw_step: first_moment must have 4 values, got 3");
  }
  SECTION("second moment") {
    tensor.second_moment.push_back(0.0f);
    check("adamw_step: second_moment must have 4 values, got 5");
  }
  SECTION("numbers") {
    check("adamw_step: learning_rate must be at least 0 and finite, got -0.1", -0.1);
    check("adamw_step: weight_decay must be at least 0 and finite, got inf", 0.1, infinity);
    check("adamw_step: gradient_scale must not be negative, got -1", 0.1, 0.1, -1.0);
    check("adamw_step: step must be at least 1 and finite, got 0", 0.1, 0.1, 1.0, 0);
    check("adamw_step: beta1 must be from 0 to less than 1, got 1", 0.1, 0.1, 1.0, 1,
          {.beta1 = 1.0});
    check("adamw_step: beta2 must be from 0 to less than 1, got -0.5", 0.1, 0.1, 1.0, 1,
          {.beta2 = -0.5});
    check("adamw_step: epsilon must be positive and finite, got 0", 0.1, 0.1, 1.0, 1,
          {.epsilon = 0.0});
  }
}
