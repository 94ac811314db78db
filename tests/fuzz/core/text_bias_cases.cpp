// Biases and factors of scores that the text gives.
#include "attention/temperature.hpp"
#include "content/cope.hpp"
#include "content/edge_sums.hpp"
#include "content/grape.hpp"
#include "content/prefix_sums.hpp"
#include "content/relative.hpp"
#include "content/selective.hpp"
#include "fuzz/core/text_problem.hpp"

namespace ropewalk::fuzz {
namespace {

// FoX, CABLE and the numbers themselves.
void forget_gates(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const auto gates = problem.add("gates", draws, problem.tokens());
  const auto kind = PrefixTerm(draws.below(3));
  const std::size_t rows = problem.shape.batches * problem.shape.heads;
  std::vector<double> sums(gates.size()), d_sums(gates.size());
  prefix_sums(sums, gates, rows, kind);
  const PrefixSumBias bias(sums, d_sums);
  problem.attach(bias);
  if (!problem.run(comparison, true)) return;
  prefix_sums_backward(problem.gradients["gates"], d_sums, gates, rows, kind);
  const auto biases = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    std::vector<double> all(problem.reach(b, m));
    double sum = 0;
    for (std::size_t n = all.size(); n-- > 0;) {
      const double gate = in.at("gates")[problem.token(b, h, n)];
      all[n] += sum;
      sum += kind == PrefixTerm::number        ? gate
             : kind == PrefixTerm::log_sigmoid ? -softplus(-gate)
                                               : -softplus(gate);
    }
    return all;
  };
  problem.compare(draws, comparison,
                  {.products = problem.products(), .biases = biases, .reads_own_key = true});
}

void scalable_softmax(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const std::size_t heads = problem.shape.heads, queries = problem.shape.queries;
  const auto scales = problem.add("scales", draws, heads),
             biases = problem.add("biases", draws, heads);
  for (float& scale : scales) scale *= 0.2f;
  std::vector<double> positions(queries);
  for (std::size_t m = 0; m < queries; ++m) positions[m] = double(m);
  const auto given = ssmax_factors(positions, std::vector<double>(scales.begin(), scales.end()),
                                   std::vector<double>(biases.begin(), biases.end()));
  const std::vector<float> factors(given.begin(), given.end());
  std::vector<float> d_factors(factors.size());
  const RowScale row_scale({factors, {.head = queries}}, d_factors.data());
  problem.attach(row_scale);
  if (!problem.run(comparison)) return;
  for (std::size_t i = 0; i < d_factors.size(); ++i) {
    problem.gradients["scales"][i / queries] +=
        d_factors[i] * float(std::log(positions[i % queries] + 1));
    problem.gradients["biases"][i / queries] += d_factors[i];
  }
  const auto of_row = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    std::vector<double> all = problem.products()(in, b, h, m);
    const double factor = in.at("scales")[h] * std::log(double(m + 1)) + in.at("biases")[h];
    for (double& score : all) score *= factor;
    return all;
  };
  problem.compare(draws, comparison, {.products = of_row});
}

