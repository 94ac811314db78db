// Gradients of the schemes that read positions from the text, beside central differences.
#include "content/edge_sums.hpp"
#include "content/grape.hpp"
#include "content/path.hpp"
#include "content/prefix_sums.hpp"
#include "content/selective.hpp"
#include "content/stick_breaking.hpp"
#include "content/wall.hpp"
#include "kernels/softmax.hpp"
#include "support/gradient_case.hpp"

using namespace ropewalk;

TEST_CASE("PaTH has the gradients of w and beta, and of keys under all matrices after them") {
  const auto drawn = GENERATE(table<std::size_t, std::size_t, std::size_t, std::size_t>(
      {{1, 1, 1, 1}, {4, 2, 33, 33}, {2, 1, 1, 40}, {2, 2, 30, 141}}));
  const std::size_t heads = std::get<0>(drawn);
  const std::size_t key_heads = std::get<1>(drawn);
  const std::size_t queries = std::get<2>(drawn);
  const std::size_t keys = std::get<3>(drawn);
  constexpr std::size_t dim = 6;
  Case c({2, heads, key_heads, queries, keys, dim, 5}, causal, 90);
  c.call.ends_at_last_key = true;
  const auto w = c.add("w", 2 * key_heads * keys * dim, 91),
             betas = c.add("betas", 2 * key_heads * keys, 92);
  for (float& value : w) value *= 0.4f;
  for (float& beta : betas) beta += 1.0f;
  PathScores scores(c.call, {HeadsView::contiguous(w.data(), key_heads, keys, dim), betas},
                    {c.gradients["w"], c.gradients["betas"]});
  c.call.product = &scores;
  c.run();
  if (keys == 1) {  // one key has the weight 1
    for (const char* name : {"w", "betas", "q", "k"}) c.gradients.erase(name);
  }
  Scheme scheme;
  scheme.product = [&](const Head& head, std::size_t m, std::size_t n) {
    std::vector<double> row = head.q(m);
    const std::size_t own = keys - queries + m;
    for (std::size_t t = own; t > n && t <= own; --t) {
      const auto along = head.row("w", head.key_head(), key_heads, keys, t, dim);
      double product = 0;
      for (std::size_t d = 0; d < dim; ++d) product += row[d] * along[d];
      product *= head.row("betas", head.key_head(), key_heads, keys, t, 1)[0];
      for (std::size_t d = 0; d < dim; ++d) row[d] -= product * along[d];
    }
    const auto k = head.k(n);
    double sum = 0;
    for (std::size_t d = 0; d < dim; ++d) sum += row[d] * k[d];
    return sum;
  };
  c.check(scheme);
}

TEST_CASE("Wall has the gradients of its gates per channel") {
  const auto drawn = GENERATE(table<std::size_t, std::size_t>({{33, 33}, {1, 40}, {30, 141}}));
  const std::size_t queries = std::get<0>(drawn);
  const std::size_t keys = std::get<1>(drawn);
  constexpr std::size_t heads = 4, dim = 6;
  Case c({2, heads, 2, queries, keys, dim, 5}, causal, 100);
  c.call.ends_at_last_key = true;
  const auto gates = c.add("gates", 2 * heads * keys * dim, 101);
  for (float& gate : gates) gate += 2.0f;
  const auto sums = wall_sums(gates, keys, dim, PrefixTerm::log_sigmoid);
  std::vector<double> d_sums(sums.size());
  WallScores scores(c.call, sums, d_sums);
  c.call.product = &scores;
  c.run();
  wall_sums_backward(c.gradients["gates"], d_sums, gates, keys, dim, PrefixTerm::log_sigmoid);
  Scheme scheme;
  scheme.product = [&](const Head& head, std::size_t m, std::size_t n) {
    const auto q = head.q(m), k = head.k(n);
    double sum = 0;
    for (std::size_t d = 0; d < dim; ++d) {
      double decay = 0;
      for (std::size_t t = n + 1; t <= keys - queries + m; ++t)
        decay -= std::log1p(std::exp(-head.row("gates", head.head, heads, keys, t, dim)[d]));
      sum += q[d] * k[d] * std::exp(decay);
    }
    return sum;
  };
  c.check(scheme);
}

