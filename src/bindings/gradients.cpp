// Gradients of attention, of the biases that schemes compute, and of layers.
#include "attention/backward.hpp"

#include <utility>

#include "bindings/attention_call.hpp"
#include "bindings/boundary.hpp"
#include "bindings/layers.hpp"
#include "bindings/network.hpp"
#include "bindings/scratch.hpp"
#include "content/cope.hpp"
#include "content/relative.hpp"
#include "training/layers.hpp"

namespace ropewalk::bindings {
namespace {

BiasGradients bias_gradients;

// Calls use(scheme) with the scheme of the call's bias by distance, if its lists are learned.
template <class Use>
void with_learned_scheme(Use use) {
  if (bias_gradients.by_distance.empty()) return;
  with_distance_scheme(bias_gradients.scheme, [&](auto& scheme) {
    if constexpr (requires { &std::remove_reference_t<decltype(scheme)>::backward; }) use(scheme);
  });
}

// Additions to a call of attention(): doubles after the others: rows of a table and how
// many there are of it (0: none; CoPE has one, Shaw one or one per head), whether it is CoPE's.
// floats after the others: gradient of the output, tables.
struct GradientCall {
  explicit GradientCall(AttentionCall& call) : call_(call) {
    const AttentionShape& shape = call.shape;
    const std::span<double> numbers = doubles_in.take(3);
    const auto rows = static_cast<std::size_t>(numbers[0] * numbers[1]);
    table_count_ = static_cast<std::size_t>(numbers[1]);
    is_cope_ = numbers[2] != 0.0;
    rows_ = shape.batches * shape.heads * shape.queries;
    d_output_ = floats_in.take(rows_ * shape.value_dim);
    tables_ = {floats_in.take(rows * shape.dim).data(), rows, shape.dim};
  }

  // Result: output, then the gradients of q, k, v, sinks, bias, lists of the bias by distance,
  // row factors, the numbers of prefix sums, and tables.
  std::span<float> run() {
    const AttentionShape& shape = call_.shape;
    const std::size_t q_size = rows_ * shape.dim;
    const std::size_t key_rows = shape.batches * shape.key_heads * shape.keys;
    std::vector<float> d_q_of_table(table_count_ > 0 ? q_size : 0),
        d_table(tables_.rows * shape.dim);
    const MatrixView d_tables(d_table.data(), tables_.rows, shape.dim);
    const ContextualBias contextual(call_.q, tables_, d_q_of_table.data(), d_tables);
    const RelativeKeys relative(call_.q, tables_, table_count_, call_.scale, d_q_of_table.data(),
                                d_tables);
    std::vector<const ScoreModifier*> modifiers(call_.modifiers.begin(), call_.modifiers.end());
    if (table_count_ > 0) {
      if (is_cope_) insert_modifier(modifiers, contextual);
      if (!is_cope_) insert_modifier(modifiers, relative);
    }
    call_.modifiers = modifiers;

    const std::size_t v_size = key_rows * shape.value_dim;
    std::size_t learned = 0;
    with_learned_scheme([&](auto& scheme) { learned = counted_fields(scheme).listed; });
    std::size_t rest = call_.sinks.size() + bias_gradients.bias.size() + learned +
                       bias_gradients.row_factors.size() + d_table.size();
    for (const auto& sums : bias_gradients.prefix) rest += sums.count();
    float* next =
        floats_out.reserve(rows_ * shape.value_dim + q_size + key_rows * shape.dim + v_size + rest)
            .data();
    const auto part = [&](std::size_t size) { return std::exchange(next, next + size); };
    float* const output = part(rows_ * shape.value_dim);
    std::vector<float> log_sum_exp(rows_);
    attend(call_, {.output = output, .log_sum_exp = log_sum_exp.data()}, attention_scratch);
    float *const d_q = part(q_size), *const d_k = part(key_rows * shape.dim),
                 *const d_v = part(v_size);
    float* const d_sinks = part(call_.sinks.size());
    std::fill_n(d_sinks, call_.sinks.size(), 0.0f);
    attend_backward(call_, {output, log_sum_exp.data(), d_output_.data()}, {d_q, d_k, d_v, d_sinks},
                    attention_scratch);
    for (std::size_t i = 0; i < d_q_of_table.size(); ++i) d_q[i] += d_q_of_table[i];
    const auto append = [&](const auto& list) { std::ranges::copy(list, part(list.size())); };
    append(bias_gradients.bias);
    with_learned_scheme([&](auto& scheme) {
      std::vector<double> d(learned);
      const std::vector<float>& d_lists = bias_gradients.by_distance;
      scheme.backward(d, {d_lists.data(), shape.heads, d_lists.size() / shape.heads},
                      bias_gradients.first_distance);
      append(d);
    });
    append(bias_gradients.row_factors);
    for (PrefixNumbers& sums : bias_gradients.prefix)
      sums.backward({part(sums.count()), sums.count()});
    append(d_table);
    return {output, floats_out.count()};
  }

