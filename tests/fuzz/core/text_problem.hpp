// Causal attention whose positions come from the text, beside the same in double: outputs, and
// gradients along drawn directions beside central differences.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "attention/backward.hpp"
#include "fuzz/core/cases.hpp"
#include "reference/kernels.hpp"

namespace ropewalk::fuzz {

using Exact = std::map<std::string, std::vector<double>>;
using Weights = std::vector<double> (*)(const std::vector<double>& scores);

// A causal call whose queries are the last of the keys.
struct Problem {
  AttentionShape shape;
  AttentionCall call;
  std::map<std::string, std::vector<float>> in, gradients;  // gradients: those to be computed
  std::vector<float> output, d_output;

  explicit Problem(Draws& draws) {
    const std::size_t key_heads = draws.size(2), keys = draws.size(60);
    shape = {
        draws.size(2), key_heads * draws.size(2), key_heads, draws.size(keys), keys, draws.size(12),
        draws.size(8)};
    add("q", draws, rows() * shape.dim);
    add("k", draws, key_rows() * shape.dim);
    add("v", draws, key_rows() * shape.value_dim);
    d_output = draws.floats(rows() * shape.value_dim);
    call.shape = shape;
    call.q = HeadsView::contiguous(in["q"].data(), shape.heads, shape.queries, shape.dim);
    call.k = HeadsView::contiguous(in["k"].data(), shape.key_heads, keys, shape.dim);
    call.v = HeadsView::contiguous(in["v"].data(), shape.key_heads, keys, shape.value_dim);
    call.scale = float(draws.uniform(0.1, 1.5));
    call.band.lookahead = 0;
    call.ends_at_last_key = true;
  }

  std::size_t rows() const { return shape.batches * shape.heads * shape.queries; }
  std::size_t key_rows() const { return shape.batches * shape.key_heads * shape.keys; }
  std::size_t own_key(std::size_t m) const { return shape.keys - shape.queries + m; }
  std::size_t key_head(std::size_t batch, std::size_t head) const {
    return batch * shape.key_heads + head / (shape.heads / shape.key_heads);
  }
  // The first value of a query, of a key, and of a head with a row per key, of so many values each.
  std::size_t query(std::size_t b, std::size_t h, std::size_t m) const {
    return ((b * shape.heads + h) * shape.queries + m) * shape.dim;
  }
  std::size_t key(std::size_t b, std::size_t h, std::size_t n) const {
    return (key_head(b, h) * shape.keys + n) * shape.dim;
  }
  std::size_t token(std::size_t b, std::size_t h, std::size_t n, std::size_t values = 1) const {
    return ((b * shape.heads + h) * shape.keys + n) * values;
  }

  std::span<float> add(const char* name, Draws& draws, std::size_t count) {
    gradients[name].assign(count, 0.0f);
    return in[name] = draws.floats(count);
  }

  void run() {
    output.resize(rows() * shape.value_dim);
    std::vector<float> log_sum_exp(rows());
    AttentionScratch scratch;
    attend(call, {.output = output.data(), .log_sum_exp = log_sum_exp.data()}, scratch);
    if (gradients.empty()) return;
    attend_backward(call, {output.data(), log_sum_exp.data(), d_output.data()},
                    {gradients["q"].data(), gradients["k"].data(), gradients["v"].data()}, scratch);
  }

  std::size_t tokens() const { return shape.batches * shape.heads * shape.keys; }

  // scale q kT of a query and the keys up to its own.
  std::vector<double> products(const Exact& exact, std::size_t b, std::size_t h,
                               std::size_t m) const {
    std::vector<double> all(own_key(m) + 1);
    for (std::size_t i = 0; i < all.size() * shape.dim; ++i)
      all[i / shape.dim] += double(call.scale) * exact.at("q")[query(b, h, m) + i % shape.dim] *
                            exact.at("k")[key(b, h, 0) + i];
    return all;
  }

  // use(value of the output, sum of the magnitudes of its terms), one after another.
  template <class Scores, class Use>
  void for_each_output(const Exact& exact, Scores scores, Weights weights, Use use) const {
    for (std::size_t b = 0; b < shape.batches; ++b) {
      for (std::size_t h = 0; h < shape.heads; ++h) {
        for (std::size_t m = 0; m < shape.queries; ++m) {
          const std::vector<double> of_row = scores(exact, b, h, m), row = weights(of_row);
          const double* const v = &exact.at("v")[key_head(b, h) * shape.keys * shape.value_dim];
          double largest = 1;
          for (const double score : of_row) largest = std::max(largest, std::abs(score));
          for (std::size_t c = 0; c < shape.value_dim; ++c) {
            double sum = 0, magnitude = 0;
            for (std::size_t n = 0; n < row.size(); ++n) {
              sum += row[n] * v[n * shape.value_dim + c];
              magnitude += std::abs(row[n] * v[n * shape.value_dim + c]);
            }
            use(sum, largest * magnitude);
          }
        }
      }
    }
  }

  // scores(in, batch, head, m): of the keys 0 ... own_key(m). Rounding of a chain as long as the
  // keys, relative to what an output or a gradient is a sum of. The gradient of a score is a
  // difference, whose rounding is relative to both: with one key it is nothing else.
  template <class Scores>
  void compare(Draws& draws, Comparison& comparison, Scores scores, Weights weights) const {
    Exact exact;
    for (const auto& [name, values] : in) exact[name] = {values.begin(), values.end()};
    auto actual = output.begin();
    for_each_output(exact, scores, weights, [&](double expected, double magnitude) {
      comparison.add(*actual++, expected, 3e-5 * magnitude + 1e-6);
    });
    double largest_v = 0, differences = 0;
    for (const double value : exact["v"]) largest_v = std::max(largest_v, std::abs(value));
    for (const float d : d_output) differences += std::abs(d) * largest_v;
    for (const auto& [name, gradient] : gradients) {
      const auto direction = draws.floats(gradient.size());
      double along = 0, norm = 0, slope = 0;
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        along += double(gradient[i]) * direction[i];
        norm += std::abs(double(gradient[i]) * direction[i]);
      }
      for (const double step : {1e-5, -1e-5}) {
        Exact moved = exact;
        for (std::size_t i = 0; i < gradient.size(); ++i) moved[name][i] += step * direction[i];
        auto d = d_output.begin();
        for_each_output(moved, scores, weights,
                        [&](double value, double) { slope += value * double(*d++) / (2 * step); });
      }
      comparison.add(along, slope, 3e-5 * norm + 3e-6 * differences + 1e-5);
    }
  }
};

inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

inline std::vector<double> softmax(const std::vector<double>& scores) {
  return reference::softmax(scores);
}
}  // namespace ropewalk::fuzz
