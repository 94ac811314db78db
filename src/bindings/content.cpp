// Attention whose positions come from the text, and what goes with it.
#include "content/polar.hpp"

#include "attention/gate_modifiers.hpp"
#include "attention/path_scores.hpp"
#include "attention/temperature.hpp"
#include "attention/wall_scores.hpp"
#include "bindings/attention_call.hpp"
#include "bindings/boundary.hpp"
#include "bindings/stored.hpp"
#include "kernels/activations.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk::bindings {
namespace {

// Schemes whose numbers come from the text, with numbers of their own.
enum ContentScheme {
  no_scheme,
  path,            // the gate: 0 none, 1 unscaled, 2 scaled
  wall,            // the term of a gate, whether there are scalar gates
  grape_a,         // whether there are directions of keys, of queries, whether they are normalized
  path_integral,   // width, epsilon
  row_gates,       // width, factor; NaN: 1 / sqrt(width)
  stick_breaking,  // whether a query sees its own key, whether the remainder is added
  content_schemes
};

enum class PathGate { none, unscaled, scaled };

// A call with such a scheme, whose tensors are those that its function takes.
class ContentCall {
 public:
  explicit ContentCall(AttentionCall& call)
      : call_(call), modifiers_(call.modifiers.begin(), call.modifiers.end()) {}

  std::span<float> run(const ContentNumbers& numbers, const AttentionRecord& record) {
    const auto& own = numbers.own;
    switch (numbers.scheme) {
      case path:
        return with_path(static_cast<PathGate>(static_cast<int>(own[0])), record);
      case wall:
        return with_wall(static_cast<PrefixTerm>(static_cast<int>(own[0])), own[1] != 0.0, record);
      case grape_a:
        return with_grape_a(own[0] != 0.0, own[1] != 0.0, own[2] != 0.0, record);
      case path_integral:
      case row_gates:
        return with_edges(numbers.scheme == path_integral, static_cast<std::size_t>(own[0]), own[1],
                          record);
      case stick_breaking:
        return with_sticks(own[0] != 0.0, own[1] != 0.0, record);
    }
    require(false, "attention: position.type must be one of ", content_schemes - 1, ", got ",
            numbers.scheme);
    return {};
  }

 private:
  std::size_t rows(std::size_t heads) const { return shape_.batches * heads * shape_.keys; }

  std::span<float> attended_with(const ScoreModifier* modifier, const AttentionRecord& record) {
    if (modifier) insert_modifier(modifiers_, *modifier);
    call_.modifiers = modifiers_;
    return attended(call_, record);
  }

  // floats: w, beta, logarithms of gates (if any)
  std::span<float> with_path(PathGate gate, const AttentionRecord& record) {
    const std::span<float> w = floats_in.take(rows(shape_.key_heads) * shape_.dim);
    const std::span<float> betas = floats_in.take(rows(shape_.key_heads));
    PathScores scores(
        call_, {HeadsView::contiguous(w.data(), shape_.key_heads, shape_.keys, shape_.dim), betas});
    call_.product = &scores;
    if (gate == PathGate::none) return attended_with(nullptr, record);
    std::vector<double> sums(rows(shape_.heads));
    prefix_sums(sums, floats_in.take(sums.size()), shape_.batches * shape_.heads,
                PrefixTerm::number);
    if (gate == PathGate::scaled)
      for (double& sum : sums) sum *= double(call_.scale);
    const PrefixSumBias bias(sums);
    return attended_with(&bias, record);
  }

  // floats: gates per channel, scalar gates (if any)
  std::span<float> with_wall(PrefixTerm kind, bool has_scalar, const AttentionRecord& record) {
    const std::vector<double> sums =
        wall_sums(floats_in.take(rows(shape_.heads) * shape_.dim), shape_.keys, shape_.dim, kind);
    WallScores scores(call_, sums);
    call_.product = &scores;
    if (!has_scalar) return attended_with(nullptr, record);
    std::vector<double> scalar(rows(shape_.heads));
    prefix_sums(scalar, floats_in.take(scalar.size()), shape_.batches * shape_.heads, kind);
    const PrefixSumBias bias(scalar);
    return attended_with(&bias, record);
  }

  // floats: logits of the slopes, slopes, directions of keys and of queries (if any)
  std::span<float> with_grape_a(bool has_key, bool has_query, bool normalizes,
                                const AttentionRecord& record) {
    const std::span<float> raw = floats_in.take(shape_.heads),
                           slopes = floats_in.take(shape_.heads);
    softplus(raw, raw);
    for (std::size_t h = 0; h < slopes.size(); ++h) slopes[h] *= raw[h];
    const auto gates = [&](bool is_given, const HeadsView& x, std::size_t sharing,
                           std::size_t length) {
      std::vector<float> all(is_given ? shape_.batches * shape_.heads * length : 0);
      const std::span<float> directions = floats_in.take(is_given ? shape_.heads * shape_.dim : 0);
      for (std::size_t i = 0; i * length < all.size(); ++i) {
        const std::size_t batch = i / shape_.heads, h = i % shape_.heads;
        const std::span<float> given = directions.subspan(h * shape_.dim, shape_.dim);
        const std::vector<float> unit = unit_direction(given);
        slope_gates(std::span(all).subspan(i * length, length),
                    {x.head(batch, h / sharing), length, shape_.dim, x.row_step},
                    normalizes ? std::span<const float>(unit) : given, slopes[h]);
      }
      return all;
    };
    const auto of_keys = gates(has_key, call_.k, shape_.heads / shape_.key_heads, shape_.keys);
    const auto of_queries = gates(has_query, call_.q, 1, shape_.queries);
    const GatedSlopeBias bias(of_queries, of_keys);
    return attended_with(&bias, record);
  }

