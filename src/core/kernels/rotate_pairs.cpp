#include "kernels/rotate_pairs.hpp"

#include <cassert>
#include <cstdint>

#include "kernels/lanes.hpp"

namespace ropewalk {
namespace {

// Four heads fill the memory pipeline; more run into the associativity of the first-level cache.
constexpr std::size_t heads_together = 4;

// A layout has the indices of the values of a pair, and rotates pairs i ... i + Lanes::size - 1.
struct Split {
  static std::size_t a(std::size_t i, std::size_t) { return i; }
  static std::size_t b(std::size_t i, std::size_t pairs) { return i + pairs; }

  struct Turn {
    Lanes c, s;
    Turn(const float* cos, const float* sin) : c(load(cos)), s(load(sin)) {}

    void apply(float* row, std::size_t i, std::size_t pairs) const {
      const Lanes a = load(row + i), b = load(row + i + pairs);
      store(row + i, multiply_add(b, -s, a * c));
      store(row + i + pairs, multiply_add(a, s, b * c));
    }
  };
};

struct Interleaved {
  static std::size_t a(std::size_t i, std::size_t) { return 2 * i; }
  static std::size_t b(std::size_t i, std::size_t) { return 2 * i + 1; }

  struct Neighbour {
    static constexpr unsigned get(unsigned i, unsigned) { return i ^ 1; }
  };

  // a b a' b' ... times c c c' c' ..., plus b a b' a' ... times -s s -s' s' ...
  struct Turn {
    Lanes c_low, c_high, s_low, s_high;
    Turn(const float* cos, const float* sin) {
      const Lanes c = load(cos), s = load(sin);
      c_low = xsimd::zip_lo(c, c), c_high = xsimd::zip_hi(c, c);
      s_low = xsimd::zip_lo(-s, s), s_high = xsimd::zip_hi(-s, s);
    }

    void apply(float* row, std::size_t i, std::size_t) const {
      const auto swapped = xsimd::make_batch_constant<std::uint32_t, Neighbour>();
      float *low = row + 2 * i, *high = low + Lanes::size;
      const Lanes x = load(low), y = load(high);
      store(low, multiply_add(xsimd::swizzle(x, swapped), s_low, x * c_low));
      store(high, multiply_add(xsimd::swizzle(y, swapped), s_high, y * c_high));
    }
  };
};

template <class Layout, std::size_t heads>
void rotate_row(float* row, std::size_t head_step, const float* cos, const float* sin,
                std::size_t pairs) {
  for_lanes(
      pairs,
      [&](std::size_t i) {
        const typename Layout::Turn turn(cos + i, sin + i);
        for (std::size_t h = 0; h < heads; ++h) turn.apply(row + h * head_step, i, pairs);
      },
      [&](std::size_t i) {
        for (std::size_t h = 0; h < heads; ++h) {
          float& a = row[h * head_step + Layout::a(i, pairs)];
          float& b = row[h * head_step + Layout::b(i, pairs)];
          const float rotated = multiply_add(b, -sin[i], a * cos[i]);
          b = multiply_add(a, sin[i], b * cos[i]);
          a = rotated;
        }
      });
}

template <class Layout, std::size_t heads>
void rotate_heads(float* data, const HeadRows& x, ConstMatrixView cos, ConstMatrixView sin) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    rotate_row<Layout, heads>(data + r * x.row_step, x.head_step, cos.data + r * cos.stride,
                              sin.data + r * sin.stride, cos.cols);
  }
}

template <class Layout>
void rotate_all(const HeadRows& x, ConstMatrixView cos, ConstMatrixView sin) {
  // A table without pairs has no rows that could be counted.
  assert(cos.cols == sin.cols && (cos.cols == 0 || (cos.rows >= x.rows && sin.rows >= x.rows)));
  std::size_t head = 0;
  for (; head + heads_together <= x.heads; head += heads_together) {
    rotate_heads<Layout, heads_together>(x.data + head * x.head_step, x, cos, sin);
  }
  for (; head < x.heads; ++head) rotate_heads<Layout, 1>(x.data + head * x.head_step, x, cos, sin);
}

}  // namespace

void rotate_interleaved_pairs(const HeadRows& x, ConstMatrixView cos, ConstMatrixView sin) {
  rotate_all<Interleaved>(x, cos, sin);
}

void rotate_split_pairs(const HeadRows& x, ConstMatrixView cos, ConstMatrixView sin) {
  rotate_all<Split>(x, cos, sin);
}

}  // namespace ropewalk