TEST_CASE("stick-breaking has the gradients of its weights, with and without the query's own key") {
  const bool attends_current = GENERATE(true, false);
  const auto drawn = GENERATE(table<std::size_t, std::size_t>({{33, 33}, {1, 40}, {30, 141}}));
  const std::size_t queries = std::get<0>(drawn);
  const std::size_t keys = std::get<1>(drawn);
  Case c({2, 4, 2, queries, keys, 6, 5}, causal, 110);
  c.call.ends_at_last_key = true;
  c.call.weighting = stick_breaking_step;
  c.call.weighting_backward = stick_breaking_backward;
  const OwnKeyMask mask;
  const ScoreModifier* modifiers[] = {&mask};
  if (!attends_current) c.call.modifiers = modifiers;
  c.run();
  Scheme scheme;
  scheme.weights = [&](std::vector<double> scores) {
    if (!attends_current) scores.pop_back();
    return reference::stick_breaking(scores);
  };
  c.check(scheme);
  c.call.weighting_backward = nullptr;
  CHECK_THROWS_WITH(c.run(), Catch::Matchers::ContainsSubstring("cannot be differentiated"));
}

TEST_CASE("GRAPE-A has the gradients of its gates, and they those of directions and slopes") {
  constexpr std::size_t length = 40, heads = 2, dim = 6;
  Case c({1, heads, heads, length, length, dim, 5}, causal, 120);
  const auto directions = c.add("directions", heads * dim, 121);
  const auto omegas = c.add("omegas", heads, 122);
  for (float& omega : omegas) omega = 0.1f + std::abs(omega);
  const auto unit = [&](std::size_t h) { return unit_direction(directions.subspan(h * dim, dim)); };
  const auto rows = [&](float* data, std::size_t h) {
    return MatrixView(data + h * length * dim, length, dim);
  };
  std::vector<float> gates(heads * length), d_gates(gates.size());
  for (std::size_t h = 0; h < heads; ++h)
    slope_gates(std::span(gates).subspan(h * length, length), rows(c.in["k"].data(), h), unit(h),
                omegas[h]);
  const GatedSlopeBias bias({}, gates, {}, d_gates);
  const ScoreModifier* modifiers[] = {&bias};
  c.call.modifiers = modifiers;
  c.run();
  for (std::size_t h = 0; h < heads; ++h) {
    std::vector<double> d_unit(dim);
    double d_omega = 0;
    slope_gates_backward({rows(c.gradients["k"].data(), h), d_unit, d_omega},
                         std::span(d_gates).subspan(h * length, length), rows(c.in["k"].data(), h),
                         unit(h), omegas[h]);
    unit_direction_backward(std::span(c.gradients["directions"]).subspan(h * dim, dim), d_unit,
                            directions.subspan(h * dim, dim));
    c.gradients["omegas"][h] += float(d_omega);
  }
  Scheme scheme;
  scheme.bias = [](const Head& head, std::size_t m, std::size_t n) {
    const auto k = head.k(n);
    double product = 0, squares = 0;
    for (std::size_t d = 0; d < dim; ++d) {
      const double u = head.in.at("directions")[head.head * dim + d];
      product += u * k[d];
      squares += u * u;
    }
    const double gate = std::log1p(std::exp(product / std::sqrt(squares * double(dim))));
    return -(double(m) - double(n)) * head.in.at("omegas")[head.head] * gate;
  };
  c.check(scheme);
}

