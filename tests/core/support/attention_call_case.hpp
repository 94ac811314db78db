// A call of attention with batches, heads and everything that differs between them, and one head of
// it as a problem of its own: operands and options by plain rules about one query and one key.
#pragma once

#include <optional>

#include "content/prefix_sums.hpp"
#include "support/attention_case.hpp"

namespace ropewalk {

struct AttentionCallCase {
  AttentionShape shape;
  std::vector<float> q, k, v;
  float scale = 1.0f, softcap = 0.0f;
  Band band;
  bool ends_at_last_key = false;
  std::vector<double> key_lengths;  // empty: every key is real
  std::vector<float> row_scale;     // empty: none; per query, per head or per batch
  std::vector<float> sinks;         // empty: none
  std::vector<float> terms, later;  // of prefix sums, per batch, head and key; empty: none
  std::array<std::size_t, 4> bias_extents{}, mask_extents{};
  std::vector<float> bias;         // empty: none
  std::vector<std::uint8_t> mask;  // empty: none
  bool true_attends = true;
  std::vector<float> slopes;  // per head, of a bias by distance; empty: none
  std::optional<PositionMap> map;
  std::vector<double> frequencies;
  RotaryLayout layout = RotaryLayout::interleaved;

  AttentionCallCase(const AttentionShape& shape, std::uint64_t seed)
      : shape(shape),
        q(random_floats(shape.batches * shape.heads * shape.queries * shape.dim, seed)),
        k(random_floats(shape.batches * shape.key_heads * shape.keys * shape.dim, seed + 1)),
        v(random_floats(shape.batches * shape.key_heads * shape.keys * shape.value_dim, seed + 2)),
        scale(static_cast<float>(1 / std::sqrt(double(shape.dim)))) {}

  std::size_t real_keys(std::size_t batch) const {
    return key_lengths.empty() ? shape.keys : std::size_t(key_lengths[batch]);
  }
  // The key at which query 0 of a batch stands.
  std::ptrdiff_t first_query(std::size_t batch) const {
    return ends_at_last_key ? std::ptrdiff_t(real_keys(batch)) - std::ptrdiff_t(shape.queries)
                            : band.offset;
  }
  float distance_bias(std::size_t head, std::ptrdiff_t distance) const {
    return slopes[head] * float(distance < 0 ? distance : 2 * distance);
  }

  // The sum of terms between a key and the query, which stands at key `at`.
  double prefix_bias(std::size_t batch, std::size_t head, std::ptrdiff_t at,
                     std::ptrdiff_t key) const {
    const std::vector<float>& list = key > at && !later.empty() ? later : terms;
    const std::size_t row = (batch * shape.heads + head) * shape.keys;
    double sum = 0;
    for (std::ptrdiff_t t = std::min(at, key) + 1; t <= std::max(at, key); ++t)
      sum += list[row + std::size_t(t)];
    return sum;
  }
  // Whether each query of every batch stands at a key, as prefix sums require.
  bool stands_at_keys() const {
    for (std::size_t b = 0; b < shape.batches; ++b) {
      const std::ptrdiff_t first = first_query(b);
      if (first < 0 || first + std::ptrdiff_t(shape.queries) > std::ptrdiff_t(shape.keys))
        return false;
    }
    return true;
  }

  template <class Values>
  static auto& broadcast(Values& values, const std::array<std::size_t, 4>& extents,
                         std::size_t batch, std::size_t head, std::size_t query, std::size_t key) {
    const auto axis = [&](std::size_t i, std::size_t at) { return extents[i] == 1 ? 0 : at; };
    const std::size_t row =
        (axis(0, batch) * extents[1] + axis(1, head)) * extents[2] + axis(2, query);
    return values[row * extents[3] + axis(3, key)];
  }

  // Number of distances in each head's bias by distance.
  std::size_t distances() const { return shape.queries + shape.keys - 1; }
  std::ptrdiff_t first_distance() const {
    const std::ptrdiff_t first =
        ends_at_last_key ? std::ptrdiff_t(shape.keys) - std::ptrdiff_t(shape.queries) : band.offset;
    return 1 - std::ptrdiff_t(shape.queries) - first;
  }

