// Causal attention whose positions come from the text, with the other options of a call, beside the
// same in double: outputs and intermediates, and gradients along drawn directions beside central
// differences.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "attention/backward.hpp"
#include "attention/scratch.hpp"
#include "fuzz/core/cases.hpp"
#include "reference/kernels.hpp"

namespace ropewalk::fuzz {

using Exact = std::map<std::string, std::vector<double>>;
// Numbers of the keys up to that of query m, or to the last.
using OfRow =
    std::function<std::vector<double>(const Exact&, std::size_t b, std::size_t h, std::size_t m)>;
using Weights = std::vector<double> (*)(const std::vector<double>& scores);

inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

inline std::vector<double> softmax(const std::vector<double>& scores) {
  return reference::softmax(scores);
}

// What a scheme does, in double.
struct TextReference {
  OfRow products;     // in place of scale q kT, or what becomes of it
  OfRow biases = {};  // added to the scores
  // Changes the scores of a row, which are -infinity where a key is hidden.
  std::function<void(const Exact&, std::size_t b, std::size_t h, std::size_t m,
                     std::vector<double>& scores)>
      contextual = {};
  Weights weights = softmax;  // of scores that are -infinity where a key is hidden
  bool hides_own_key = false;
  bool reads_own_key = false;      // a query past the last key is refused
  bool is_causal_product = false;  // there are no scores of keys after the query
  const bool* has_jump = nullptr;  // set by the others where the gradient may jump: not compared
};

// A causal call with drawn options. Queries may outnumber keys, and stand before and after them.
struct Problem {
  AttentionShape shape;
  AttentionCall call;
  std::map<std::string, std::vector<float>> in, gradients;  // gradients: those to be computed
  std::vector<float> output, d_output;

  // One in twelve has several blocks of keys, and few queries.
  explicit Problem(Draws& draws, std::size_t most_keys = 60) {
    const bool is_long = draws.chance(1, 12);
    const std::size_t key_heads = draws.size(2),
                      keys = is_long ? 240 + draws.size(400) : draws.size(most_keys),
                      queries = draws.size(is_long              ? 40
                                           : draws.chance(1, 3) ? keys + 20
                                                                : keys);
    shape = {draws.size(2), key_heads * draws.size(2), key_heads, queries, keys, draws.size(12),
             draws.size(8)};
    add("q", draws, rows() * shape.dim);
    add("k", draws, key_rows() * shape.dim);
    add("v", draws, key_rows() * shape.value_dim);
    d_output = draws.floats(rows() * shape.value_dim);
    call.shape = shape;
    call.q = HeadsView::contiguous(in["q"].data(), shape.heads, queries, shape.dim);
    call.k = HeadsView::contiguous(in["k"].data(), shape.key_heads, keys, shape.dim);
    call.v = HeadsView::contiguous(in["v"].data(), shape.key_heads, keys, shape.value_dim);
    call.scale = float(draws.uniform(0.1, 1.5));
    call.band.lookahead = 0;
    call.ends_at_last_key = draws.chance(1, 2);
    if (!call.ends_at_last_key && draws.chance(1, 2))
      call.band.offset = std::ptrdiff_t(draws.below(keys + 1));
    if (draws.chance(1, 4)) call.band.lookback = draws.below(keys);
    if (draws.chance(1, 3)) {
      for (std::size_t b = 0; b < shape.batches; ++b)
        key_lengths_.push_back(double(draws.below(keys + 1)));
      call.key_lengths = key_lengths_;
    }
    draw_modifiers(draws);
  }
  Problem(const Problem&) = delete;

  std::size_t rows() const { return shape.batches * shape.heads * shape.queries; }
  std::size_t key_rows() const { return shape.batches * shape.key_heads * shape.keys; }
  std::size_t tokens() const { return shape.batches * shape.heads * shape.keys; }
  // The key at which a query stands, if there is one.
  std::ptrdiff_t own_key(std::size_t b, std::size_t m) const {
    return first_query(call, b) + std::ptrdiff_t(m);
  }
  // Keys up to the query's own.
  std::size_t reach(std::size_t b, std::size_t m) const {
    return std::size_t(
        std::clamp<std::ptrdiff_t>(own_key(b, m) + 1, 0, std::ptrdiff_t(shape.keys)));
  }
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

  void attach(const ScoreModifier& modifier) {
    insert_modifier(modifiers_, modifier);
    call.modifiers = modifiers_;
  }

  // scale q kT of a query and the keys up to its own.
  OfRow products() const {
    return [this](const Exact& exact, std::size_t b, std::size_t h, std::size_t m) {
      std::vector<double> all(reach(b, m));
      const double *const q = &exact.at("q")[query(b, h, m)], *k = &exact.at("k")[key(b, h, 0)];
      for (double& product : all) {
        for (std::size_t d = 0; d < shape.dim; ++d) product += double(call.scale) * q[d] * *k++;
      }
      return all;
    };
  }

