#include "kernels/rotate_pairs.hpp"

#include <cassert>

#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

void rotate_one(float& a, float& b, float cos, float sin) {
  const float turned = a * cos - b * sin;
  b = a * sin + b * cos;
  a = turned;
}

}  // namespace

void rotate_interleaved_pairs(std::span<float> row, std::span<const float> cos,
                              std::span<const float> sin) {
  assert(row.size() == 2 * cos.size() && cos.size() == sin.size());
  for (std::size_t i = 0; i < cos.size(); ++i) {
    rotate_one(row[2 * i], row[2 * i + 1], cos[i], sin[i]);
  }
}

void rotate_split_pairs(std::span<float> row, std::span<const float> cos,
                        std::span<const float> sin) {
  assert(row.size() == 2 * cos.size() && cos.size() == sin.size());
  float* first = row.data();
  float* second = row.data() + cos.size();
  for_lanes(
      cos.size(),
      [&](std::size_t i) {
        const Lanes a = load(first + i), b = load(second + i);
        const Lanes c = load(&cos[i]), s = load(&sin[i]);
        store(first + i, a * c - b * s);
        store(second + i, multiply_add(a, s, b * c));
      },
      [&](std::size_t i) { rotate_one(first[i], second[i], cos[i], sin[i]); });
}

}  // namespace ropewalk
