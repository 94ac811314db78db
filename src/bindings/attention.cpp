// Attention over batches and heads, with position where the scheme acts.
#include "attention/attention.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "bindings/boundary.hpp"
#include "bindings/scratch.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk::bindings {
namespace {

// The numbers of one attention call, which come first in the inbox in the order declared here: an
// Embind value_object would take longer than a small call.
class AttentionCall {
  static constexpr std::size_t numbers = 35;
  const double* next_ = doubles_in.take(numbers).data();
  double number() { return *next_++; }
  std::size_t whole() { return static_cast<std::size_t>(number()); }
  bool flag() { return number() != 0.0; }

 public:
  std::size_t batch = whole(), heads = whole(), key_heads = whole();
  std::size_t queries = whole(), keys = whole(), dim = whole(), value_dim = whole();
  double scale = number(), softcap = number();
  std::size_t offset = whole();  // key position of the first query, unless
  bool aligns_last = flag();     // the last query stands at the last key
  double lookback = number(), lookahead = number();  // infinity: unbounded
  // Steps of the bias from one batch, head and query to the next; 0 repeats it.
  std::size_t bias_size = whole(), bias_batch_step = whole(), bias_head_step = whole();
  std::size_t bias_row_step = whole();
  bool has_distance_bias = flag(), has_row_scale = flag(), has_sinks = flag(), has_key_lengths = flag();
  std::size_t rotations = whole();  // 0: none; more than one: near and far keys are rotated differently
  std::size_t position_batches = whole();  // 1: the positions of all batches are alike
  std::size_t rotary_pairs = whole();
  double attention_factor = number();
  bool is_half_split = flag();
  Address q_at = whole(), k_at = whole(), v_at = whole();  // of resident operands; 0: in the inbox
  bool want_scores = flag(), want_capped = flag(), want_biased = flag(), want_weights = flag();
  bool want_entropy = flag(), want_log_sum_exp = flag();

  RotaryLayout layout() const {
    return is_half_split ? RotaryLayout::half_split : RotaryLayout::interleaved;
  }
};

std::size_t bound(double keys) {
  return keys < 4294967295.0 ? static_cast<std::size_t>(keys) : all_keys;
}

constexpr std::size_t most_rotations = 3;  // dual chunk attention

// Queries and keys of all heads, rotated in one way.
struct Source {
  float *q = nullptr, *k = nullptr;
  std::vector<std::uint32_t> first_key;
};

// Deals out the operands of one attention call and runs it head by head.
class AttentionRun {
 public:
  AttentionRun() {
    q_ = operand(c.q_at, query_rows() * c.dim);
    k_ = operand(c.k_at, key_rows() * c.dim);
    v_ = operand(c.v_at, key_rows() * c.value_dim);
    bias_ = floats_in.take(c.bias_size);
    distance_bias_ = floats_in.take(c.has_distance_bias ? c.heads * offsets() : 0);
    row_scale_ = floats_in.take(c.has_row_scale ? c.queries : 0);
    sinks_ = floats_in.take(c.has_sinks ? c.heads : 0);
    key_lengths_ = doubles_in.take(c.has_key_lengths ? c.batch : 0);
    sources_[0] = {q_.data(), k_.data(), {}};
    if (c.rotations > 0) rotate_sources();
  }

  std::span<float> run() {
    const std::size_t cells = query_rows() * c.keys;
    const std::size_t kept = c.want_scores + c.want_capped + c.want_biased + c.want_weights;
    const std::size_t per_row = c.want_entropy + c.want_log_sum_exp;
    const std::size_t out_size = query_rows() * c.value_dim;
    const std::span<float> out = floats_out.reserve(out_size + cells * kept + query_rows() * per_row);
    float* next = out.data() + out_size;
    const auto deal = [&](bool wanted, std::size_t size) {
      return wanted ? std::exchange(next, next + size) : nullptr;
    };
    scores_ = deal(c.want_scores, cells);
    capped_ = deal(c.want_capped, cells);
    biased_ = deal(c.want_biased, cells);
    weights_ = deal(c.want_weights, cells);
    entropy_ = deal(c.want_entropy, query_rows());
    log_sum_exp_ = deal(c.want_log_sum_exp, query_rows());
    for (std::size_t b = 0; b < c.batch; ++b) {
      for (std::size_t h = 0; h < c.heads; ++h) run_head(out.data(), b, h, kept + c.want_entropy > 0);
    }
    return out;
  }

 private:
  static std::span<float> operand(Address at, std::size_t count) {
    return at == 0 ? floats_in.take(count) : std::span(reinterpret_cast<float*>(at), count);
  }

  std::size_t query_rows() const { return c.batch * c.heads * c.queries; }
  std::size_t key_rows() const { return c.batch * c.key_heads * c.keys; }
  std::size_t offsets() const { return c.queries + c.keys - 1; }

