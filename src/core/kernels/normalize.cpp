#include "kernels/normalize.hpp"

#include <cassert>
#include <cmath>

#include "kernels/dot.hpp"
#include "kernels/lane_groups.hpp"

namespace ropewalk {
namespace {

// n = (x - center) * factor + offset. Two numbers stand for the mean: x - center is exact where x
// is near it, and the offset holds what rounding took from the mean.
struct Normalization {
  float center = 0.0f, factor, offset = 0.0f;
};

float inverse_root(double mean_square, float epsilon) {
  return static_cast<float>(1.0 / std::sqrt(mean_square + double(epsilon)));
}

float sum_of(std::span<const float> values) {
  Lanes sum(0.0f);
  for_lane_groups(values.size(), [&](auto group, std::size_t i) { sum += group.load(&values[i]); });
  return xsimd::reduce_add(sum);
}

// The variance by two passes, corrected by what the second finds left of the mean (Chan, Golub,
// LeVeque 1983, equation 1.7).
Normalization standardization(std::span<const float> x, float epsilon) {
  const double count = static_cast<double>(x.size());
  const float center = static_cast<float>(double(sum_of(x)) / count);
  Lanes sum(0.0f), squares(0.0f);
  float rest = 0.0f, rest_squares = 0.0f;
  for_lanes(
      x.size(),
      [&](std::size_t i) {
        const Lanes deviation = load(&x[i]) - Lanes(center);
        sum += deviation;
        squares = multiply_add(deviation, deviation, squares);
      },
      [&](std::size_t i) {
        const float deviation = x[i] - center;
        rest += deviation;
        rest_squares += deviation * deviation;
      });
  const double left = double(xsimd::reduce_add(sum) + rest) / count;
  const double square = double(xsimd::reduce_add(squares) + rest_squares) / count;
  const float factor = inverse_root(square - left * left, epsilon);
  return {center, factor, static_cast<float>(-left * double(factor))};
}

Normalization normalization_of(std::span<const float> x, const RowNorm& norm) {
  if (!norm.bias.empty()) return standardization(x, norm.epsilon);
  return {.factor = inverse_root(double(dot(x, x)) / double(x.size()), norm.epsilon)};
}

// The same in lanes.
class Normalizer {
 public:
  explicit Normalizer(Normalization n) : center_(n.center), factor_(n.factor), offset_(n.offset) {}

  Lanes operator()(Lanes x) const { return multiply_add(x - center_, factor_, offset_); }

 private:
  Lanes center_, factor_, offset_;
};

}  // namespace

void normalize_row(std::span<float> y, std::span<const float> x, const RowNorm& norm) {
  assert(y.size() == x.size() && norm.gain.size() == x.size());
  const Normalizer normalized(normalization_of(x, norm));
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes bias = norm.bias.empty() ? Lanes(0.0f) : group.load(&norm.bias[i]);
    group.store(&y[i],
                multiply_add(normalized(group.load(&x[i])), group.load(&norm.gain[i]), bias));
  });
}

void normalize_row_backward(std::span<float> d_x, const RowNormGradients& d,
                            std::span<const float> d_y, std::span<const float> x,
                            const RowNorm& norm) {
  assert(d_x.size() == x.size() && d_y.size() == x.size() && d.gain.size() == x.size());
  assert(d.bias.size() == norm.bias.size());
  const Normalization normalization = normalization_of(x, norm);
  const Normalizer normalized(normalization);
  Lanes sum(0.0f), products(0.0f);
  // y = n gain + bias
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes upstream = group.load(&d_y[i]), n = normalized(group.load(&x[i]));
    const Lanes a = upstream * group.load(&norm.gain[i]);
    sum += a;
    products = multiply_add(a, n, products);
    group.store(&d.gain[i], multiply_add(upstream, n, group.load(&d.gain[i])));
    if (!d.bias.empty()) group.store(&d.bias[i], upstream + group.load(&d.bias[i]));
  });
  const float count = static_cast<float>(x.size());
  const Lanes mean(norm.bias.empty() ? 0.0f : xsimd::reduce_add(sum) / count);
  const Lanes mean_product(-xsimd::reduce_add(products) / count), factor(normalization.factor);
  // n = (x - center) factor
  for_lane_groups(x.size(), [&](auto group, std::size_t i) {
    const Lanes n = normalized(group.load(&x[i]));
    const Lanes a = group.load(&d_y[i]) * group.load(&norm.gain[i]);
    group.store(&d_x[i], multiply_add(n, mean_product, a - mean) * factor);
  });
}

}  // namespace ropewalk
