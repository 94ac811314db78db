#include <algorithm>
#include <cmath>
#include <optional>

#include "bias/windows.hpp"
#include "content/cope.hpp"
#include "content/four_terms.hpp"
#include "content/relative.hpp"
#include "fuzz/core/cases.hpp"
#include "reference/kernels.hpp"

namespace ropewalk::fuzz {
namespace {

reference::Sum product(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j) {
  return reference::dot(a.view().row(i), b.view().row(j));
}

// What `terms` products and sums in floats may be off by.
double sum_error(std::size_t terms, double magnitude) {
  return double(terms) * epsilon * magnitude;
}

// Keys up to and past the query; gates from shut to open, positions within the table and at its
// end.
void cope(Draws& draws, Comparison& comparison) {
  const std::size_t queries = draws.size(12), keys = draws.size(40), dim = draws.size(20);
  const std::size_t rows = draws.size(12);
  const Matrix q = draws.matrix(queries, dim), table = draws.matrix(rows, dim);
  Matrix logits = draws.matrix(queries, keys), bias(queries, keys), positions = bias;
  if (draws.chance(1, 3)) std::ranges::for_each(logits.values, [](float& logit) { logit *= 100; });
  const auto key_positions = counted_positions(keys);
  std::vector<double> query_positions(queries);
  for (double& position : query_positions) position = double(draws.below(keys + 4)) - 1;
  cope_positions(positions.view(), logits.view(), query_positions, key_positions, rows);
  cope_bias(bias.view(), q.view(), logits.view(), table.view(), query_positions, key_positions);
  for (std::size_t m = 0; m < queries; ++m) {
    double gates = 0;
    for (std::size_t n = keys; n-- > 0;) {
      const bool seen = double(n) <= query_positions[m];
      if (seen) gates += 1 / (1 + std::exp(-double(logits.at(m, n))));
      const double position = seen ? std::min(gates, double(rows - 1)) : 0;
      const auto below = std::size_t(position), above = std::min(below + 1, rows - 1);
      const auto low = product(q, m, table, below), high = product(q, m, table, above);
      const double exact =
          seen ? low.value + (position - double(below)) * (high.value - low.value) : 0;
      comparison.add(positions.at(m, n), position, rounding * position + 1e-12);
      // Beside a whole position another pair of rows is read, which meet there.
      comparison.add(bias.at(m, n), exact,
                     sum_error(dim + 4, 3 * (low.magnitude + high.magnitude)));
    }
  }
}

// A scheme's index, and the row of a pair whose key is `offset` after its query.
struct Scheme {
  RelativeIndex index;
  std::size_t rows;
  std::function<std::optional<std::size_t>(long offset)> row;
};

Scheme drawn_scheme(Draws& draws, std::span<const double> queries, std::span<const double> keys) {
  const long reach = long(queries.back()) + long(keys.size()) + long(draws.below(3));
  const long bound = 1 + long(draws.below(std::size_t(reach)));
  switch (draws.below(4)) {
    case 0:
      return {shaw_index(queries, keys, bound), std::size_t(2 * bound + 1),
              [=](long offset) { return std::clamp(offset, -bound, bound) + bound; }};
    case 1:
      return {relative_key_index(queries, keys, reach), std::size_t(2 * reach - 1),
              [=](long offset) { return reach - 1 - offset; }};
    case 2:
      return {causal_distance_index(queries, keys, reach), std::size_t(reach),
              [=](long offset) -> std::optional<std::size_t> {
                if (offset > 0) return std::nullopt;
                return reach - 1 + offset;
              }};
    default: {
      const bool turned = draws.chance(1, 2);
      const auto reading =
          turned ? DebertaReading::key_minus_query : DebertaReading::query_minus_key;
      return {deberta_index(queries, keys, bound, {}, reading), std::size_t(2 * bound),
              [=](long offset) {
                return std::clamp((turned ? offset : -offset) + bound, 0l, 2 * bound - 1);
              }};
    }
  }
}

struct Pairs {
  explicit Pairs(Draws& draws)
      : queries(draws.size(12)),
        keys(draws.size(30)),
        dim(draws.size(20)),
        first(draws.below(keys + 1)),
        query_positions(counted_positions(queries)),
        key_positions(counted_positions(keys)) {
    for (double& position : query_positions) position += double(first);
  }

  long offset(std::size_t m, std::size_t n) const { return long(n) - long(m + first); }

