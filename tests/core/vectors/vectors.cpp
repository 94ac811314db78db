// The suites of training through the core as it is compiled natively: reads cases from the standard
// input and writes the outputs of each.
#include <cmath>

#include "attention/backward.hpp"
#include "attention/temperature.hpp"
#include "bias/buckets.hpp"
#include "bias/distance.hpp"
#include "bias/network.hpp"
#include "content/cope.hpp"
#include "content/prefix_sums.hpp"
#include "training/decoder.hpp"
#include "training/layers.hpp"
#include "vectors/case.hpp"

using namespace ropewalk;

namespace {

using Floats = std::vector<float>;

MatrixView rows(Floats& values, std::size_t cols) {
  return {values.data(), values.size() / cols, cols};
}

void layers_grad(const Case& one) {
  const std::string layer = one.text("layer");
  const auto in = [&](const char* name) {
    return one.has(name) ? one.array(name).floats() : Floats();
  };
  Floats x = in("x"), d_y = in("d_y"), g = in("g"), b = in("b"), scratch;
  Floats y(x.size()), d_x(x.size()), d_g(g.size()), d_b(b.size());
  const std::size_t cols = one.has("x") ? one.array("x").shape.back() : 1;
  const auto epsilon = static_cast<float>(one.number("eps", 0));
  if (layer == "rmsnorm") {
    rms_norm_forward(rows(y, cols), rows(x, cols), g, epsilon);
    rms_norm_backward(rows(d_x, cols), d_g, rows(d_y, cols), rows(x, cols), g, epsilon);
  } else if (layer == "layernorm") {
    layer_norm_forward(rows(y, cols), rows(x, cols), g, b, epsilon);
    layer_norm_backward(rows(d_x, cols), d_g, d_b, rows(d_y, cols), rows(x, cols), g, epsilon);
  } else if (layer == "gelu_tanh") {
    gelu_forward(rows(y, cols), rows(x, cols));
    gelu_backward(rows(d_x, cols), rows(d_y, cols), rows(x, cols));
  } else if (layer == "embedding") {
    const Array& given = one.array("table");
    Floats table = given.floats(), d_table(table.size());
    const std::size_t width = given.shape.back();
    const auto ids = one.array("ids").ids();
    y.resize(ids.size() * width);
    embedding_forward(rows(y, width), rows(table, width), ids);
    embedding_backward(rows(d_table, width), rows(d_y, width), ids);
    write_array(std::cout, "d_table", d_table);
  } else if (layer == "linear") {
    Floats w = in("w"), d_w(w.size());
    const std::size_t out = one.array("w").shape.back();
    y.resize(x.size() / cols * out);
    linear_forward(rows(y, out), rows(x, cols), rows(w, out), scratch);
    linear_backward(rows(d_x, cols), rows(d_w, out), rows(d_y, out), rows(x, cols), rows(w, out),
                    scratch);
    write_array(std::cout, "d_w", d_w);
  } else if (layer == "cross_entropy") {
    Floats logits = in("logits"), d_logits(logits.size());
    const std::size_t classes = one.array("logits").shape.back();
    const auto targets = one.array("targets").ids();
    const Floats weights = in("weights");
    write_array(std::cout, "loss",
                std::vector{cross_entropy_forward(rows(logits, classes), targets, weights)});
    cross_entropy_backward(rows(d_logits, classes), rows(logits, classes), targets, weights);
    write_array(std::cout, "d_logits", d_logits);
  } else if (layer == "rotary") {
    const auto& shape = one.array("x").shape;
    const auto& positions = one.array("positions").values;
    const auto frequencies = rotary_frequencies(one.whole("rotary_dim"), one.number("rope_theta"));
    const RotaryLayout layout =
        one.text("layout") == "half" ? RotaryLayout::half_split : RotaryLayout::interleaved;
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> at = positions;
      for (double& position : at) position *= sign;
      Floats values = sign > 0 ? x : d_y;
      rotate_heads({values.data(), 1, shape[0], shape[1], shape[2]},
                   {.rows = at.size(),
                    .coordinates = at,
                    .frequencies = frequencies,
                    .attention_factor = one.number("attention_factor")},
                   {layout, layout});
      (sign > 0 ? y : d_x) = values;
    }
  }
  if (!y.empty()) write_array(std::cout, "y", y);
  if (!x.empty()) write_array(std::cout, "d_x", d_x);
  if (!g.empty()) write_array(std::cout, "d_g", d_g);
  if (!b.empty()) write_array(std::cout, "d_b", d_b);
}