  // One rotated copy of q and k per rotation; the last one turns the inbox itself, but nothing that
  // is resident.
  void rotate_sources() {
    require(c.rotations <= most_rotations, "attention: there are at most ", most_rotations, " rotations");
    const std::span<double> frequencies = doubles_in.take(c.rotary_pairs);
    const bool is_resident = c.q_at != 0 || c.k_at != 0;
    copies_.resize((c.rotations - (is_resident ? 0 : 1)) * (q_.size() + k_.size()));
    float* copy = copies_.data();
    for (std::size_t s = 0; s < c.rotations; ++s) {
      Source& source = sources_[s] = {q_.data(), k_.data(), {}};
      const bool is_last = s + 1 == c.rotations;
      if (!is_last || is_resident) {
        source.q = std::exchange(copy, std::ranges::copy(q_, copy).out);
        source.k = std::exchange(copy, std::ranges::copy(k_, copy).out);
      }
      if (!is_last) {
        for (const double key : doubles_in.take(c.position_batches * c.queries)) {
          source.first_key.push_back(static_cast<std::uint32_t>(key));
        }
      }
      turn(source.q, c.batch * c.heads, c.queries, frequencies);
      turn(source.k, c.batch * c.key_heads, c.keys, frequencies);
    }
  }

  void turn(float* x, std::size_t heads, std::size_t length, std::span<double> frequencies) {
    const std::span<double> positions = doubles_in.take(c.position_batches * length);
    const RotaryAngles angles{.rows = positions.size(),
                              .coordinates = positions,
                              .frequencies = frequencies,
                              .attention_factor = c.attention_factor};
    rotate_heads({x, c.position_batches, heads / c.position_batches, length, c.dim}, angles,
                 {c.layout(), c.layout()});
  }

  void run_head(float* out, std::size_t batch, std::size_t head, bool in_steps) {
    const std::size_t query_head = batch * c.heads + head;
    const std::size_t key_head = batch * c.key_heads + head / (c.heads / c.key_heads);
    const MatrixView result(out + query_head * c.queries * c.value_dim, c.queries, c.value_dim);
    const ConstMatrixView v(v_.data() + key_head * c.keys * c.value_dim, c.keys, c.value_dim);
    std::array<ScoreSource, most_rotations> of_head;
    const std::span sources = std::span(of_head).first(std::max<std::size_t>(1, c.rotations));
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const Source& source = sources_[s];
      sources[s] = {{source.q + query_head * c.queries * c.dim, c.queries, c.dim},
                    {source.k + key_head * c.keys * c.dim, c.keys, c.dim},
                    first_keys(source, batch)};
    }
    const AttentionOptions options = options_of(batch, head);
    const auto per_row = [&](float* all) {
      return all ? std::span(all + query_head * c.queries, c.queries) : std::span<float>();
    };
    if (!in_steps) {
      return attend(result, sources, v, options, attention_scratch, per_row(log_sum_exp_));
    }
    const auto step = [&](float* all) {
      return all ? MatrixView(all + query_head * c.queries * c.keys, c.queries, c.keys) : MatrixView();
    };
    attend_in_steps(result,
                    {step(scores_), step(capped_), step(biased_), step(weights_), per_row(entropy_),
                     per_row(log_sum_exp_)},
                    sources, v, options);
  }

  std::span<const std::uint32_t> first_keys(const Source& source, std::size_t batch) const {
    if (source.first_key.empty()) return {};
    const std::size_t first = c.position_batches == 1 ? 0 : batch * c.queries;
    return std::span(source.first_key).subspan(first, c.queries);
  }

  AttentionOptions options_of(std::size_t batch, std::size_t head) {
    AttentionOptions options;
    options.scale = static_cast<float>(c.scale);
    options.softcap = static_cast<float>(c.softcap);
    options.row_scale = row_scale_;
    const std::size_t keys = key_lengths_.empty() ? c.keys : std::size_t(key_lengths_[batch]);
    const std::ptrdiff_t offset = c.aligns_last ? std::ptrdiff_t(keys) - std::ptrdiff_t(c.queries)
                                                : std::ptrdiff_t(c.offset);
    options.band = {offset, bound(c.lookback), bound(c.lookahead), keys};
    if (!bias_.empty()) {
      const float* bias = bias_.data() + batch * c.bias_batch_step + head * c.bias_head_step;
      options.bias = {bias, c.queries, c.keys, c.bias_row_step};
    }
    if (!distance_bias_.empty()) {
      options.distance_bias = by_distance(distance_bias_.subspan(head * offsets(), offsets()), c.keys - keys);
    }
    if (!sinks_.empty()) options.sink = sinks_[head];
    return options;
  }

  // The bias was laid out for queries that end at the last key. In a batch with fewer real keys they
  // end `padding` keys earlier, which makes every distance larger; the padding itself needs no bias.
  std::span<const float> by_distance(std::span<const float> bias, std::size_t padding) {
    if (padding == 0 || !c.aligns_last) return bias;
    shifted_.assign(bias.size(), 0.0f);
    std::ranges::copy(bias.subspan(padding), shifted_.begin());
    return shifted_;
  }

  const AttentionCall c;
  std::span<float> q_, k_, v_, bias_, distance_bias_, row_scale_, sinks_;
  std::span<double> key_lengths_;
  std::array<Source, most_rotations> sources_;  // the first alone without rotations
  std::vector<float> copies_, shifted_;
  float *scores_ = nullptr, *capped_ = nullptr, *biased_ = nullptr, *weights_ = nullptr;
  float *entropy_ = nullptr, *log_sum_exp_ = nullptr;
};

// floats: q, k, v, bias, distance bias, row scale, sinks. doubles: the call; key lengths;
// frequencies; then per rotation, nearest keys first, the first key of each query (all but the last
// rotation), the positions of the queries and those of the keys, each once or once per batch.
// Result: output, then the wanted steps in the order of the want_ fields.
Address attention() {
  return guarded([] { return AttentionRun().run(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) { emscripten::function("attention", &attention); }

}  // namespace ropewalk::bindings