  // Computes outputs and gradients. Returns whether there are any to compare: the call is not one
  // that has to be refused.
  bool run(Comparison& comparison, bool reads_own_key = false) {
    output.assign(rows() * shape.value_dim, not_a_number);
    std::vector<float> log_sum_exp(call.weighting ? 0 : rows());
    AttentionScratch scratch;
    const std::string rule = "must stand at one of " + std::to_string(shape.keys) + " keys, got ";
    const auto is_refused = [&](auto work) {
      try {
        work();
      } catch (const std::invalid_argument& error) {
        return std::string(error.what()).find(rule) != std::string::npos;
      }
      return false;
    };
    const bool stands_past_keys = [&] {
      for (std::size_t b = 0; b < shape.batches; ++b)
        if (own_key(b, shape.queries - 1) >= std::ptrdiff_t(shape.keys)) return true;
      return false;
    }();
    const bool must_be_refused = reads_own_key && stands_past_keys;
    const bool has_no_output = is_refused([&] {
      attend(
          call,
          {.output = output.data(), .log_sum_exp = call.weighting ? nullptr : log_sum_exp.data()},
          scratch);
    });
    comparison.add(has_no_output, must_be_refused, 0.5);
    const bool has_no_gradient = is_refused([&] {
      attend_backward(call, {output.data(), log_sum_exp.data(), d_output.data()},
                      {gradients["q"].data(), gradients["k"].data(), gradients["v"].data()},
                      scratch);
    });
    comparison.add(has_no_gradient, must_be_refused, 0.5);
    for (std::size_t i = 0; must_be_refused && i < output.size(); ++i)
      comparison.add(output[i], not_a_number, 0);
    return !must_be_refused;
  }