  // Results for all heads; whatever is not null receives values.
  void attend(const AttentionResults& results, AttentionScratch& scratch) const {
    with_call([&](const AttentionCall& call) { ropewalk::attend(call, results, scratch); });
  }

  // Every head of the tiled path and of the steps beside the reference.
  void compare(Comparison& comparison) const {
    const std::size_t rows = shape.batches * shape.heads * shape.queries;
    const std::vector<float> cells(rows * shape.keys, not_a_number), one(rows, not_a_number),
        outputs(rows * shape.value_dim, not_a_number);
    std::vector<float> tiled = outputs, output = outputs, scores = cells, capped = cells,
                       biased = cells, weights = cells, entropy = one, log_sum_exp = one;
    AttentionScratch scratch;
    attend({.output = tiled.data()}, scratch);
    attend({output.data(), scores.data(), capped.data(), biased.data(), weights.data(),
            entropy.data(), log_sum_exp.data()},
           scratch);
    for (std::size_t index = 0; index < shape.batches * shape.heads; ++index) {
      const auto part = [&](const std::vector<float>& all, std::size_t cols) {
        const auto first = all.begin() + std::ptrdiff_t(index * shape.queries * cols);
        return std::vector<float>(first, first + std::ptrdiff_t(shape.queries * cols));
      };
      const auto matrix = [&](const std::vector<float>& all, std::size_t cols) {
        return Matrix(shape.queries, cols, part(all, cols));
      };
      const AttentionCase own = head(index / shape.heads, index % shape.heads);
      const auto exact = own.expected();
      compare_outputs(comparison, own, matrix(tiled, shape.value_dim), exact);
      compare_steps(comparison, own,
                    {matrix(output, shape.value_dim), matrix(scores, shape.keys),
                     matrix(capped, shape.keys), matrix(biased, shape.keys),
                     matrix(weights, shape.keys), part(entropy, 1), part(log_sum_exp, 1)},
                    exact);
    }
  }

  // use(call). Gradients of the bias and of the bias by distance are added to these, if not null.
  template <class Use>
  void with_call(Use use, float* d_bias = nullptr, float* d_lists = nullptr) const {
    std::vector<float> lists;
    for (std::size_t h = 0; h < slopes.size(); ++h) {
      for (std::size_t i = 0; i < distances(); ++i)
        lists.push_back(distance_bias(h, first_distance() + std::ptrdiff_t(i)));
    }
    const RowSteps steps = RowSteps::of(row_scale.size(), shape.batches, shape.heads, shape.queries,
                                        {.head = shape.queries});
    const RowScale factors({row_scale, steps});
    const Softcap cap(softcap);
    const BooleanMask masked(mask, {mask_extents}, true_attends);
    const Bias added(bias, {bias_extents}, d_bias);
    const DistanceBias by_distance(lists, shape.heads, first_distance(), d_lists);
    std::vector<double> sums(terms.size()), later_sums(later.size());
    prefix_sums(sums, terms, shape.batches * shape.heads, PrefixTerm::number);
    prefix_sums(later_sums, later, shape.batches * shape.heads, PrefixTerm::number);
    const PrefixSumBias of_sums(sums, {}, later_sums);
    std::vector<const ScoreModifier*> modifiers;
    if (!row_scale.empty()) modifiers.push_back(&factors);
    if (softcap != 0.0f) modifiers.push_back(&cap);
    if (!bias.empty()) modifiers.push_back(&added);
    if (!slopes.empty()) modifiers.push_back(&by_distance);
    if (!terms.empty()) modifiers.push_back(&of_sums);
    if (!mask.empty()) modifiers.push_back(&masked);
    AttentionCall call;
    call.shape = shape;
    call.q = HeadsView::contiguous(q.data(), shape.heads, shape.queries, shape.dim);
    call.k = HeadsView::contiguous(k.data(), shape.key_heads, shape.keys, shape.dim);
    call.v = HeadsView::contiguous(v.data(), shape.key_heads, shape.keys, shape.value_dim);
    call.scale = scale;
    call.band = band;
    call.ends_at_last_key = ends_at_last_key;
    call.key_lengths = key_lengths;
    call.modifiers = modifiers;
    call.sinks = sinks;
    AttentionRotary rotary;
    MappedRotations mapped;
    if (map) {
      set_rotations(mapped, *map, call);
      rotary.rotations = mapped.rotations;
      rotary.frequencies = frequencies;
      rotary.layout = layout;
      call.rotary = &rotary;
    }
    use(call);
  }

