// Attention over batches and heads, with position where the scheme acts.
#include "attention/attention.hpp"
#include "bindings/scratch.hpp"
#include "encodings/rotary.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

// The numbers of one attention call; arrays follow in the inboxes.
struct AttentionCall {
  std::size_t batch, heads, key_heads, queries, keys, dim, value_dim;
  double scale;
  Causal causal;
  // Steps of the bias from one batch, head and query to the next; 0 repeats it.
  std::size_t bias_size, bias_batch_step, bias_head_step, bias_row_step;
  bool has_distance_bias;
  std::size_t rotary_pairs;  // 0: no rotation
  double attention_factor;
  RotaryLayout layout;
  bool want_scores, want_biased, want_weights, want_entropy;
};

// Deals out the operands of one attention call and runs it head by head.
class AttentionRun {
 public:
  explicit AttentionRun(const AttentionCall& call) : c(call) {
    q_ = floats_in.take(c.batch * c.heads * c.queries * c.dim).data();
    k_ = floats_in.take(c.batch * c.key_heads * c.keys * c.dim).data();
    v_ = floats_in.take(c.batch * c.key_heads * c.keys * c.value_dim).data();
    bias_ = floats_in.take(c.bias_size).data();
    if (c.has_distance_bias) distance_bias_ = floats_in.take(c.heads * offsets()).data();
    if (c.rotary_pairs > 0) rotate_queries_and_keys();
  }

  std::span<float> run() {
    const std::size_t rows = c.batch * c.heads * c.queries, cells = rows * c.keys;
    const std::size_t step_size = cells * (c.want_scores + c.want_biased + c.want_weights) +
                                  rows * c.want_entropy;
    const std::span<float> out = floats_out.reserve(rows * c.value_dim + step_size);
    float* next = out.data() + rows * c.value_dim;
    const auto deal = [&](bool wanted, std::size_t size) {
      return wanted ? std::exchange(next, next + size) : nullptr;
    };
    scores_ = deal(c.want_scores, cells);
    biased_ = deal(c.want_biased, cells);
    weights_ = deal(c.want_weights, cells);
    entropy_ = deal(c.want_entropy, rows);
    for (std::size_t b = 0; b < c.batch; ++b) {
      for (std::size_t h = 0; h < c.heads; ++h) run_head(out.data(), b, h, step_size > 0);
    }
    return out;
  }

 private:
  std::size_t offsets() const { return c.queries + c.keys - 1; }

  void rotate_queries_and_keys() {
    const std::span<double> of_queries = doubles_in.take(c.queries);
    const std::span<double> of_keys = doubles_in.take(c.keys);
    const std::span<double> frequencies = doubles_in.take(c.rotary_pairs);
    const RotaryTable query_table = rotary_table(of_queries, frequencies, c.attention_factor);
    const RotaryTable key_table = rotary_table(of_keys, frequencies, c.attention_factor);
    for (std::size_t i = 0; i < c.batch * c.heads; ++i) {
      rotate({q_ + i * c.queries * c.dim, c.queries, c.dim}, query_table, c.layout);
    }
    for (std::size_t i = 0; i < c.batch * c.key_heads; ++i) {
      rotate({k_ + i * c.keys * c.dim, c.keys, c.dim}, key_table, c.layout);
    }
  }

  void run_head(float* out, std::size_t batch, std::size_t head, bool in_steps) {
    const std::size_t query_head = batch * c.heads + head;
    const std::size_t key_head = batch * c.key_heads + head / (c.heads / c.key_heads);
    const MatrixView result(out + query_head * c.queries * c.value_dim, c.queries, c.value_dim);
    const ConstMatrixView q(q_ + query_head * c.queries * c.dim, c.queries, c.dim);
    const ConstMatrixView k(k_ + key_head * c.keys * c.dim, c.keys, c.dim);
    const ConstMatrixView v(v_ + key_head * c.keys * c.value_dim, c.keys, c.value_dim);
    AttentionOptions options;
    options.scale = static_cast<float>(c.scale);
    options.causal = c.causal;
    if (c.bias_size > 0) {
      const float* bias = bias_ + batch * c.bias_batch_step + head * c.bias_head_step;
      options.bias = {bias, c.queries, c.keys, c.bias_row_step};
    }
    if (distance_bias_) options.distance_bias = {distance_bias_ + head * offsets(), offsets()};
    if (!in_steps) return attend(result, q, k, v, options, attention_scratch);

    const auto step = [&](float* all) {
      return all ? MatrixView(all + query_head * c.queries * c.keys, c.queries, c.keys) : MatrixView();
    };
    AttentionSteps steps{step(scores_), step(biased_), step(weights_), {}};
    if (entropy_) steps.entropy = {entropy_ + query_head * c.queries, c.queries};
    attend_in_steps(result, steps, q, k, v, options);
  }

  const AttentionCall& c;
  float *q_ = nullptr, *k_ = nullptr, *v_ = nullptr, *distance_bias_ = nullptr;
  const float* bias_ = nullptr;
  float *scores_ = nullptr, *biased_ = nullptr, *weights_ = nullptr, *entropy_ = nullptr;
};

// floats: q, k, v, bias, distance bias; doubles: query positions, key positions, frequencies.
// Result: output, then the wanted steps in the order scores, biased, weights, entropy.
FloatsOrError attention(const AttentionCall& call) {
  return guarded<FloatsOrError>([&] { return AttentionRun(call).run(); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  using namespace emscripten;
  enum_<Causal>("Causal", enum_value_type::string)
      .value("none", Causal::none)
      .value("top-left", Causal::top_left)
      .value("bottom-right", Causal::bottom_right);

  value_object<AttentionCall>("AttentionCall")
      .field("batch", &AttentionCall::batch)
      .field("heads", &AttentionCall::heads)
      .field("keyHeads", &AttentionCall::key_heads)
      .field("queries", &AttentionCall::queries)
      .field("keys", &AttentionCall::keys)
      .field("dim", &AttentionCall::dim)
      .field("valueDim", &AttentionCall::value_dim)
      .field("scale", &AttentionCall::scale)
      .field("causal", &AttentionCall::causal)
      .field("biasSize", &AttentionCall::bias_size)
      .field("biasBatchStep", &AttentionCall::bias_batch_step)
      .field("biasHeadStep", &AttentionCall::bias_head_step)
      .field("biasRowStep", &AttentionCall::bias_row_step)
      .field("hasDistanceBias", &AttentionCall::has_distance_bias)
      .field("rotaryPairs", &AttentionCall::rotary_pairs)
      .field("attentionFactor", &AttentionCall::attention_factor)
      .field("layout", &AttentionCall::layout)
      .field("wantScores", &AttentionCall::want_scores)
      .field("wantBiased", &AttentionCall::want_biased)
      .field("wantWeights", &AttentionCall::want_weights)
      .field("wantEntropy", &AttentionCall::want_entropy);

  function("attention", &attention);
}

}  // namespace ropewalk::bindings
