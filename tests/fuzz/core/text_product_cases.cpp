// Schemes inside the dot product and in place of the softmax.
#include <numbers>
#include <utility>

#include "content/path.hpp"
#include "content/polar.hpp"
#include "content/stick_breaking.hpp"
#include "content/wall.hpp"
#include "fuzz/core/text_problem.hpp"
#include "kernels/stick_breaking.hpp"
#include "reference/attention.hpp"

namespace ropewalk::fuzz {
namespace {

void path(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const std::size_t dim = problem.shape.dim, keys = problem.shape.keys;
  const auto w = problem.add("w", draws, problem.key_rows() * dim),
             betas = problem.add("betas", draws, problem.key_rows());
  for (std::size_t row = 0; row < betas.size(); ++row) {
    double squares = 1e-6;
    for (std::size_t d = 0; d < dim; ++d) squares += double(w[row * dim + d]) * w[row * dim + d];
    for (std::size_t d = 0; d < dim; ++d) w[row * dim + d] /= float(std::sqrt(squares));
    betas[row] = 1 + betas[row] / 2;
  }
  PathScores scores(problem.call,
                    {HeadsView::contiguous(w.data(), problem.shape.key_heads, keys, dim), betas},
                    {problem.gradients["w"], problem.gradients["betas"]});
  problem.call.product = &scores;
  if (!problem.run(comparison, true)) return;
  const auto of_row = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    const std::size_t first = problem.key_head(b, h) * keys;
    std::vector<double> row(dim), all(problem.reach(b, m));
    for (std::size_t d = 0; d < dim; ++d) row[d] = in.at("q")[problem.query(b, h, m) + d];
    for (std::size_t n = all.size(); n-- > 0;) {
      double along = 0;
      for (std::size_t d = 0; d < dim; ++d) {
        all[n] += double(problem.call.scale) * row[d] * in.at("k")[(first + n) * dim + d];
        along += row[d] * in.at("w")[(first + n) * dim + d];
      }
      along *= in.at("betas")[first + n];
      for (std::size_t d = 0; d < dim; ++d) row[d] -= along * in.at("w")[(first + n) * dim + d];
    }
    return all;
  };
  problem.compare(draws, comparison,
                  {.products = of_row, .reads_own_key = true, .is_causal_product = true});
}

void wall(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const std::size_t keys = problem.shape.keys, dim = problem.shape.dim;
  const auto gates = problem.add("gates", draws, problem.tokens() * dim);
  const auto offset = float(draws.uniform(-2, 6));
  for (float& gate : gates) gate += offset;
  const auto kind = PrefixTerm::log_sigmoid;
  const auto sums = wall_sums(gates, keys, dim, kind);
  std::vector<double> d_sums(sums.size());
  WallScores scores(problem.call, sums, d_sums);
  problem.call.product = &scores;
  if (!problem.run(comparison, true)) return;
  wall_sums_backward(problem.gradients["gates"], d_sums, gates, keys, dim, kind);
  const auto of_row = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    std::vector<double> all(problem.reach(b, m));
    for (std::size_t d = 0; d < dim; ++d) {
      const double q = double(problem.call.scale) * in.at("q")[problem.query(b, h, m) + d];
      double decay = 0;
      for (std::size_t n = all.size(); n-- > 0;) {
        all[n] += q * std::exp(decay) * in.at("k")[problem.key(b, h, n) + d];
        decay -= softplus(-in.at("gates")[problem.token(b, h, n, dim) + d]);
      }
    }
    return all;
  };
  problem.compare(draws, comparison,
                  {.products = of_row, .reads_own_key = true, .is_causal_product = true});
}

// PoPE of some channels or all, in either layout, with phases within their limits and beyond.
void polar(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const std::size_t batches = problem.shape.batches, heads = problem.shape.heads,
                    key_heads = problem.shape.key_heads, queries = problem.shape.queries,
                    keys = problem.shape.keys, dim = problem.shape.dim;
  const std::size_t width = draws.size(dim), made_dim = dim + width;
  const auto phases = problem.add("phases", draws, key_heads * width);
  // Off the limits, where the gradient jumps.
  for (float& phase : phases) phase = std::round(24 * phase) / 8 + 0.05f;
  const double base = std::exp(draws.uniform(1, 10));
  const auto layout = draws.chance(1, 2) ? PolarLayout::interleaved : PolarLayout::half_split;
  const auto key_positions = counted_positions(keys), query_positions = counted_positions(queries);
  const PolarRows of_queries{batches * heads, queries, dim,  width,
                             query_positions, {},      base, layout},
      of_keys{batches * key_heads, keys, dim, width, key_positions, phases, base, layout};
  std::vector<float> made_q(problem.rows() * made_dim), made_k(problem.key_rows() * made_dim);
  polar_rows(made_q, problem.in["q"], of_queries);
  polar_rows(made_k, problem.in["k"], of_keys);
  const auto given = problem.gradients;
  problem.gradients["q"].resize(made_q.size());
  problem.gradients["k"].resize(made_k.size());
  problem.call.shape.dim = made_dim;
  problem.call.q = HeadsView::contiguous(made_q.data(), heads, queries, made_dim);
  problem.call.k = HeadsView::contiguous(made_k.data(), key_heads, keys, made_dim);
  if (!problem.run(comparison)) return;
  std::vector<double> d_phases(phases.size());
  const auto d_q = std::exchange(problem.gradients["q"], given.at("q")),
             d_k = std::exchange(problem.gradients["k"], given.at("k"));
  polar_rows_backward(problem.gradients["q"], {}, d_q, made_q, of_queries);
  polar_rows_backward(problem.gradients["k"], d_phases, d_k, made_k, of_keys);
  std::ranges::copy(d_phases, problem.gradients["phases"].begin());
  const auto of_row = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    std::vector<double> all(problem.reach(b, m));
    for (std::size_t n = 0; n < all.size(); ++n) {
      for (std::size_t c = 0; c < problem.shape.dim; ++c) {
        const double q = in.at("q")[problem.query(b, h, m) + c],
                     k = in.at("k")[problem.key(b, h, n) + c];
        double product = q * k;
        if (c < width) {
          const double phase = in.at("phases")[h / (heads / key_heads) * width + c];
          const double frequency = std::pow(base, -double(c) / double(width));
          product = softplus(q) * softplus(k) *
                    std::cos((double(m) - double(n)) * frequency -
                             std::clamp(phase, -2 * std::numbers::pi, 0.0));
        }
        all[n] += double(problem.call.scale) * product;
      }
    }
    return all;
  };
  problem.compare(draws, comparison, {.products = of_row});
}