  // One head, with masks and biases of every kind written out as one bias.
  AttentionCase head(std::size_t batch, std::size_t head) const {
    AttentionCase one(shape.queries, shape.keys, shape.dim, shape.value_dim, 1);
    const std::size_t key_head = batch * shape.key_heads + head / (shape.heads / shape.key_heads);
    const auto part = [](Matrix& to, const std::vector<float>& from, std::size_t at) {
      std::copy_n(from.begin() + std::ptrdiff_t(at * to.values.size()), to.values.size(),
                  to.values.begin());
    };
    part(one.q, q, batch * shape.heads + head);
    part(one.k, k, key_head);
    part(one.v, v, key_head);
    one.scale = scale;
    one.softcap = softcap;
    one.band = band;
    one.band.offset = first_query(batch);
    one.band.key_length = real_keys(batch);
    one.row_scale = row_scale;
    if (row_scale.size() > shape.queries) {
      const std::size_t of_heads = shape.heads * shape.queries;
      const std::size_t row =
          (row_scale.size() > of_heads ? batch * of_heads : 0) + head * shape.queries;
      one.row_scale.assign(row_scale.begin() + std::ptrdiff_t(row),
                           row_scale.begin() + std::ptrdiff_t(row + shape.queries));
    }
    if (!sinks.empty()) one.sink = sinks[head];
    one.bias = Matrix(shape.queries, shape.keys);
    for (std::size_t m = 0; m < shape.queries; ++m) {
      for (std::size_t n = 0; n < shape.keys; ++n) {
        const std::ptrdiff_t at = first_query(batch) + std::ptrdiff_t(m);
        const double sum = terms.empty() ? 0 : prefix_bias(batch, head, at, std::ptrdiff_t(n));
        const double added = bias.empty() ? 0 : broadcast(bias, bias_extents, batch, head, m, n);
        float& total = one.bias.at(m, n) = float(sum + added);
        if (!terms.empty())
          one.bias_terms = std::max(one.bias_terms, std::abs(sum) + std::abs(added));
        if (mask.empty()) continue;
        if ((broadcast(mask, mask_extents, batch, head, m, n) != 0) != true_attends)
          total = -infinity;
      }
    }
    for (std::size_t i = 0; !slopes.empty() && i + 1 < shape.queries + shape.keys; ++i) {
      const std::ptrdiff_t from_query =
          std::ptrdiff_t(i) + 1 - std::ptrdiff_t(shape.queries);  // key - query
      one.distance_bias.push_back(distance_bias(head, from_query - first_query(batch)));
    }
    if (map) one.rotated_product = rotated_product(double(first_query(batch)));
    return one;
  }

 private:
  // The product of a query and a key after the rotation by their relative position.
  AttentionCase::Product rotated_product(double first) const {
    return [first, this](const Matrix& q, const Matrix& k, std::size_t m, std::size_t n) {
      const double at = relative_position(*map, first + double(m), double(n));
      const std::size_t pairs = frequencies.size();
      const bool is_split = layout == RotaryLayout::half_split;
      reference::Sum sum;
      for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t a = is_split ? i : 2 * i, b = is_split ? i + pairs : 2 * i + 1;
        const double qa = q.at(m, a), qb = q.at(m, b), ka = k.at(n, a), kb = k.at(n, b);
        const double angle = at * frequencies[i];
        sum.value += (qa * ka + qb * kb) * std::cos(angle) + (qa * kb - qb * ka) * std::sin(angle);
        sum.magnitude += std::hypot(qa, qb) * std::hypot(ka, kb);
      }
      for (std::size_t d = 2 * pairs; d < q.cols; ++d) {
        sum.value += double(q.at(m, d)) * k.at(n, d);
        sum.magnitude += std::abs(double(q.at(m, d)) * k.at(n, d));
      }
      return sum;
    };
  }
};

}  // namespace ropewalk