// GRAPE-A: gates of the keys, of the queries or of both, by unit directions or by given ones.
void gated_slopes(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const std::size_t batches = problem.shape.batches, heads = problem.shape.heads,
                    key_heads = problem.shape.key_heads, dim = problem.shape.dim;
  const bool is_unit = draws.chance(1, 2);
  const std::size_t which = draws.size(3);
  const auto omegas = problem.add("omegas", draws, heads);
  for (float& omega : omegas) omega = 0.02f + 0.1f * std::abs(omega);

  struct Gates {
    const char *x, *name;
    std::size_t heads, length;
    std::vector<float> values, gradient;
  };
  std::vector<Gates> all;
  if (which & 1) all.push_back({"k", "directions of k", key_heads, problem.shape.keys, {}, {}});
  if (which & 2) all.push_back({"q", "directions of q", heads, problem.shape.queries, {}, {}});
  const auto direction = [&](const Gates& of, std::size_t h) {
    const std::span<const float> given = std::span(problem.in[of.name]).subspan(h * dim, dim);
    return is_unit ? unit_direction(given) : std::vector<float>(given.begin(), given.end());
  };
  // use(gates, batch, head, rows of x in a list of their shape, place of the head's gates)
  const auto for_each_head = [&](Gates& of, auto use) {
    for (std::size_t i = 0; i < batches * heads; ++i) {
      const std::size_t h = i % heads, x_head = i / heads * of.heads + h / (heads / of.heads);
      const auto rows = [&, x_head](std::vector<float>& list) {
        return MatrixView(list.data() + x_head * of.length * dim, of.length, dim);
      };
      use(h, rows, i * of.length);
    }
  };
  for (Gates& of : all) {
    problem.add(of.name, draws, heads * dim);
    of.values.resize(batches * heads * of.length);
    of.gradient.resize(of.values.size());
    for_each_head(of, [&](std::size_t h, auto rows, std::size_t at) {
      slope_gates(std::span(of.values).subspan(at, of.length), rows(problem.in[of.x]),
                  direction(of, h), omegas[h]);
    });
  }
  Gates none{};
  Gates& of_keys = which & 1 ? all.front() : none;
  Gates& of_queries = which & 2 ? all.back() : none;
  const GatedSlopeBias bias(of_queries.values, of_keys.values, of_queries.gradient,
                            of_keys.gradient);
  problem.attach(bias);
  if (!problem.run(comparison)) return;
  for (Gates& of : all) {
    std::vector<double> d_directions(heads * dim), d_omegas(heads);
    for_each_head(of, [&](std::size_t h, auto rows, std::size_t at) {
      slope_gates_backward({rows(problem.gradients[of.x]),
                            std::span(d_directions).subspan(h * dim, dim), d_omegas[h]},
                           std::span(of.gradient).subspan(at, of.length), rows(problem.in[of.x]),
                           direction(of, h), omegas[h]);
    });
    for (std::size_t h = 0; h < heads; ++h) {
      problem.gradients["omegas"][h] += float(d_omegas[h]);
      const auto d = std::span(problem.gradients[of.name]).subspan(h * dim, dim);
      const auto d_unit = std::span(d_directions).subspan(h * dim, dim);
      if (is_unit)
        unit_direction_backward(d, d_unit, std::span(problem.in[of.name]).subspan(h * dim, dim));
      else
        std::ranges::copy(d_unit, d.begin());
    }
  }
  const auto biases = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    std::vector<double> scores(problem.reach(b, m));
    for (const Gates& of : all) {
      for (std::size_t n = 0; n < scores.size(); ++n) {
        double product = 0, squares = 0;
        for (std::size_t d = 0; d < dim; ++d) {
          const double along = in.at(of.name)[h * dim + d];
          const std::size_t row = of.x[0] == 'k' ? problem.key(b, h, n) : problem.query(b, h, m);
          product += along * in.at(of.x)[row + d];
          squares += along * along;
        }
        if (is_unit) product /= std::sqrt(squares);
        scores[n] -= (double(problem.own_key(b, m)) - double(n)) * in.at("omegas")[h] *
                     softplus(product / std::sqrt(double(dim)));
      }
    }
    return scores;
  };
  problem.compare(draws, comparison, {.products = problem.products(), .biases = biases});
}