TEST_CASE("sums of edges have the gradients of both sides of their gates, from either end") {
  const auto range = GENERATE(EdgeRange::after_key, EdgeRange::before_query);
  const auto drawn = GENERATE(table<std::size_t, std::size_t>({{33, 33}, {1, 40}, {30, 141}}));
  const std::size_t queries = std::get<0>(drawn);
  const std::size_t keys = std::get<1>(drawn);
  constexpr std::size_t heads = 4, width = 4, rows = 2 * heads;
  Case c({2, heads, 2, queries, keys, 6, 5}, causal, 130);
  c.call.band.offset = std::ptrdiff_t(keys - queries);
  // Keys that are hidden, whose edges count.
  const std::vector<double> lengths{double(keys) - 7, double(keys)};
  const int hidden_by = GENERATE(0, 1, 2);
  if (hidden_by == 1) c.call.key_lengths = lengths;
  if (hidden_by == 2) c.call.band.lookback = 5;
  const auto p = c.add("p", rows * keys * width, 131), r = c.add("r", rows * keys * width, 132);
  const std::vector<float> slopes{.5f, .25f, 1.0f, .125f};
  const auto matrix = [&](std::span<float> all) {
    return MatrixView(all.data(), rows * keys, width);
  };
  const EdgeSumBias bias(matrix(p), matrix(r), slopes, .5f, range, matrix(c.gradients["p"]),
                         matrix(c.gradients["r"]));
  const ScoreModifier* modifiers[] = {&bias};
  c.call.modifiers = modifiers;
  c.run();
  Scheme scheme;
  scheme.bias = [&](const Head& head, std::size_t m, std::size_t n) {
    const std::size_t own = keys - queries + m;
    const bool is_after = range == EdgeRange::after_key;
    const auto of_query = head.row("p", head.head, heads, keys, own, width);
    double edges = 0;
    for (std::size_t l = is_after ? n + 1 : n; l < (is_after ? own + 1 : own); ++l) {
      const auto of_edge = head.row("r", head.head, heads, keys, l, width);
      double product = 0;
      for (std::size_t d = 0; d < width; ++d) product += of_query[d] * of_edge[d];
      edges -= slopes[head.head] * std::log1p(std::exp(-.5 * product));
    }
    return edges;
  };
  c.check(scheme);
}

TEST_CASE("path integral rows have the gradient of their length and rotation") {
  constexpr std::size_t length = 7, width = 6, count = 2 * length * width;
  constexpr double epsilon = 0.02;
  const auto x = random_floats(count, 140), d_rows = random_floats(count, 141);
  std::vector<float> d_x(count, 1.0f);
  path_integral_rows_backward(d_x, d_rows, x, length, width, epsilon);
  const auto loss_of = [&](const std::vector<double>& at) {
    double sum = 0;
    for (std::size_t row = 0; row < count / width; ++row) {
      double squares = 0;
      for (std::size_t i = 0; i < width; ++i) squares += at[row * width + i] * at[row * width + i];
      const double inverse = 1 / std::sqrt(squares / width + epsilon), angle = double(row % length);
      for (std::size_t i = row * width; i < row * width + width / 2; ++i) {
        const double a = inverse * at[i], b = inverse * at[i + width / 2];
        sum += d_rows[i] * (a * std::cos(angle) + b * std::sin(angle)) +
               d_rows[i + width / 2] * (b * std::cos(angle) - a * std::sin(angle));
      }
    }
    return sum;
  };
  for (std::size_t i = 0; i < count; ++i) {
    double slope = 0;
    for (const double step : {1e-5, -1e-5}) {
      std::vector<double> moved(x.begin(), x.end());
      moved[i] += step;
      slope += loss_of(moved) / (2 * step);
    }
    CHECK(std::abs(double(d_x[i]) - 1.0 - slope) <= 1e-6);
  }
}

TEST_CASE("selective attention gives the scores that mask the sums of what they masked") {
  const Matrix gates(3, 4, std::vector<float>{9, 9, 9, 9, -1, 2, 9, 9, 4, 5, 6, 9});
  const Matrix d_bias(3, 4, std::vector<float>{1, 1, 1, 1, 10, 20, 30, 40, 500, 600, 700, 800});
  Matrix d_gates(3, 4);
  selective_bias_backward(d_gates.view(), d_bias.view(), gates.view(), false);
  CHECK(d_gates.values == std::vector<float>{-510, 0, -730, -840, 0, -600, 0, -800, 0, 0, 0, 0});
  selective_bias_backward(d_gates.view(), d_bias.view(), gates.view(), true);
  CHECK(d_gates.values ==
        std::vector<float>{-1020, 0, -1460, -1680, 0, -600, 0, -1600, 0, 0, 0, 0});
}
