#include "attention/rotations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace ropewalk {
namespace {

void rotate_by(std::span<const Heads> all, const AttentionRotary& rotary,
               const RowLists<double>& list) {
  const RotaryLayouts layouts{rotary.layout, rotary.layout};
  if (rotary.angle_pairs > 0) return rotate_heads(all, list, rotary.angle_pairs, layouts);
  const RotaryAngles angles{.rows = list.values.size(),
                            .coordinates = list.values,
                            .frequencies = rotary.frequencies,
                            .attention_factor = rotary.attention_factor,
                            .steps = list.steps};
  rotate_heads(all, angles, layouts);
}

// Copies of q and k, each under one rotation.
class Rotator {
 public:
  Rotator(const AttentionCall& call, std::vector<float>& copies)
      : call_(call), rotary_(*call.rotary) {
    copies.resize(copies_of(rotary_.q) * q_size() + copies_of(rotary_.k) * k_size());
    next_ = copies.data();
  }

  void fill(std::span<RotatedQK> rotated) {
    const AttentionShape& shape = call_.shape;
    const std::span<const Rotation> rotations = rotary_.rotations;
    for (std::size_t r = 0; r < rotations.size(); ++r) {
      const bool is_last = r + 1 == rotations.size();
      float* const q = is_last && rotary_.q ? rotary_.q : std::exchange(next_, next_ + q_size());
      float* const k = is_last && rotary_.k ? rotary_.k : std::exchange(next_, next_ + k_size());
      const Heads both[] = {copied(q, call_.q, shape.heads, shape.queries),
                            copied(k, call_.k, shape.key_heads, shape.keys)};
      const auto& [of_q, of_k, first_keys] = rotations[r];
      const bool share = shape.queries == shape.keys && of_q.steps == of_k.steps &&
                         of_q.values.data() == of_k.values.data();
      rotate_by(std::span(both).first(share ? 2 : 1), rotary_, of_q);
      if (!share) rotate_by(std::span(both).last(1), rotary_, of_k);
      rotated[r] = {HeadsView::contiguous(q, shape.heads, shape.queries, shape.dim),
                    HeadsView::contiguous(k, shape.key_heads, shape.keys, shape.dim), first_keys};
    }
  }

 private:
  std::size_t copies_of(const float* room) const {
    return rotary_.rotations.size() - (room ? 1 : 0);
  }
  std::size_t q_size() const {
    return call_.shape.batches * call_.shape.heads * call_.shape.queries * call_.shape.dim;
  }
  std::size_t k_size() const {
    return call_.shape.batches * call_.shape.key_heads * call_.shape.keys * call_.shape.dim;
  }

  Heads copied(float* to, const HeadsView& x, std::size_t heads, std::size_t length) const {
    const std::size_t batches = call_.shape.batches, dim = call_.shape.dim;
    const Heads copy{to, batches, heads, length, dim};
    for (std::size_t b = 0; b < batches && copy.data != x.data; ++b) {
      for (std::size_t h = 0; h < heads; ++h) {
        for (std::size_t r = 0; r < length; ++r) {
          to = std::copy_n(x.head(b, h) + r * x.row_step, dim, to);
        }
      }
    }
    return copy;
  }

  const AttentionCall& call_;
  const AttentionRotary& rotary_;
  float* next_;
};

}  // namespace

std::size_t rotate_queries_and_keys(std::span<RotatedQK> rotated, const AttentionCall& call,
                                    std::vector<float>& copies) {
  if (!call.rotary) {
    rotated[0] = {call.q, call.k, {}};
    return 1;
  }
  const std::size_t count = call.rotary->rotations.size();
  Rotator(call, copies).fill(rotated.first(count));
  return count;
}

void rotate_gradient_back(const Heads& gradient, const AttentionRotary& rotary,
                          const RowLists<double>& positions) {
  std::vector<double> opposite(positions.values.size());
  std::ranges::transform(positions.values, opposite.begin(), std::negate());
  rotate_by({&gradient, 1}, rotary, {opposite, positions.steps});
}

void set_rotations(MappedRotations& mapped, const PositionMap& map, const AttentionCall& call) {
  const RowSteps steps{call.ends_at_last_key && !call.key_lengths.empty() ? call.shape.queries : 0};
  const std::size_t batches = steps.batch == 0 ? 1 : call.shape.batches;
  const std::size_t count = map.rotations(), keys = call.shape.keys,
                    rows = batches * call.shape.queries;
  mapped.rotations.resize(count);
  mapped.positions.resize(count * (rows + keys));
  mapped.first_keys.resize((count - 1) * rows);
  double* position = mapped.positions.data();
  std::uint32_t* first_key = mapped.first_keys.data();
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t bounded = r + 1 == count ? 0 : rows;
    mapped.rotations[r] = {
        {{position, rows}, steps}, {{position + rows, keys}}, {{first_key, bounded}, steps}};
    for (std::size_t b = 0; b < batches; ++b) {
      const double first = static_cast<double>(first_query(call, b));
      for (std::size_t i = 0; i < call.shape.queries; ++i) {
        const double at = first + static_cast<double>(i);
        *position++ = map.query(r, at);
        if (bounded == 0) continue;
        const double key = std::ceil(map.first_key(r, at));
        *first_key++ = static_cast<std::uint32_t>(std::clamp(key, 0.0, static_cast<double>(keys)));
      }
    }
    for (std::size_t n = 0; n < keys; ++n) *position++ = map.key(r, static_cast<double>(n));
  }
}

}  // namespace ropewalk