void attention_grad(const Case& one) {
  const std::size_t heads = one.whole("H"), key_heads = one.whole("Hk"), queries = one.whole("N"),
                    keys = one.whole("M"), dim = one.whole("D"), value_dim = one.whole("Dv");
  Floats q = one.array("q").floats(), k = one.array("k").floats(), v = one.array("v").floats();
  const Floats d_out = one.array("d_out").floats();
  const std::string type = one.text("position.type");
  AttentionCall call;
  call.shape = {1, heads, key_heads, queries, keys, dim, value_dim};
  call.scale = static_cast<float>(one.number("scale", 1.0 / std::sqrt(double(dim))));
  const std::string causal = one.text("causal");
  const bool bottom_right = causal == "bottomright";
  const auto offset = bottom_right ? std::ptrdiff_t(keys) - std::ptrdiff_t(queries) : 0;
  call.band.offset = offset;
  if (!causal.empty()) call.band.lookahead = 0;
  if (one.has("window")) call.band.lookback = one.whole("window") - 1;
  if (one.has("window_sym")) call.band.lookback = call.band.lookahead = one.whole("window_sym");

  std::vector<double> query_positions, key_positions;
  for (std::size_t i = 0; i < queries; ++i)
    query_positions.push_back(double(offset) + double(i) +
                              one.number("position.position_offset", 0));
  for (std::size_t j = 0; j < keys; ++j)
    key_positions.push_back(double(j) + one.number("position.position_offset", 0));

  const std::size_t pairs = std::size_t(one.number("position.rotary_dim", double(dim))) / 2;
  std::vector<double> frequencies;
  if (one.has("inv_freq"))
    frequencies = one.array("inv_freq").values;
  else if (one.has("position.rope_theta"))
    frequencies = rotary_frequencies(2 * pairs, one.number("position.rope_theta"));
  AttentionRotary rotary{.rotations = {}, .frequencies = frequencies};
  rotary.attention_factor = one.number("position.attention_factor", 1.0);
  rotary.layout = type == "xpos" || one.text("position.layout") == "interleaved"
                      ? RotaryLayout::interleaved
                      : RotaryLayout::half_split;
  const Rotation plain[] = {{query_positions, key_positions}};
  MappedRotations mapped;
  if (type == "rope" || type == "yarn") {
    rotary.rotations = plain;
    call.rotary = &rotary;
  }
  // xPos: rotated before, and its gradient after.
  const auto xpos = [&](Floats& x, std::size_t of_heads, std::span<const double> at, XposRole role,
                        bool transposed) {
    std::vector<double> c(at.size() * pairs), s(at.size() * pairs);
    rotary_table({c.data(), at.size(), pairs}, {s.data(), at.size(), pairs},
                 {.rows = at.size(), .coordinates = at, .frequencies = frequencies});
    scale_xpos({c.data(), at.size(), pairs}, {s.data(), at.size(), pairs}, at, role,
               {one.number("position.scale_base"), one.number("position.gamma"), 0.0});
    Floats cos(c.begin(), c.end()), sin;
    for (const double value : s) sin.push_back(static_cast<float>(transposed ? -value : value));
    rotate_heads({x.data(), 1, of_heads, at.size(), dim},
                 {{cos.data(), at.size(), pairs}, {sin.data(), at.size(), pairs}}, {},
                 {RotaryLayout::interleaved, RotaryLayout::interleaved});
  };
  if (type == "xpos") {
    xpos(q, heads, query_positions, XposRole::query, false);
    xpos(k, key_heads, key_positions, XposRole::key, false);
  }
  call.q = HeadsView::contiguous(q.data(), heads, queries, dim);
  call.k = HeadsView::contiguous(k.data(), key_heads, keys, dim);
  call.v = HeadsView::contiguous(v.data(), key_heads, keys, value_dim);
  if (type == "rerope") {
    set_rotations(mapped, {PositionMapKind::rerope, one.number("position.window"), 0}, call);
    rotary.rotations = mapped.rotations;
    call.rotary = &rotary;
  }

  const std::size_t distances = queries + keys - 1;
  const std::int64_t first = -(std::int64_t(queries) - 1 + offset);
  Floats lists(heads * distances), d_lists(lists.size());
  const MatrixView list_view(lists.data(), heads, distances);
  Floats table = one.has("table") ? one.array("table").floats() : Floats();
  std::vector<double> r1, r2;
  const bool is_log = type == "kerple_log";
  const bool has_lists =
      type == "alibi" || type == "t5" || type == "kerple_log" || type == "kerple_power";
  std::optional<T5Buckets> buckets;
  if (type == "alibi") alibi(list_view, first, alibi_slopes(heads));
  if (type == "t5") {
    buckets.emplace(one.number("position.bidirectional") != 0 ? T5Direction::bidirectional
                                                              : T5Direction::causal,
                    std::int64_t(one.number("position.num_buckets")),
                    std::int64_t(one.number("position.max_distance")));
    t5_bias(list_view, first, rows(table, heads), *buckets);
  }
  if (type.starts_with("kerple")) {
    r1 = one.array("r1").values;
    r2 = one.array("r2").values;
    kerple(list_view, first, r1, r2,
           {.kind = is_log ? KerpleKind::logarithmic : KerpleKind::power});
  }
  const DistanceBias distance_bias(lists, heads, first, d_lists.data());

  // FIRE
  Floats w1, b1, w2, b2, head_weights, fire_bias, d_fire_bias;
  BiasNetwork network;
  FireOptions fire_options;
  if (type == "fire") {
    w1 = one.array("w1").floats();
    b1 = one.array("b1").floats();
    w2 = one.array("w2").floats();
    b2 = one.array("b2").floats();
    const std::size_t hidden = w1.size();
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t i = 0; i < hidden; ++i) head_weights.push_back(w2[i * heads + h]);
    network = {{w1.data(), hidden, 1}, b1, {head_weights.data(), heads, hidden}, b2};
    fire_options = {.c = one.has("c") ? one.array("c").values[0] : one.number("position.c"),
                    .threshold = one.has("L") ? one.array("L").values[0] : one.number("position.L"),
                    .epsilon = one.number("position.eps")};
    fire_bias.resize(heads * queries * keys);
    d_fire_bias.resize(fire_bias.size());
    fire({fire_bias.data(), heads * queries, keys}, query_positions, key_positions, network,
         fire_options);
  }
  const Bias fire_modifier(fire_bias, {{1, heads, queries, keys}}, d_fire_bias.data());

  Floats given_bias, d_bias;
  BroadcastShape bias_shape({1, 1, 1, 1});
  if (one.has("bias")) {
    given_bias = one.array("bias").floats();
    const auto& shape = one.array("bias").shape;
    bias_shape = BroadcastShape({1, shape[0], shape[1], shape[2]});
    d_bias.resize(given_bias.size());
  }
  const Bias bias(given_bias, bias_shape, d_bias.data());
  std::vector<std::uint8_t> bytes;
  std::size_t mask_heads = 1;
  if (one.has("mask")) {
    const Array& mask = one.array("mask");
    for (const double value : mask.values) bytes.push_back(value != 0);
    if (mask.shape.size() == 3) mask_heads = mask.shape[0];
  }
  const BooleanMask mask(bytes, BroadcastShape({1, mask_heads, queries, keys}), true);
  Floats e = one.has("e") ? one.array("e").floats() : Floats(), d_e(e.size()), d_q_extra(q.size());
  const ContextualBias cope(call.q, rows(e, dim), d_q_extra.data(), rows(d_e, dim));
  std::vector<double> sums, d_sums;
  Floats gates;
  if (type == "fox") {
    gates = one.array("f").floats();
    sums.resize(gates.size());
    d_sums.resize(gates.size());
    prefix_sums(sums, gates, heads, PrefixTerm::log_sigmoid);
  }
  const PrefixSumBias fox(sums, d_sums);
  Floats factors;
  if (type == "logn") {
    for (const double f :
         log_n_factors(query_positions, one.number("position.training_length"), LogNForm::clipped))
      factors.push_back(static_cast<float>(f));
  }
  const RowScale row_scale(factors, {{1, 1, queries, 1}});
  const Softcap softcap(static_cast<float>(one.number("softcap", 1)));

  std::vector<const ScoreModifier*> modifiers;
  if (type == "logn") modifiers.push_back(&row_scale);
  if (one.has("softcap")) modifiers.push_back(&softcap);
  if (has_lists) modifiers.push_back(&distance_bias);
  if (type == "fire") modifiers.push_back(&fire_modifier);
  if (type == "cope") modifiers.push_back(&cope);
  if (type == "fox") modifiers.push_back(&fox);
  if (one.has("bias")) modifiers.push_back(&bias);
  if (one.has("mask")) modifiers.push_back(&mask);
  call.modifiers = modifiers;
  Floats sinks = one.has("sinks") ? one.array("sinks").floats() : Floats(), d_sinks(sinks.size());
  call.sinks = sinks;

  Floats out(heads * queries * value_dim), log_sum_exp(heads * queries);
  AttentionScratch scratch;
  attend(call, {.output = out.data(), .log_sum_exp = log_sum_exp.data()}, scratch);
  Floats d_q(q.size()), d_k(k.size()), d_v(v.size());
  attend_backward(call, {out.data(), log_sum_exp.data(), d_out.data()},
                  {d_q.data(), d_k.data(), d_v.data(), d_sinks.data()}, scratch);
  for (std::size_t i = 0; i < d_q.size(); ++i) d_q[i] += d_q_extra[i];
  if (type == "xpos") {
    xpos(d_q, heads, query_positions, XposRole::query, true);
    xpos(d_k, key_heads, key_positions, XposRole::key, true);
  }
  write_array(std::cout, "out", out);
  write_array(std::cout, "d_q", d_q);
  write_array(std::cout, "d_k", d_k);
  write_array(std::cout, "d_v", d_v);
  if (one.has("bias")) write_array(std::cout, "d_bias", d_bias);
  if (one.has("sinks")) write_array(std::cout, "d_sinks", d_sinks);
  const ConstMatrixView d_list_view(d_lists.data(), heads, distances);
  if (type == "t5") {
    Floats d_table(table.size());
    t5_bias_backward(rows(d_table, heads), d_list_view, first, *buckets);
    write_array(std::cout, "d_table", d_table);
  }
  if (type.starts_with("kerple")) {
    std::vector<double> d_r1(heads), d_r2(heads);
    kerple_backward(d_r1, d_r2, d_list_view, first, r1, r2,
                    {.kind = is_log ? KerpleKind::logarithmic : KerpleKind::power});
    write_array(std::cout, "d_r1", d_r1);
    write_array(std::cout, "d_r2", d_r2);
  }
  if (type == "fire") {
    Floats d_w1(w1.size()), d_b1(b1.size()), d_head(head_weights.size()), d_b2(heads), d_w2;
    std::vector<double> d_c(1), d_l(1);
    fire_backward({{d_w1.data(), d_w1.size(), 1},
                   d_b1,
                   {d_head.data(), heads, w1.size()},
                   d_b2,
                   d_c.data(),
                   d_l.data()},
                  {d_fire_bias.data(), heads * queries, keys}, query_positions, key_positions,
                  network, fire_options);
    for (std::size_t i = 0; i < w1.size(); ++i)
      for (std::size_t h = 0; h < heads; ++h) d_w2.push_back(d_head[h * w1.size() + i]);
    write_array(std::cout, "d_w1", d_w1);
    write_array(std::cout, "d_b1", d_b1);
    write_array(std::cout, "d_w2", d_w2);
    write_array(std::cout, "d_b2", d_b2);
    write_array(std::cout, "d_c", d_c);
    write_array(std::cout, "d_L", d_l);
  }
  if (type == "cope") write_array(std::cout, "d_e", d_e);
  if (type == "fox") {
    Floats d_f(gates.size());
    prefix_sums_backward(d_f, d_sums, gates, heads, PrefixTerm::log_sigmoid);
    write_array(std::cout, "d_f", d_f);
  }
}

