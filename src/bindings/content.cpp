// Attention whose positions come from the text, and what goes with it.
#include <algorithm>
#include <cmath>
#include <limits>

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
#include "kernels/stick_breaking.hpp"

namespace ropewalk::bindings {
namespace {

// A call with a scheme whose numbers come from the text. Each scheme is a function that takes the
// record's own numbers and its tensors, in the order of the schema in js/attention/text_schemes.ts.
class ContentCall {
 public:
  ContentCall(AttentionCall& call, const AttentionRecord& record)
      : call_(call), record_(record), modifiers_(call.modifiers.begin(), call.modifiers.end()) {}

  // own: a PathGate; floats: w, beta, logarithms of gates (if any)
  std::span<float> path() {
    const auto gate = static_cast<PathGate>(static_cast<int>(own(0)));
    const std::span<float> w = floats_in.take(rows(shape_.key_heads) * shape_.dim);
    const std::span<float> betas = floats_in.take(rows(shape_.key_heads));
    PathScores scores(
        call_, {HeadsView::contiguous(w.data(), shape_.key_heads, shape_.keys, shape_.dim), betas});
    call_.product = &scores;
    if (gate == PathGate::none) return attended_with(nullptr);
    return attended_with_gates(PrefixTerm::number, path_gate_factor(gate, call_.scale));
  }

  // own: a PrefixTerm, whether there are scalar gates; floats: gates per channel, scalar gates
  std::span<float> wall() {
    const auto term = static_cast<PrefixTerm>(static_cast<int>(own(0)));
    const std::span<float> gates = floats_in.take(rows(shape_.heads) * shape_.dim);
    const std::vector<double> sums = wall_sums(gates, shape_.keys, shape_.dim, term);
    WallScores scores(call_, sums);
    call_.product = &scores;
    return own(1) == 0.0 ? attended_with(nullptr) : attended_with_gates(term, 1.0);
  }

  // own: whether there are directions of keys, of queries, whether they are normalized; floats:
  // logits of the slopes, slopes, directions of keys and of queries (if any)
  std::span<float> grape_a() {
    const std::span<float> raw = floats_in.take(shape_.heads),
                           slopes = floats_in.take(shape_.heads);
    std::vector<float> omegas(shape_.heads);
    std::ranges::transform(raw, slopes, omegas.begin(), slope_omega);
    const auto gates = [&](const HeadsView& x, std::size_t sharing, std::size_t length) {
      const float* const directions = floats_in.take(shape_.heads * shape_.dim).data();
      return slope_gates({x,
                          shape_.batches,
                          shape_.heads,
                          length,
                          sharing,
                          {directions, shape_.heads, shape_.dim},
                          omegas,
                          own(2) != 0.0});
    };
    std::vector<float> of_keys, of_queries;
    if (own(0) != 0.0) of_keys = gates(call_.k, shape_.heads / shape_.key_heads, shape_.keys);
    if (own(1) != 0.0) of_queries = gates(call_.q, 1, shape_.queries);
    const GatedSlopeBias bias(of_queries, of_keys);
    return attended_with(&bias);
  }

  // own: width, epsilon; floats: slopes, p
  std::span<float> grape_ap() {
    const auto width = static_cast<std::size_t>(own(0));
    const std::span<float> slopes = floats_in.take(shape_.heads), p = edge_rows(width);
    std::vector<float> r(p.size());
    path_integral_rows(r, p, shape_.keys, width, own(1));
    return attended_with_edges(EdgeRange::after_key, slopes, p, r, width, not_given);
  }

  // own: width, factor (NaN: the default); floats: slopes, p, r
  std::span<float> row_gates() {
    const auto width = static_cast<std::size_t>(own(0));
    const std::span<float> slopes = floats_in.take(shape_.heads), p = edge_rows(width);
    return attended_with_edges(EdgeRange::before_query, slopes, p, edge_rows(width), width, own(1));
  }

  // own: whether a query sees its own key, whether the remainder is added
  std::span<float> stick_breaking() {
    call_.weighting = stick_breaking_step;
    const OwnKeyMask mask;
    const std::span<float> all = attended_with(own(0) != 0.0 ? nullptr : &mask);
    if (own(1) == 0.0) return all;
    // The remainders are the last of the result.
    const std::size_t count = shape_.batches * shape_.heads * shape_.queries;
    add_remainders(call_, {.output = all.data(), .remainder = all.last(count).data()});
    return all;
  }

 private:
  static constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

  double own(std::size_t i) const { return record_.content[i]; }
  std::size_t rows(std::size_t heads) const { return shape_.batches * heads * shape_.keys; }
  std::span<float> edge_rows(std::size_t width) const {
    return floats_in.take(rows(shape_.heads) * width);
  }

  std::span<float> attended_with(const ScoreModifier* modifier) {
    if (modifier) insert_modifier(modifiers_, *modifier);
    call_.modifiers = modifiers_;
    return attended(call_, record_);
  }

  // floats: numbers of the gates
  std::span<float> attended_with_gates(PrefixTerm term, double factor) {
    PrefixNumbers gates;
    gates.form(floats_in.take(rows(shape_.heads)), shape_.batches * shape_.heads, term, false,
               factor);
    const PrefixSumBias bias(gates.sums());
    return attended_with(&bias);
  }

  std::span<float> attended_with_edges(EdgeRange range, std::span<const float> slopes,
                                       std::span<const float> p, std::span<const float> r,
                                       std::size_t width, double factor) {
    const std::size_t count = rows(shape_.heads);
    const EdgeSumBias bias(
        {p.data(), count, width}, {r.data(), count, width}, slopes,
        std::isnan(factor) ? edge_factor(range, width) : static_cast<float>(factor), range);
    return attended_with(&bias);
  }

  AttentionCall& call_;
  const AttentionRecord& record_;
  const AttentionShape& shape_ = call_.shape;
  std::vector<const ScoreModifier*> modifiers_;
};

// A record counts them from 1; 0: none. The names are those of the package.
enum class ContentScheme : int {};
struct ContentKind {
  const char* name;
  std::span<float> (ContentCall::*run)();
};
constexpr ContentKind content_kinds[] = {
    {"path", &ContentCall::path},           {"wall", &ContentCall::wall},
    {"grape-a", &ContentCall::grape_a},     {"grape-ap", &ContentCall::grape_ap},
    {"row-gates", &ContentCall::row_gates}, {"stick-breaking", &ContentCall::stick_breaking}};

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
  const auto scheme = static_cast<std::size_t>(record.content_scheme);
  if (scheme == 0) return attended(call, record);
  require(scheme <= std::size(content_kinds), "attention: position.type must be one of ",
          std::size(content_kinds), ", got ", scheme);
  return (ContentCall(call, record).*content_kinds[scheme - 1].run)();
}

EMSCRIPTEN_BINDINGS(content) {
  using namespace emscripten;
  enum_<ContentScheme> schemes("ContentScheme", enum_value_type::number);
  for (const ContentKind& kind : content_kinds)
    schemes.value(kind.name, static_cast<ContentScheme>(&kind - content_kinds + 1));
  enum_<PolarLayout>("PolarLayout", enum_value_type::string)
      .value("interleaved", PolarLayout::interleaved)
      .value("half-split", PolarLayout::half_split);
  function("polar", &polar);
  function("selectiveScores", &selective);
  function("updatePathKeys", &updated_path_keys);
}

}  // namespace ropewalk::bindings