// Angles or positions of each head, of each batch or of all, of any size; one list for queries and
// keys where they have the same rows.
void rotations(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const AttentionShape& shape = problem.shape;
  if (shape.dim < 2) return;
  const bool is_angles = draws.chance(1, 2), is_split = draws.chance(1, 2);
  const std::size_t pairs = draws.size(shape.dim / 2), each = is_angles ? pairs : 1,
                    extent = draws.below(3);
  const double reach = std::exp(draws.uniform(-3, is_angles ? 40 : 14));
  const auto list = [&](std::size_t heads, std::size_t length) {
    std::vector<double> numbers((extent == 0   ? 1
                                 : extent == 1 ? shape.batches
                                               : shape.batches * heads) *
                                length * each);
    for (double& number : numbers) number = draws.uniform(-reach, reach);
    return numbers;
  };
  const auto of_queries = list(shape.heads, shape.queries);
  const bool is_one = shape.queries == shape.keys && (extent < 2 || shape.heads == shape.key_heads);
  const auto own = list(shape.key_heads, is_one ? 0 : shape.keys);
  const std::vector<double>& of_keys = is_one ? of_queries : own;
  const auto frequencies = rotary_frequencies(2 * pairs, 100.0);
  const auto lists = [&](std::span<const double> all, std::size_t heads, std::size_t length) {
    const std::size_t rows = all.size() / each;
    return RowLists<double>{all, RowSteps::of(rows, shape.batches, heads, length, {length})};
  };
  const Rotation rotation{lists(of_queries, shape.heads, shape.queries),
                          lists(of_keys, shape.key_heads, shape.keys)};
  AttentionRotary rotary{.rotations = {&rotation, 1}, .frequencies = frequencies};
  if (is_angles) rotary.angle_pairs = pairs;
  if (!is_angles && draws.chance(1, 2)) rotary.attention_factor = draws.uniform(0.5, 1.5);
  if (is_split) rotary.layout = RotaryLayout::half_split;
  problem.call.rotary = &rotary;
  if (!problem.run(comparison)) return;
  // A row of q or k from `at` on, which is row r of head h.
  const auto rotated = [&](const std::vector<double>& x, std::size_t at,
                           const std::vector<double>& numbers, std::size_t b, std::size_t h,
                           std::size_t heads, std::size_t r, std::size_t length) {
    std::vector<double> row(&x[at], &x[at] + shape.dim), result = row;
    const std::size_t head = extent == 0 ? 0 : extent == 1 ? b : b * heads + h;
    for (std::size_t i = 0; i < pairs; ++i) {
      const double number = numbers[(head * length + r) * each + (is_angles ? i : 0)];
      const double angle = is_angles ? number : number * frequencies[i];
      const std::size_t one = is_split ? i : 2 * i, other = is_split ? i + pairs : 2 * i + 1;
      const double cos = rotary.attention_factor * std::cos(angle),
                   sin = rotary.attention_factor * std::sin(angle);
      result[one] = row[one] * cos - row[other] * sin;
      result[other] = row[one] * sin + row[other] * cos;
    }
    return result;
  };
  const auto of_row = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    const auto q = rotated(in.at("q"), problem.query(b, h, m), of_queries, b, h, shape.heads, m,
                           shape.queries);
    std::vector<double> all(problem.reach(b, m));
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto k = rotated(in.at("k"), problem.key(b, h, n), of_keys, b,
                             h / (shape.heads / shape.key_heads), shape.key_heads, n, shape.keys);
      for (std::size_t d = 0; d < shape.dim; ++d)
        all[n] += double(problem.call.scale) * q[d] * k[d];
    }
    return all;
  };
  problem.compare(draws, comparison, {.products = of_row});
}

std::vector<double> sticks(const std::vector<double>& scores) {
  return reference::stick_breaking(scores);
}

void stick_breaking(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const bool attends_current = draws.chance(1, 2);
  const OwnKeyMask mask;
  if (!attends_current) problem.attach(mask);
  problem.call.weighting = stick_breaking_step;
  problem.call.weighting_backward = stick_breaking_backward;
  if (!problem.run(comparison)) return;
  problem.compare(
      draws, comparison,
      {.products = problem.products(), .weights = sticks, .hides_own_key = !attends_current});
}

constexpr Case cases[] = {{"path", path},
                          {"wall", wall},
                          {"polar", polar},
                          {"rotations", rotations},
                          {"stick_breaking", stick_breaking}};

}  // namespace

std::span<const Case> text_product_cases() { return cases; }

}  // namespace ropewalk::fuzz