 private:
  AttentionCall& call_;
  std::size_t rows_;
  std::span<const float> d_output_;
  ConstMatrixView tables_;
  std::size_t table_count_;
  bool is_cope_;
};

Pointer attention_backward() {
  return guarded([] {
    return with_attention_call(
        [](AttentionCall& call, const AttentionRecord&) { return GradientCall(call).run(); },
        &bias_gradients);
  });
}

// floats: network, gradient of the bias; doubles: positions of queries and keys.
// Result: gradients of the network in its order, of c and of the threshold.
Pointer fire_backward_of(std::size_t heads, std::size_t queries, std::size_t keys,
                         std::size_t hidden, bool has_head_bias, double c, double threshold,
                         double multiplier, double epsilon) {
  return guarded([=] {
    const BiasNetwork network = take_network(1, hidden, heads, has_head_bias);
    const ConstMatrixView d_bias(floats_in.take(heads * queries * keys).data(), heads * queries,
                                 keys);
    const std::span<double> query_positions = doubles_in.take(queries);
    const std::span<float> d =
        floats_out.reserve(hidden * (heads + 2) + (has_head_bias ? heads : 0) + 2);
    std::ranges::fill(d, 0.0f);
    FireGradients gradients;
    gradients.hidden_weights = {d.data(), hidden, 1};
    gradients.hidden_bias = d.subspan(hidden, hidden);
    gradients.head_weights = {d.data() + 2 * hidden, heads, hidden};
    gradients.head_bias = d.subspan(hidden * (heads + 2), has_head_bias ? heads : 0);
    double d_c = 0.0, d_threshold = 0.0;
    gradients.c = &d_c;
    gradients.threshold = &d_threshold;
    fire_backward(gradients, d_bias, query_positions, doubles_in.take(keys), network,
                  {c, threshold, multiplier, epsilon});
    d[d.size() - 2] = static_cast<float>(d_c);
    d[d.size() - 1] = static_cast<float>(d_threshold);
    return d;
  });
}

MatrixView taken(std::size_t rows, std::size_t cols) {
  return {floats_in.take(rows * cols).data(), rows, cols};
}

std::vector<float> scratch;

// floats: x, gain, d_y. Result: d_x, d_gain, d_bias (layer norm).
Pointer norm_backward(Norm kind, std::size_t rows, std::size_t width, double epsilon) {
  return guarded([=] {
    const MatrixView x = taken(rows, width);
    const std::span<float> gain = floats_in.take(width);
    const auto e = static_cast<float>(epsilon);
    const MatrixView d_y = taken(rows, width);
    const std::span<float> d = floats_out.reserve((rows + 1 + (kind == Norm::layer)) * width);
    std::ranges::fill(d, 0.0f);
    const MatrixView d_x(d.data(), rows, width);
    const std::span<float> d_gain = d.subspan(rows * width, width);
    if (kind == Norm::rms) rms_norm_backward(d_x, d_gain, d_y, x, gain, e);
    if (kind == Norm::layer)
      layer_norm_backward(d_x, d_gain, d.subspan((rows + 1) * width), d_y, x, gain, e);
    return d;
  });
}

// floats: x, w, d_y. Result: d_x, d_w.
Pointer linear_gradient(std::size_t rows, std::size_t in, std::size_t out) {
  return guarded([=] {
    const MatrixView x = taken(rows, in), w = taken(in, out), d_y = taken(rows, out);
    const std::span<float> d = floats_out.reserve((rows + out) * in);
    std::ranges::fill(d, 0.0f);
    linear_backward({d.data(), rows, in}, {d.data() + rows * in, in, out}, d_y, x, w, scratch);
    return d;
  });
}

// floats: x, d_y. Result: d_x.
Pointer gelu_gradient(std::size_t count) {
  return guarded([=] {
    const MatrixView x = taken(1, count);
    const MatrixView to(floats_out.reserve(count).data(), 1, count);
    gelu_backward(to, taken(1, count), x);
    return std::span(to.data, count);
  });
}

std::vector<std::uint32_t> ids_of(std::size_t count) {
  const std::span<double> numbers = doubles_in.take(count);
  return {numbers.begin(), numbers.end()};
}

// floats: the gradient of the rows; doubles: ids. Result: the table's gradient.
Pointer embedding_gradient(std::size_t rows, std::size_t width, std::size_t count) {
  return guarded([=] {
    const auto ids = ids_of(count);
    const MatrixView d_y = taken(count, width);
    const std::span<float> to = floats_out.reserve(rows * width);
    std::ranges::fill(to, 0.0f);
    embedding_backward({to.data(), rows, width}, d_y, ids);
    return to;
  });
}

// floats: logits, weights; doubles: targets. Result: gradient of the logits, then the loss.
Pointer cross_entropy(std::size_t rows, std::size_t classes) {
  return guarded([=] {
    const MatrixView logits = taken(rows, classes);
    const std::span<float> weights = floats_in.take(rows);
    const auto targets = ids_of(rows);
    const std::span<double> to = doubles_out.reserve(rows * classes + 1);
    to.back() = cross_entropy_forward(logits, targets, weights);
    cross_entropy_backward(logits, logits, targets, weights);
    std::ranges::copy(std::span(logits.data, rows * classes), to.begin());
    return to;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(gradients) {
  using namespace emscripten;
  function("attentionBackward", &attention_backward);
  function("fireBackward", &fire_backward_of);
  function("normBackward", &norm_backward);
  function("linearBackward", &linear_gradient);
  function("geluBackward", &gelu_gradient);
  function("embeddingBackward", &embedding_gradient);
  function("crossEntropy", &cross_entropy);
}

}  // namespace ropewalk::bindings