  std::size_t queries, keys, dim, first;
  std::vector<double> query_positions, key_positions;
};

// The rows of a table by distance, met by the query, the key and the weight.
void tables(Draws& draws, Comparison& comparison) {
  const Pairs pairs(draws);
  const auto [index, rows, row] = drawn_scheme(draws, pairs.query_positions, pairs.key_positions);
  const Matrix q = draws.matrix(pairs.queries, pairs.dim), k = draws.matrix(pairs.keys, pairs.dim);
  const Matrix table = draws.matrix(rows, pairs.dim),
               weights = draws.matrix(pairs.queries, pairs.keys);
  const Matrix before = draws.matrix(pairs.queries, pairs.keys),
               before_out = draws.matrix(pairs.queries, pairs.dim);
  const auto scale = float(draws.uniform(-2, 2));
  Matrix by_query = before, by_key = before, out = before_out;
  add_query_products(by_query.view(), q.view(), table.view(), index, scale);
  add_key_products(by_key.view(), k.view(), table.view(), index, scale);
  add_weighted_rows(out.view(), weights.view(), table.view(), index);
  for (std::size_t m = 0; m < pairs.queries; ++m) {
    std::vector<double> sums(pairs.dim), magnitudes(pairs.dim);
    for (std::size_t n = 0; n < pairs.keys; ++n) {
      const auto read = row(pairs.offset(m, n));
      const auto compare = [&](float actual, reference::Sum sum) {
        const double start = before.at(m, n),
                     magnitude = std::abs(start) + std::abs(scale) * sum.magnitude;
        comparison.add(actual, start + scale * sum.value, sum_error(pairs.dim + 2, magnitude));
      };
      compare(by_query.at(m, n), read ? product(q, m, table, *read) : reference::Sum{});
      compare(by_key.at(m, n), read ? product(k, n, table, *read) : reference::Sum{});
      for (std::size_t d = 0; read && d < pairs.dim; ++d) {
        const double term = double(weights.at(m, n)) * table.at(*read, d);
        sums[d] += term, magnitudes[d] += std::abs(term);
      }
    }
    for (std::size_t d = 0; d < pairs.dim; ++d) {
      const double start = before_out.at(m, d);
      comparison.add(out.at(m, d), start + sums[d],
                     sum_error(pairs.keys + 1, std::abs(start) + magnitudes[d]));
    }
  }
}

void transformer_xl(Draws& draws, Comparison& comparison) {
  const Pairs pairs(draws);
  const std::size_t reach = pairs.queries + pairs.first;
  const Matrix q = draws.matrix(pairs.queries, pairs.dim), k = draws.matrix(pairs.keys, pairs.dim);
  const Matrix r = draws.matrix(reach, pairs.dim), u = draws.matrix(1, pairs.dim),
               v = draws.matrix(1, pairs.dim);
  const auto index =
      causal_distance_index(pairs.query_positions, pairs.key_positions, std::int64_t(reach));
  const auto scale = float(draws.uniform(-2, 2));
  Matrix bias(pairs.queries, pairs.keys, std::numeric_limits<float>::quiet_NaN());
  transformer_xl_bias(bias.view(), q.view(), k.view(), r.view(), u.values, v.values, index, scale);
  for (std::size_t m = 0; m < pairs.queries; ++m) {
    for (std::size_t n = 0; n < pairs.keys; ++n) {
      reference::Sum sum = product(u, 0, k, n);
      if (const long offset = pairs.offset(m, n); offset <= 0) {
        for (const auto& term :
             {product(q, m, r, reach - 1 + offset), product(v, 0, r, reach - 1 + offset)}) {
          sum.value += term.value, sum.magnitude += term.magnitude;
        }
      }
      const double bound = sum_error(pairs.dim + 4, std::abs(scale) * sum.magnitude);
      comparison.add(bias.at(m, n), scale * sum.value, bound);
    }
  }
}

// The movement of both papers, and for causal distances the pairs that it lines up.
void shift(Draws& draws, Comparison& comparison) {
  const std::size_t rows = draws.size(20), cols = draws.size(20);
  const Matrix products = draws.matrix(rows, cols);
  Matrix out(rows, cols, std::numeric_limits<float>::quiet_NaN());
  relative_shift(out.view(), products.view());
  for (std::size_t m = 0; m < rows; ++m) {
    for (std::size_t n = 0; n < cols; ++n) {
      const std::size_t padded = m * cols + n + rows, column = padded % (cols + 1);
      comparison.add(out.at(m, n), column == 0 ? 0 : products.at(padded / (cols + 1), column - 1),
                     0);
    }
  }
}

// Value c of row r times the weights, or of the row itself where there are none.
reference::Sum projected(const Matrix& rows, std::size_t r, const Matrix& weights, std::size_t c) {
  if (weights.values.empty()) return {rows.at(r, c), std::abs(rows.at(r, c))};
  reference::Sum sum;
  for (std::size_t d = 0; d < rows.cols; ++d) {
    const double term = double(rows.at(r, d)) * weights.at(d, c);
    sum.value += term, sum.magnitude += std::abs(term);
  }
  return sum;
}

void terms(Draws& draws, Comparison& comparison) {
  const std::size_t length = draws.size(12), dim = draws.size(12), width = draws.size(12);
  const bool weighted = draws.chance(2, 3);
  const Matrix rows[] = {draws.matrix(length, dim), draws.matrix(length, dim)};
  const Matrix wq = weighted ? draws.matrix(dim, width) : Matrix(),
               wk = weighted ? draws.matrix(dim, width) : Matrix();
  const auto weights = [&](const Matrix& w) { return weighted ? w.view() : ConstMatrixView(); };
  const auto scale = float(draws.uniform(-2, 2));
  Matrix found[4];
  for (Matrix& one : found) one = Matrix(length, length);
  four_terms({found[0].view(), found[1].view(), found[2].view(), found[3].view()}, rows[0].view(),
             rows[1].view(), weights(wq), weights(wk), scale);
  for (std::size_t term = 0; term < 4; ++term) {
    for (std::size_t m = 0; m < length; ++m) {
      for (std::size_t n = 0; n < length; ++n) {
        reference::Sum sum;
        for (std::size_t c = 0; c < (weighted ? width : dim); ++c) {
          const auto q = projected(rows[term / 2], m, wq, c),
                     k = projected(rows[term % 2], n, wk, c);
          sum.value += q.value * k.value, sum.magnitude += q.magnitude * k.magnitude;
        }
        const double bound = sum_error(2 * dim + width + 1, std::abs(scale) * sum.magnitude);
        comparison.add(found[term].at(m, n), scale * sum.value, bound);
      }
    }
  }
}

// Swin's and BEiT's rows, read by tokens that stand where they stand.
void windows(Draws& draws, Comparison& comparison) {
  const std::size_t height = draws.size(6), width = draws.size(6), heads = draws.size(4);
  const std::size_t first = draws.below(2), tokens = height * width + first;
  const std::size_t rows = (2 * height - 1) * (2 * width - 1) + 3 * first;
  const Matrix table = draws.matrix(rows, heads);
  Matrix bias(heads * tokens, tokens, std::numeric_limits<float>::quiet_NaN());
  gather_window_bias(bias.view(), table.view(), window_indices({height, width}, first == 1));
  const auto row = [&](std::size_t m, std::size_t n) {
    if (m < first) return n < first ? rows - 1 : rows - 3;
    if (n < first) return rows - 2;
    const std::size_t y = (m - first) / width + height - 1 - (n - first) / width;
    const std::size_t x = (m - first) % width + width - 1 - (n - first) % width;
    return y * (2 * width - 1) + x;
  };
  for (std::size_t m = 0; m < tokens; ++m) {
    for (std::size_t n = 0; n < tokens; ++n) {
      for (std::size_t h = 0; h < heads; ++h) {
        comparison.add(bias.at(h * tokens + m, n), table.at(row(m, n), h), 0);
      }
    }
  }
}

// Swin v2's table: each displacement's coordinates through the network, with the trained reach or
// not.
void networks(Draws& draws, Comparison& comparison) {
  const std::size_t height = draws.size(6), width = draws.size(6), hidden = draws.size(9),
                    heads = draws.size(4);
  const bool is_trained = draws.chance(1, 2);
  const WindowSize trained =
      is_trained ? WindowSize{1 + draws.size(8), 1 + draws.size(8)} : WindowSize{};
  const Matrix first = draws.matrix(hidden, 2), last = draws.matrix(heads, hidden);
  const auto hidden_bias = draws.floats(hidden), head_bias = draws.floats(heads);
  Matrix table(window_table_rows({height, width}, false), heads,
               std::numeric_limits<float>::quiet_NaN());
  swin_v2_table(table.view(), swin_v2_coordinates({height, width}, trained),
                {first.view(), hidden_bias, last.view(), head_bias});
  const auto coordinate = [&](double displacement, std::size_t side, std::size_t trained_side) {
    const std::size_t own_reach = height > 1 && side > 1 ? side - 1 : 1;
    const double c = 8 * displacement / double(is_trained ? trained_side - 1 : own_reach);
    return std::copysign(std::log2(std::abs(c) + 1) / 3, c);
  };
  for (std::size_t r = 0; r < table.rows; ++r) {
    const double y =
        coordinate(double(r / (2 * width - 1)) - double(height - 1), height, trained.height);
    const double x =
        coordinate(double(r % (2 * width - 1)) - double(width - 1), width, trained.width);
    for (std::size_t h = 0; h < heads; ++h) {
      double sum = head_bias[h];
      for (std::size_t i = 0; i < hidden; ++i) {
        sum +=
            last.at(h, i) * std::max(0.0, hidden_bias[i] + first.at(i, 0) * y + first.at(i, 1) * x);
      }
      const double exact = 16 / (1 + std::exp(-sum));
      comparison.add(table.at(r, h), exact, 1.01 * rounding * exact + 1e-12);
    }
  }
}

constexpr Case cases[] = {
    {"cope", cope},        {"tables", tables}, {"transformer_xl", transformer_xl},
    {"shift", shift},      {"terms", terms},   {"windows", windows},
    {"networks", networks}};

}  // namespace

std::span<const Case> content_cases() { return cases; }

}  // namespace ropewalk::fuzz