void train_steps(const Case& one) {
  const std::string scheme = one.text("scheme");
  DecoderOptions options;
  options.vocabulary = one.whole("V");
  options.width = one.whole("d");
  options.layers = one.whole("L");
  options.heads = one.whole("H");
  options.hidden = one.whole("hidden");
  options.norm_epsilon = static_cast<float>(one.number("eps"));
  PositionOptions& position = options.position;
  const std::string name = scheme.substr(0, scheme.find('_'));  // rope_half, kerple_log, ...
  position.kind = position_kind(name);
  position.base = one.number("rope_theta", 10000);
  position.is_half_split = scheme != "rope_interleaved" && scheme != "sinusoidal";
  position.rows = std::size_t(one.number("max", one.number("max_pos", 512)));
  position.buckets = std::size_t(one.number("num_buckets", 32));
  position.max_distance = std::size_t(one.number("max_distance", 128));
  position.hidden = std::size_t(one.number("fire_width", 32));
  position.c = one.number("fire_c", 0.1);
  position.threshold = one.number("fire_L", 512);
  position.epsilon = one.number("fire_eps", 1e-6);
  position.scale_base = one.number("scale_base", 512);

  ParameterList parameters;
  Decoder decoder(options, parameters);
  const auto for_each = [&](auto use) {
    for (const Parameter& parameter : parameters.all()) use(parameter);
  };
  for_each([&](const Parameter& parameter) {
    const auto values = one.array("init." + parameter.name).floats();
    std::copy(values.begin(), values.end(),
              parameters.values().begin() + std::ptrdiff_t(parameter.offset));
  });
  const auto write_all = [&](const char* prefix, const std::vector<float>& numbers) {
    for_each([&](const Parameter& parameter) {
      write_array(std::cout, prefix + parameter.name,
                  std::span(numbers).subspan(parameter.offset, parameter.size()));
    });
  };
  const Array& tokens = one.array("tokens");
  const std::size_t steps = tokens.shape[0], batches = tokens.shape[1], length = tokens.shape[2],
                    size = batches * length;
  const auto ids = tokens.ids(), targets = one.array("targets").ids();
  const auto weights = one.array("weights").floats();
  StepOptions step;
  step.adamw = {one.number("beta1"), one.number("beta2"), one.number("adam_eps")};
  step.weight_decay = one.number("weight_decay");
  step.max_grad_norm = one.number("clip");
  std::vector<double> loss, norms;
  for (std::size_t s = 0; s < steps; ++s) {
    Sequences sequences{batches, length, std::span(ids).subspan(s * size, size)};
    if (one.has("positions"))
      sequences.positions = std::span(one.array("positions").values).subspan(s * size, size);
    const MatrixView logits = decoder.forward(sequences);
    const auto target = std::span(targets).subspan(s * size, size);
    const auto weight = std::span(weights).subspan(s * size, size);
    if (s == 0) write_array(std::cout, "logits", std::span(logits.data, logits.rows * logits.cols));
    loss.push_back(cross_entropy_forward(logits, target, weight));
    Floats d_logits(logits.rows * logits.cols);
    cross_entropy_backward(rows(d_logits, logits.cols), logits, target, weight);
    parameters.clear_gradients();
    decoder.backward(rows(d_logits, logits.cols));
    if (s == 0) write_all("grad.", parameters.gradients());
    step.learning_rate = one.array("lr").values[s];
    norms.push_back(parameters.step(step, s + 1));
  }
  write_array(std::cout, "loss", loss);
  write_array(std::cout, "grad_norm", norms);
  write_all("final.", parameters.values());
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  Case one;
  for (std::string suite; !(suite = read_case(std::cin, one)).empty();) {
    if (suite == "layers_grad") layers_grad(one);
    if (suite == "attention_grad") attention_grad(one);
    if (suite == "train_steps") train_steps(one);
    std::cout << "done 0\n" << std::flush;
  }
}
