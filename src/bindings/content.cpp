// Attention whose positions come from the text, and what goes with it.
#include <cmath>

#include "bindings/attention_call.hpp"
#include "bindings/boundary.hpp"
#include "bindings/stored.hpp"
#include "content/edge_sums.hpp"
#include "content/grape.hpp"
#include "content/path.hpp"
#include "content/polar.hpp"
#include "content/selective.hpp"
#include "content/stick_breaking.hpp"
#include "content/wall.hpp"
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

// A call with such a scheme, whose tensors are those that its function takes.
class ContentCall {
 public:
  explicit ContentCall(AttentionCall& call)
      : call_(call), modifiers_(call.modifiers.begin(), call.modifiers.end()) {}

  std::span<float> run(const AttentionRecord& record) {
    const auto& own = record.content;
    const auto scheme = static_cast<std::size_t>(record.content_scheme);
    switch (scheme) {
      case path:
        return with_path(static_cast<PathGate>(static_cast<int>(own[0])), record);
      case wall:
        return with_wall(static_cast<PrefixTerm>(static_cast<int>(own[0])), own[1] != 0.0, record);
      case grape_a:
        return with_grape_a(own[0] != 0.0, own[1] != 0.0, own[2] != 0.0, record);
      case path_integral:
      case row_gates:
        return with_edges(scheme == path_integral, static_cast<std::size_t>(own[0]), own[1],
                          record);
      case stick_breaking:
        return with_sticks(own[0] != 0.0, own[1] != 0.0, record);
    }
    require(false, "attention: position.type must be one of ", content_schemes - 1, ", got ",
            scheme);
    return {};
  }

 private:
  std::size_t rows(std::size_t heads) const { return shape_.batches * heads * shape_.keys; }

  std::span<float> attended_with(const ScoreModifier* modifier, const AttentionRecord& record) {
    if (modifier) insert_modifier(modifiers_, *modifier);
    call_.modifiers = modifiers_;
    return attended(call_, record);
  }

  // floats: numbers of the gates
  std::span<float> attended_with_gates(PrefixTerm kind, double factor,
                                       const AttentionRecord& record) {
    PrefixNumbers gates;
    gates.form(floats_in.take(rows(shape_.heads)), shape_.batches * shape_.heads, kind, false,
               factor);
    const PrefixSumBias bias(gates.sums());
    return attended_with(&bias, record);
  }

  // floats: w, beta, logarithms of gates (if any)
  std::span<float> with_path(PathGate gate, const AttentionRecord& record) {
    const std::span<float> w = floats_in.take(rows(shape_.key_heads) * shape_.dim);
    const std::span<float> betas = floats_in.take(rows(shape_.key_heads));
    PathScores scores(
        call_, {HeadsView::contiguous(w.data(), shape_.key_heads, shape_.keys, shape_.dim), betas});
    call_.product = &scores;
    if (gate == PathGate::none) return attended_with(nullptr, record);
    return attended_with_gates(PrefixTerm::number, path_gate_factor(gate, call_.scale), record);
  }

  // floats: gates per channel, scalar gates (if any)
  std::span<float> with_wall(PrefixTerm kind, bool has_scalar, const AttentionRecord& record) {
    const std::vector<double> sums =
        wall_sums(floats_in.take(rows(shape_.heads) * shape_.dim), shape_.keys, shape_.dim, kind);
    WallScores scores(call_, sums);
    call_.product = &scores;
    if (!has_scalar) return attended_with(nullptr, record);
    return attended_with_gates(kind, 1.0, record);
  }

  // floats: logits of the slopes, slopes, directions of keys and of queries (if any)
  std::span<float> with_grape_a(bool has_key, bool has_query, bool normalizes,
                                const AttentionRecord& record) {
    const std::span<float> raw = floats_in.take(shape_.heads),
                           slopes = floats_in.take(shape_.heads);
    softplus(raw, raw);
    for (std::size_t h = 0; h < slopes.size(); ++h) slopes[h] *= raw[h];
    const auto gates = [&](const HeadsView& x, std::size_t sharing, std::size_t length) {
      const float* const directions = floats_in.take(shape_.heads * shape_.dim).data();
      return slope_gates({x,
                          shape_.batches,
                          shape_.heads,
                          length,
                          sharing,
                          {directions, shape_.heads, shape_.dim},
                          slopes,
                          normalizes});
    };
    std::vector<float> of_keys, of_queries;
    if (has_key) of_keys = gates(call_.k, shape_.heads / shape_.key_heads, shape_.keys);
    if (has_query) of_queries = gates(call_.q, 1, shape_.queries);
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
    const EdgeRange range = is_integral ? EdgeRange::after_key : EdgeRange::before_query;
    const float factor =
        is_integral || std::isnan(number) ? edge_factor(range, width) : static_cast<float>(number);
    const EdgeSumBias bias({p.data(), count, width}, {r.data(), count, width}, slopes, factor,
                           range);
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
    add_remainders(call_, {.output = all.data(), .remainder = all.last(count).data()});
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
  return record.content_scheme == no_scheme ? attended(call, record)
                                            : ContentCall(call).run(record);
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