// GRAPE-AP and gates per row, of fixed slopes.
void edge_sums(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const std::size_t keys = problem.shape.keys, width = 2 * draws.size(5);
  const bool is_integral = draws.chance(1, 2);
  const auto p = problem.add("p", draws, problem.tokens() * width),
             r = problem.add("r", draws, problem.tokens() * width),
             slopes = problem.add("slopes", draws, problem.shape.heads);
  problem.gradients.erase("slopes");
  const double epsilon = 1e-5;
  if (is_integral) path_integral_rows(r, p, keys, width, epsilon);
  const auto range = is_integral ? EdgeRange::after_key : EdgeRange::before_query;
  const auto factor = float(1 / double(width));
  const auto matrix = [&](std::span<float> all) {
    return MatrixView(all.data(), problem.tokens(), width);
  };
  const EdgeSumBias bias(matrix(p), matrix(r), slopes, factor, range,
                         matrix(problem.gradients["p"]), matrix(problem.gradients["r"]));
  problem.attach(bias);
  if (!problem.run(comparison, true)) return;
  if (is_integral) {
    path_integral_rows_backward(problem.gradients["p"], problem.gradients["r"], p, keys, width,
                                epsilon);
    problem.gradients.erase("r");
  }
  const auto edge_row = [&](const Exact& in, std::size_t at, std::size_t l) {
    const double* const of = &in.at(is_integral ? "p" : "r")[at];
    std::vector<double> row(of, of + width);
    if (!is_integral) return row;
    double squares = 0;
    for (const double x : row) squares += x * x;
    const double length = std::sqrt(squares / double(width) + epsilon);
    for (std::size_t i = 0; i < width / 2; ++i) {
      const double cos = std::cos(double(l)) / length, sin = std::sin(double(l)) / length;
      row[i] = of[i] * cos + of[i + width / 2] * sin;
      row[i + width / 2] = of[i + width / 2] * cos - of[i] * sin;
    }
    return row;
  };
  const auto biases = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    std::vector<double> all(problem.reach(b, m));
    if (all.empty()) return all;
    const double* const own = &in.at("p")[problem.token(b, h, all.size() - 1, width)];
    double sum = 0;
    for (std::size_t n = all.size(); n-- > 0;) {
      const std::vector<double> row = edge_row(in, problem.token(b, h, n, width), n);
      double product = 0;
      for (std::size_t d = 0; d < width; ++d) product += own[d] * row[d] * double(factor);
      const double edge = -in.at("slopes")[h] * softplus(-product);
      if (!is_integral && n + 1 < all.size()) sum += edge;
      all[n] += sum;
      if (is_integral) sum += edge;
    }
    return all;
  };
  problem.compare(draws, comparison,
                  {.products = problem.products(), .biases = biases, .reads_own_key = true});
}

// Shaw's tables of relative keys, for all heads or one each.
void relative_keys(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const std::size_t dim = problem.shape.dim, clip = draws.size(20), rows = 2 * clip + 1,
                    tables = draws.chance(1, 2) ? problem.shape.heads : 1;
  const auto table = problem.add("table", draws, tables * rows * dim);
  std::vector<float> d_q(problem.in["q"].size());
  const RelativeKeys bias(problem.call.q, {table.data(), tables * rows, dim}, tables,
                          problem.call.scale, d_q.data(),
                          {problem.gradients["table"].data(), tables * rows, dim});
  problem.attach(bias);
  if (!problem.run(comparison)) return;
  for (std::size_t i = 0; i < d_q.size(); ++i) problem.gradients["q"][i] += d_q[i];
  const auto biases = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    std::vector<double> all(problem.reach(b, m));
    for (std::size_t n = 0; n < all.size(); ++n) {
      const auto offset = std::clamp(std::ptrdiff_t(n) - problem.own_key(b, m),
                                     -std::ptrdiff_t(clip), std::ptrdiff_t(clip));
      const std::size_t row = (tables == 1 ? 0 : h * rows) + std::size_t(offset + int(clip));
      for (std::size_t d = 0; d < dim; ++d)
        all[n] += double(problem.call.scale) * in.at("q")[problem.query(b, h, m) + d] *
                  in.at("table")[row * dim + d];
    }
    return all;
  };
  problem.compare(draws, comparison, {.products = problem.products(), .biases = biases});
}

// A bias by distance of given positions, which need not rise.
void position_distances(Draws& draws, Comparison& comparison) {
  Problem problem(draws);
  const std::size_t keys = problem.shape.keys, most = draws.size(40), length = 2 * most + 1;
  const bool is_per_batch = draws.chance(1, 2);
  std::vector<double> positions(is_per_batch ? problem.shape.batches * keys : keys);
  for (double& position : positions) position = double(draws.below(most + 1));
  const auto lists = problem.add("lists", draws, problem.shape.heads * length);
  const DistanceBias bias(lists, problem.shape.heads, -std::int64_t(most),
                          problem.gradients["lists"].data(),
                          {positions, {is_per_batch ? keys : 0}});
  problem.attach(bias);
  if (!problem.run(comparison, true)) return;
  const auto biases = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m) {
    std::vector<double> all(problem.reach(b, m));
    const double* const at = &positions[is_per_batch ? b * keys : 0];
    for (std::size_t n = 0; n < all.size(); ++n) {
      const double distance = at[n] - at[all.size() - 1] + double(most);
      all[n] = in.at("lists")[h * length + std::size_t(distance)];
    }
    return all;
  };
  problem.compare(draws, comparison,
                  {.products = problem.products(), .biases = biases, .reads_own_key = true});
}