  // Rounding of a chain as long as the keys, relative to what an output or a gradient is a sum of.
  // The gradient of a score is a difference, whose rounding is relative to both: with one key it is
  // nothing else.
  void compare(Draws& draws, Comparison& comparison, const TextReference& reference) {
    Exact exact;
    for (const auto& [name, values] : in) exact[name] = {values.begin(), values.end()};
    compare_rows(comparison, exact, reference);
    compare_hidden_values(draws, comparison, reference);
    if (reference.has_jump && *reference.has_jump) return;
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
        for_each_row(moved, reference, [&](const ExactRow& row) {
          for (const double value : row.output) slope += value * double(*d++) / (2 * step);
        });
      }
      comparison.add(along, slope, 3e-5 * norm + 3e-6 * differences + 1e-5);
    }
  }

 private:
  struct ExactRow {
    std::size_t b, h, m;
    std::vector<double> scores, capped, biased, weights, output, magnitudes;
    double largest = 1;  // of the scores that are seen
  };

  void draw_modifiers(Draws& draws) {
    if (draws.chance(1, 4)) {
      const auto factors = add("row factors", draws, shape.heads * shape.queries);
      factors[draws.below(factors.size())] = 0.0f;
      attach(row_scale_.emplace(RowLists<float>{factors, {.head = shape.queries}},
                                gradients["row factors"].data()));
    }
    if (draws.chance(1, 4)) {
      cap_ = float(draws.uniform(0.5, 20));
      attach(softcap_.emplace(float(cap_)));
    }
    if (draws.chance(1, 4)) {
      Random random(1 + draws.bits());
      for (std::size_t n = 0; n < shape.keys; ++n) mask_bytes_.push_back(random.bits() % 3 > 0);
      attach(mask_.emplace(mask_bytes_, BroadcastShape({1, 1, 1, shape.keys}), true));
    }
  }

  bool sees(const TextReference& reference, std::size_t b, std::size_t m, std::size_t n) const {
    Band band = call.band;
    band.offset = first_query(call, b);
    if (!key_lengths_.empty()) band.key_length = std::size_t(key_lengths_[b]);
    return ropewalk::sees(band, m, n) && (mask_bytes_.empty() || mask_bytes_[n]) &&
           !(reference.hides_own_key && std::ptrdiff_t(n) == own_key(b, m));
  }

  ExactRow exact_row(const Exact& exact, const TextReference& reference, std::size_t b,
                     std::size_t h, std::size_t m) const {
    ExactRow row{b, h, m, reference.products(exact, b, h, m), {}, {}, {}, {}, {}};
    const auto biases = reference.biases ? reference.biases(exact, b, h, m)
                                         : std::vector<double>(row.scores.size());
    bool sees_any = false;
    for (std::size_t n = 0; n < row.scores.size(); ++n) {
      if (row_scale_) row.scores[n] *= exact.at("row factors")[h * shape.queries + m];
      row.capped.push_back(cap_ == 0 ? row.scores[n] : cap_ * std::tanh(row.scores[n] / cap_));
      const bool is_seen = sees(reference, b, m, n);
      row.biased.push_back(is_seen ? row.capped[n] + biases[n] : -double(infinity));
      for (const double score : {row.scores[n], row.capped[n] + biases[n]})
        if (is_seen) row.largest = std::max(row.largest, std::abs(score));
      sees_any = sees_any || is_seen;
    }
    if (reference.contextual) reference.contextual(exact, b, h, m, row.biased);
    row.weights = sees_any ? reference.weights(row.biased) : std::vector<double>(row.scores.size());
    const double* const v = &exact.at("v")[key_head(b, h) * shape.keys * shape.value_dim];
    row.output.resize(shape.value_dim);
    row.magnitudes.resize(shape.value_dim);
    for (std::size_t i = 0; i < row.weights.size() * shape.value_dim; ++i) {
      const double term = row.weights[i / shape.value_dim] * v[i];
      row.output[i % shape.value_dim] += term;
      row.magnitudes[i % shape.value_dim] += std::abs(term);
    }
    return row;
  }

  template <class Use>
  void for_each_row(const Exact& exact, const TextReference& reference, Use use) const {
    for (std::size_t i = 0; i < rows(); ++i) {
      const std::size_t head = i / shape.queries;
      use(exact_row(exact, reference, head / shape.heads, head % shape.heads, i % shape.queries));
    }
  }

  // Outputs and intermediates, each beside its exact value.
  struct Kept {
    std::vector<float> output, scores, capped, biased, weights, remainder;
  };
  Kept kept() const {
    const std::vector<float> cells(rows() * shape.keys, not_a_number);
    Kept all{std::vector<float>(output.size()), cells, cells, cells, cells, {}};
    if (call.weighting) all.remainder.resize(rows());
    AttentionScratch scratch;
    scratch.scores.assign(block_of_scores, not_a_number);
    attend(call,
           {.output = all.output.data(),
            .scores = all.scores.data(),
            .capped = all.capped.data(),
            .biased = all.biased.data(),
            .weights = all.weights.data(),
            .remainder = call.weighting ? all.remainder.data() : nullptr},
           scratch);
    return all;
  }

  void compare_rows(Comparison& comparison, const Exact& exact,
                    const TextReference& reference) const {
    const Kept all = kept();
    std::size_t r = 0;
    for_each_row(exact, reference, [&](const ExactRow& row) {
      for (std::size_t c = 0; c < shape.value_dim; ++c) {
        const double bound = 3e-5 * row.largest * row.magnitudes[c] + 1e-6;
        for (const auto* list : {&output, &all.output})
          comparison.add((*list)[r * shape.value_dim + c], row.output[c], bound);
      }
      double remainder = 1, largest = 1;
      for (const double score : row.scores) largest = std::max(largest, std::abs(score));
      for (std::size_t n = 0; n < shape.keys; ++n) {
        const std::size_t at = r * shape.keys + n;
        const bool is_later = n >= row.scores.size();
        const double bound = 1e-4 * largest, none = -double(infinity);
        if (!is_later || reference.is_causal_product) {
          comparison.add(all.scores[at], is_later ? none : row.scores[n], bound);
          comparison.add(all.capped[at], is_later ? none : row.capped[n], bound);
        }
        comparison.add(all.biased[at], is_later ? none : row.biased[n],
                       1e-4 * std::max(largest, row.largest));
        const double weight = is_later ? 0 : row.weights[n];
        comparison.add(all.weights[at], weight, weight == 0 ? 0 : 3e-5 * row.largest);
        if (!is_later) remainder -= row.weights[n];
      }
      if (call.weighting) comparison.add(all.remainder[r], remainder, 3e-5 * row.largest);
      ++r;
    });
  }

  // Values that no sum can hold, in some keys: the rows that do not see them keep their outputs.
  void compare_hidden_values(Draws& draws, Comparison& comparison, const TextReference& reference) {
    if (draws.chance(1, 2)) return;
    constexpr float bad[] = {not_a_number, infinity, -infinity, 3e38f};
    const std::vector<float> clean = in["v"], clean_output = output;
    const Kept clean_steps = kept();
    std::vector<bool> is_bad(shape.keys);
    for (std::size_t n = 0; n < shape.keys; ++n) is_bad[n] = draws.chance(1, 6);
    for (std::size_t i = 0; i < clean.size(); ++i) {
      if (is_bad[i / shape.value_dim % shape.keys]) in["v"][i] = bad[i % 4];
    }
    AttentionScratch scratch;
    attend(call, {.output = output.data()}, scratch);
    const Kept steps = kept();
    for (std::size_t i = 0; i < output.size(); ++i) {
      const std::size_t row = i / shape.value_dim, b = row / shape.queries / shape.heads;
      bool sees_bad = false;
      for (std::size_t n = 0; n < shape.keys; ++n)
        sees_bad = sees_bad || (is_bad[n] && sees(reference, b, row % shape.queries, n));
      if (sees_bad) continue;
      comparison.add(output[i], clean_output[i], 0);
      comparison.add(steps.output[i], clean_steps.output[i], 0);
    }
    in["v"] = clean;
    output = clean_output;
  }

  // More than a block of scores is.
  static constexpr std::size_t block_of_scores = 10000;

  std::vector<double> key_lengths_;
  double cap_ = 0;  // 0: none
  std::vector<std::uint8_t> mask_bytes_;
  std::optional<RowScale> row_scale_;
  std::optional<Softcap> softcap_;
  std::optional<BooleanMask> mask_;
  std::vector<const ScoreModifier*> modifiers_;
};

}  // namespace ropewalk::fuzz
