// Gradients of attention against central differences of the reference, in double, along random
// directions.
#pragma once

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "attention/backward.hpp"
#include "reference/attention.hpp"
#include "support/inputs.hpp"

namespace ropewalk {

inline const double hidden = -std::numeric_limits<double>::infinity();

using Operands = std::map<std::string, std::vector<double>>;

// What the reference computes for one head of one batch, from operands in double.
struct Head {
  const Operands& in;
  const AttentionCall& call;
  std::size_t batch, head;

  std::vector<double> row(const char* name, std::size_t of_head, std::size_t heads,
                          std::size_t rows, std::size_t r, std::size_t dim) const {
    const auto start =
        in.at(name).begin() + std::ptrdiff_t(((batch * heads + of_head) * rows + r) * dim);
    return {start, start + std::ptrdiff_t(dim)};
  }
  std::size_t key_head() const { return head / (call.shape.heads / call.shape.key_heads); }
  std::vector<double> q(std::size_t m) const {
    return row("q", head, call.shape.heads, call.shape.queries, m, call.shape.dim);
  }
  std::vector<double> k(std::size_t n) const {
    return row("k", key_head(), call.shape.key_heads, call.shape.keys, n, call.shape.dim);
  }
  double product(std::size_t m, std::size_t n) const {
    double sum = 0;
    for (std::size_t d = 0; d < call.shape.dim; ++d) sum += q(m)[d] * k(n)[d];
    return sum;
  }
};

struct Scheme {
  std::function<double(const Head&, std::size_t m, std::size_t n)> product =
      [](const Head& head, std::size_t m, std::size_t n) { return head.product(m, n); };
  std::function<double(const Head&, std::size_t m, std::size_t n)> bias =
      [](const Head&, std::size_t, std::size_t) { return 0.0; };
  std::function<double(const Head&, std::size_t m)> row_scale = [](const Head&, std::size_t) {
    return 1.0;
  };
  double softcap = 0;
  // Weights of the scores up to the query's own; none: softmax.
  std::function<std::vector<double>(const std::vector<double>&)> weights;
};

// sum of out * d_out over all heads.
inline double loss(const Operands& in, const AttentionCall& call, const Scheme& scheme,
                   const std::vector<double>& d_output) {
  const AttentionShape& shape = call.shape;
  double sum = 0;
  for (std::size_t b = 0; b < shape.batches; ++b) {
    for (std::size_t h = 0; h < shape.heads; ++h) {
      const Head head{in, call, b, h};
      Band band = call.band;
      if (!call.key_lengths.empty()) band.key_length = std::size_t(call.key_lengths[b]);
      band.offset = first_query(call, b);
      reference::AttentionTerms terms;
      terms.scale = [&](std::size_t m) { return double(call.scale) * scheme.row_scale(head, m); };
      terms.softcap = scheme.softcap;
      terms.bias = [&](std::size_t m, std::size_t n) {
        const IndexRange seen = visible_keys(band, m, shape.keys);
        return n < seen.first || n >= seen.past_end ? hidden : scheme.bias(head, m, n);
      };
      if (in.contains("sinks")) terms.sink = in.at("sinks")[h];
      // v in double: the reference takes floats, so values are weighted here.
      const Matrix none(shape.keys, 0);
      auto weights = reference::attend(
                         shape.queries,
                         [&](std::size_t m, std::size_t n) { return scheme.product(head, m, n); },
                         none.view(), terms)
                         .weights;
      for (std::size_t m = 0; m < shape.queries && scheme.weights; ++m) {
        std::vector<double> scores;
        for (std::size_t n = 0; n <= m + std::size_t(band.offset); ++n)
          scores.push_back(terms.scale(m) * scheme.product(head, m, n));
        weights[m] = scheme.weights(scores);
        weights[m].resize(shape.keys);
      }
      for (std::size_t m = 0; m < shape.queries; ++m) {
        for (std::size_t n = 0; n < shape.keys; ++n) {
          if (weights[m][n] == 0) continue;
          const auto v =
              head.row("v", head.key_head(), shape.key_heads, shape.keys, n, shape.value_dim);
          for (std::size_t d = 0; d < shape.value_dim; ++d) {
            const std::size_t at =
                ((b * shape.heads + h) * shape.queries + m) * shape.value_dim + d;
            sum += weights[m][n] * v[d] * d_output[at];
          }
        }
      }
    }
  }
  return sum;
}

// A call with operands of its own, and where their gradients go.
struct Case {
  AttentionCall call;
  std::map<std::string, std::vector<float>> in, gradients;
  std::vector<float> d_output;

  Case(const AttentionShape& shape, const Band& band, std::uint64_t seed) {
    call.shape = shape;
    call.band = band;
    call.scale = 0.4f;
    const std::size_t q_rows = shape.batches * shape.heads * shape.queries;
    const std::size_t key_rows = shape.batches * shape.key_heads * shape.keys;
    add("q", q_rows * shape.dim, seed);
    add("k", key_rows * shape.dim, seed + 1);
    add("v", key_rows * shape.value_dim, seed + 2);
    call.q = HeadsView::contiguous(in["q"].data(), shape.heads, shape.queries, shape.dim);
    call.k = HeadsView::contiguous(in["k"].data(), shape.key_heads, shape.keys, shape.dim);
    call.v = HeadsView::contiguous(in["v"].data(), shape.key_heads, shape.keys, shape.value_dim);
    d_output = random_floats(q_rows * shape.value_dim, seed + 3);
  }

  std::span<float> add(const char* name, std::size_t count, std::uint64_t seed) {
    gradients[name].assign(count, 0.0f);
    return in[name] = random_floats(count, seed);
  }

  void run() {
    const AttentionShape& shape = call.shape;
    const std::size_t rows = shape.batches * shape.heads * shape.queries;
    std::vector<float> output(rows * shape.value_dim), log_sum_exp(rows);
    AttentionScratch scratch;
    attend(call,
           {.output = output.data(), .log_sum_exp = call.weighting ? nullptr : log_sum_exp.data()},
           scratch);
    attend_backward(call, {output.data(), log_sum_exp.data(), d_output.data()},
                    {gradients["q"].data(), gradients["k"].data(), gradients["v"].data(),
                     in.contains("sinks") ? gradients["sinks"].data() : nullptr},
                    scratch);
  }

  // Compares the gradient of each operand with central differences along a random direction.
  void check(const Scheme& scheme) {
    Operands exact;
    for (const auto& [name, values] : in) exact[name] = {values.begin(), values.end()};
    const std::vector<double> d_out(d_output.begin(), d_output.end());
    for (const auto& [name, gradient] : gradients) {
      const auto direction = random_floats(gradient.size(), 99);
      double expected = 0, norm = 0, slope = 0;
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        expected += double(gradient[i]) * direction[i];
        norm += std::abs(double(gradient[i]) * direction[i]);
      }
      constexpr double step = 1e-5;
      for (const double sign : {1.0, -1.0}) {
        Operands moved = exact;
        for (std::size_t i = 0; i < gradient.size(); ++i)
          moved[name][i] += sign * step * direction[i];
        slope += sign * loss(moved, call, scheme, d_out) / (2 * step);
      }
      CAPTURE(name, expected, slope, norm);
      CHECK(norm > 0);
      CHECK(std::abs(expected - slope) <= 4e-6 * norm + 1e-7);
    }
  }
};

inline constexpr Band causal{.lookahead = 0};

}  // namespace ropewalk