// CoPE, whose gradient jumps where a position is a whole number: seldom in a small call.
void contextual(Draws& draws, Comparison& comparison) {
  Problem problem(draws, draws.chance(2, 3) ? 6 : 60);
  const std::size_t dim = problem.shape.dim, rows = draws.size(30);
  const auto table = problem.add("table", draws, rows * dim);
  std::vector<float> d_q(problem.in["q"].size());
  const ContextualBias bias(problem.call.q, {table.data(), rows, dim}, d_q.data(),
                            {problem.gradients["table"].data(), rows, dim});
  problem.attach(bias);
  if (!problem.run(comparison)) return;
  for (std::size_t i = 0; i < d_q.size(); ++i) problem.gradients["q"][i] += d_q[i];
  bool has_jump = false;
  const auto add = [&](const Exact& in, std::size_t b, std::size_t h, std::size_t m,
                       std::vector<double>& scores) {
    double position = 0;
    for (std::size_t n = scores.size(); n-- > 0;) {
      position += 1 / (1 + std::exp(-scores[n]));
      has_jump = has_jump || (position < double(rows - 1) + 1e-3 && scores[n] > -infinity &&
                              std::abs(position - std::round(position)) < 1e-3);
      const double at = std::min(position, double(rows - 1));
      const std::size_t below = std::size_t(at), above = std::min(below + 1, rows - 1);
      for (std::size_t d = 0; d < dim; ++d) {
        const double low = in.at("table")[below * dim + d], high = in.at("table")[above * dim + d];
        scores[n] +=
            in.at("q")[problem.query(b, h, m) + d] * (low + (at - double(below)) * (high - low));
      }
    }
  };
  problem.compare(draws, comparison,
                  {.products = problem.products(), .contextual = add, .has_jump = &has_jump});
}

void selective(Draws& draws, Comparison& comparison) {
  const std::size_t queries = draws.size(20), keys = queries + draws.below(20);
  const bool spares_first = draws.chance(1, 2);
  const Matrix gates = draws.matrix(queries, keys), before = draws.matrix(queries, keys);
  const Matrix d_bias = draws.matrix(queries, keys);
  Matrix bias = before, d_gates(queries, keys);
  selective_bias(bias.view(), gates.view(), spares_first);
  selective_bias_backward(d_gates.view(), d_bias.view(), gates.view(), spares_first);
  const auto is_spared = [&](std::size_t m, std::size_t n) {
    return n == keys - queries + m || (spares_first && n == keys - queries);
  };
  for (std::size_t m = 0; m < queries; ++m) {
    for (std::size_t n = 0; n < keys; ++n) {
      double sum = 0, d_sum = 0, d_magnitude = 0;
      for (std::size_t r = 0; r < m; ++r)
        if (!is_spared(r, n)) sum += std::max(0.0f, gates.at(r, n));
      const double exact = before.at(m, n) - sum;
      comparison.add(bias.at(m, n), exact, 2 * rounding * (std::abs(before.at(m, n)) + sum));
      for (std::size_t r = m + 1; r < queries && gates.at(m, n) > 0 && !is_spared(m, n); ++r) {
        d_sum -= d_bias.at(r, n);
        d_magnitude += std::abs(d_bias.at(r, n));
      }
      comparison.add(d_gates.at(m, n), d_sum, 2 * rounding * d_magnitude);
    }
  }
}

constexpr Case cases[] = {
    {"forget_gates", forget_gates},   {"scalable_softmax", scalable_softmax},
    {"gated_slopes", gated_slopes},   {"edge_sums", edge_sums},
    {"relative_keys", relative_keys}, {"position_distances", position_distances},
    {"contextual", contextual},       {"selective", selective}};

}  // namespace

std::span<const Case> text_bias_cases() { return cases; }

}  // namespace ropewalk::fuzz