  // floats: slopes, p, and for gates per row r. `number`: of the path integral its epsilon, of
  // gates per row the factor, NaN: 1 / sqrt(width).
  std::span<float> with_edges(bool is_integral, std::size_t width, double number,
                              const AttentionRecord& record) {
    const std::span<float> slopes = floats_in.take(shape_.heads);
    const std::size_t count = rows(shape_.heads);
    const std::span<float> p = floats_in.take(count * width);
    std::vector<float> rotated;
    if (is_integral) {
      rotated.resize(p.size());
      path_integral_rows(rotated, p, shape_.keys, width, number);
    }
    const std::span<const float> r =
        is_integral ? std::span<const float>(rotated) : floats_in.take(count * width);
    const float factor =
        is_integral ? 1.0f / static_cast<float>(width) : scale_or_default(number, width);
    const EdgeSumBias bias({p.data(), count, width}, {r.data(), count, width}, slopes, factor,
                           is_integral ? EdgeRange::after_key : EdgeRange::before_query);
    return attended_with(&bias, record);
  }

  std::span<float> with_sticks(bool attends_current, bool adds_remainder,
                               const AttentionRecord& record) {
    call_.weighting = stick_breaking_step;
    const OwnKeyMask mask;
    const std::span<float> all = attended_with(attends_current ? nullptr : &mask, record);
    if (!adds_remainder) return all;
    // The remainders are the last of the result.
    const std::size_t count = shape_.batches * shape_.heads * shape_.queries;
    const std::span<float> remainders = all.last(count);
    const std::size_t sharing = shape_.heads / shape_.key_heads;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t batch = i / shape_.queries / shape_.heads,
                        head = i / shape_.queries % shape_.heads;
      const std::ptrdiff_t key =
          first_query(call_, batch) + static_cast<std::ptrdiff_t>(i % shape_.queries);
      if (key < 0 || key >= static_cast<std::ptrdiff_t>(shape_.keys)) continue;
      if (remainders[i] == 0.0f) continue;  // nothing of a value that may be infinite
      const ConstMatrixView v(call_.v.head(batch, head / sharing), shape_.keys, shape_.value_dim,
                              call_.v.row_step);
      add_scaled(all.subspan(i * shape_.value_dim, shape_.value_dim),
                 v.row(static_cast<std::size_t>(key)), remainders[i]);
    }
    return all;
  }

  AttentionCall& call_;
  const AttentionShape& shape_ = call_.shape;
  std::vector<const ScoreModifier*> modifiers_;
};

// floats: x (heads x length x dim), phases; doubles: positions
Pointer polar(std::size_t heads, std::size_t length, std::size_t dim, std::size_t width,
              std::size_t phases, double base, PolarLayout layout) {
  return guarded([=] {
    const std::span<float> x = floats_in.take(heads * length * dim);
    const std::span<float> to = floats_out.reserve(heads * length * (dim + width));
    polar_rows(
        to, x,
        {heads, length, dim, width, doubles_in.take(length), floats_in.take(phases), base, layout});
    return to;
  });
}

// floats: scores (batches x heads x queries x keys). Result: the same less the sums.
Pointer selective(std::size_t batches, std::size_t heads, std::size_t queries, std::size_t keys,
                  std::size_t gate_head, bool spares_first) {
  return guarded([=] {
    const std::size_t cells = queries * keys;
    const std::span<float> scores = floats_in.take(batches * heads * cells);
    const std::span<float> to = floats_out.assign({scores});
    for (std::size_t i = 0; i < batches * heads; ++i) {
      const std::size_t gate = i / heads * heads + gate_head;
      selective_bias({&to[i * cells], queries, keys}, {&scores[gate * cells], queries, keys},
                     spares_first);
    }
    return to;
  });
}

// floats: keys (heads x length x dim), w (heads x dim), beta (heads)
Pointer updated_path_keys(std::size_t heads, std::size_t length, std::size_t dim) {
  return guarded([=] {
    const std::span<float> given = floats_in.take(heads * length * dim);
    const std::span<float> keys = floats_out.assign({given});
    const std::span<float> w = floats_in.take(heads * dim), betas = floats_in.take(heads);
    for (std::size_t h = 0; h < heads; ++h) {
      path_update_keys({keys.data() + h * length * dim, length, dim}, w.subspan(h * dim, dim),
                       betas[h]);
    }
    return keys;
  });
}

}  // namespace

std::span<float> attended_by_any_scheme(AttentionCall& call, const AttentionRecord& record) {
  StoredOperands stored(call);
  const ContentNumbers numbers = content_numbers(record);
  return numbers.scheme == no_scheme ? attended(call, record)
                                     : ContentCall(call).run(numbers, record);
}

EMSCRIPTEN_BINDINGS(content) {
  using namespace emscripten;
  enum_<ContentScheme>("ContentScheme", enum_value_type::number)
      .value("path", path)
      .value("wall", wall)
      .value("grape-a", grape_a)
      .value("grape-ap", path_integral)
      .value("row-gates", row_gates)
      .value("stick-breaking", stick_breaking);
  enum_<PolarLayout>("PolarLayout", enum_value_type::string)
      .value("interleaved", PolarLayout::interleaved)
      .value("half-split", PolarLayout::half_split);
  function("polar", &polar);
  function("selectiveScores", &selective);
  function("updatePathKeys", &updated_path_keys);
}

}  // namespace ropewalk::bindings
