// Gradients of attention beside central differences.
#include "attention/backward.hpp"

#include "content/cope.hpp"
#include "content/prefix_sums.hpp"
#include "content/relative.hpp"
#include "reference/rotary.hpp"
#include "support/gradient_case.hpp"

using namespace ropewalk;

TEST_CASE("gradients of q, k and v agree with central differences at every kind of shape") {
  const auto drawn = GENERATE(table<int, int, int, int, int, int>({{1, 1, 1, 1, 4, 4},
                                                                   {2, 2, 3, 3, 6, 6},
                                                                   {4, 2, 17, 9, 5, 3},
                                                                   {3, 1, 1, 40, 8, 9},
                                                                   {1, 1, 5, 300, 4, 16},
                                                                   {2, 1, 61, 140, 16, 7}}));
  const int heads = std::get<0>(drawn);
  const int key_heads = std::get<1>(drawn);
  const int queries = std::get<2>(drawn);
  const int keys = std::get<3>(drawn);
  const int dim = std::get<4>(drawn);
  const int value_dim = std::get<5>(drawn);
  const bool is_causal = GENERATE(false, true);
  const AttentionShape shape{2,
                             std::size_t(heads),
                             std::size_t(key_heads),
                             std::size_t(queries),
                             std::size_t(keys),
                             std::size_t(dim),
                             std::size_t(value_dim)};
  Case c(shape, is_causal ? causal : Band{}, 1);
  c.call.ends_at_last_key = is_causal && queries < keys;
  c.run();
  // Where each row sees one key its weight is 1, whatever q and k are: what is left is the rounding
  // of d_out · v and d_out · out, which the relaxed build adds up in different orders.
  if (keys == 1) {
    for (const std::string name : {"q", "k"})
      for (const float d : c.gradients[name]) CHECK(std::abs(d) <= 1e-6f);
    c.gradients.erase("q");
    c.gradients.erase("k");
  }
  c.check({});
}

TEST_CASE(
    "rows that see no key, padding and windows give nothing to any gradient they should not") {
  Case c({2, 2, 1, 9, 70, 6, 5}, {.offset = -3, .lookback = 12, .lookahead = 0}, 5);
  const std::vector<double> lengths = {70, 4};
  c.call.key_lengths = lengths;
  c.run();
  c.check({});
  for (std::size_t i = 4 * 6; i < 70 * 6; ++i) CHECK(c.gradients["k"][70 * 6 + i] == 0.0f);
}

TEST_CASE("sinks, softcap and factors of rows have their gradients") {
  Case c({1, 4, 2, 33, 33, 6, 6}, causal, 9);
  c.call.sinks = c.add("sinks", 4, 10);
  const Softcap cap(2.0f);
  const std::vector<float> factors(33, 1.5f);
  const RowScale row_scale(factors, {{1, 1, 33, 1}});
  const ScoreModifier* modifiers[] = {&row_scale, &cap};
  c.call.modifiers = modifiers;
  c.run();
  Scheme scheme;
  scheme.softcap = 2;
  scheme.row_scale = [](const Head&, std::size_t) { return 1.5; };
  c.check(scheme);
}

TEST_CASE("a bias has its gradient, summed over the axes that share it") {
  const bool over_heads = GENERATE(false, true), over_queries = GENERATE(false, true);
  const std::size_t heads = over_heads ? 1 : 2, queries = over_queries ? 1 : 17;
  Case c({2, 2, 2, 17, 19, 6, 5}, {}, 20);
  const auto values = c.add("bias", heads * queries * 19, 21);
  const Bias bias(values, {{1, heads, queries, 19}}, c.gradients["bias"].data());
  const ScoreModifier* modifiers[] = {&bias};
  c.call.modifiers = modifiers;
  c.run();
  Scheme scheme;
  scheme.bias = [=](const Head& head, std::size_t m, std::size_t n) {
    return head.in.at(
        "bias")[((over_heads ? 0 : head.head) * queries + (over_queries ? 0 : m)) * 19 + n];
  };
  c.check(scheme);
}

TEST_CASE("a bias by distance has its gradient, across blocks of keys") {
  Case c({1, 2, 2, 150, 150, 4, 4}, causal, 30);
  const auto lists = c.add("lists", 2 * 299, 31);
  const DistanceBias bias(lists, 2, -149, c.gradients["lists"].data());
  const ScoreModifier* modifiers[] = {&bias};
  c.call.modifiers = modifiers;
  c.run();
  Scheme scheme;
  scheme.bias = [](const Head& head, std::size_t m, std::size_t n) {
    return head.in.at("lists")[head.head * 299 + n + 149 - m];
  };
  c.check(scheme);
}

TEST_CASE("a mask hides keys from the gradients") {
  Case c({1, 2, 2, 9, 11, 4, 4}, {}, 40);
  std::vector<std::uint8_t> bytes(9 * 11);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 3 != 0 && i > 22;
  const BooleanMask mask(bytes, {{1, 1, 9, 11}}, true);
  const ScoreModifier* modifiers[] = {&mask};
  c.call.modifiers = modifiers;
  c.run();
  Scheme scheme;
  scheme.bias = [&](const Head&, std::size_t m, std::size_t n) {
    return bytes[m * 11 + n] ? 0.0 : hidden;
  };
  c.check(scheme);
}

TEST_CASE("the gates of FoX have their gradient through the prefix sums") {
  constexpr std::size_t length = 140, heads = 2;
  Case c({2, heads, heads, length, length, 4, 4}, causal, 50);
  const auto gates = c.add("gates", 2 * heads * length, 51);
  for (float& gate : gates) gate += 3.0f;
  std::vector<double> sums(gates.size()), d_sums(gates.size());
  prefix_sums(sums, gates, 2 * heads, PrefixTerm::log_sigmoid);
  const PrefixSumBias bias(sums, d_sums);
  const ScoreModifier* modifiers[] = {&bias};
  c.call.modifiers = modifiers;
  c.run();
  prefix_sums_backward(c.gradients["gates"], d_sums, gates, 2 * heads, PrefixTerm::log_sigmoid);
  Scheme scheme;
  scheme.bias = [](const Head& head, std::size_t m, std::size_t n) {
    double sum = 0;
    for (std::size_t l = n + 1; l <= m; ++l) {
      const double gate = head.in.at("gates")[(head.batch * heads + head.head) * length + l];
      sum -= std::log1p(std::exp(-gate));
    }
    return sum;
  };
  c.check(scheme);
}

TEST_CASE("Shaw's relative keys have the gradients of their tables and of q") {
  const std::size_t tables = GENERATE(1, 4), clip = GENERATE(0, 3, 200), rows = 2 * clip + 1;
  constexpr std::size_t queries = 9, keys = 140, dim = 5;
  Case c({2, 4, 2, queries, keys, dim, 4}, {.offset = 120, .lookback = 125}, 65);
  const auto table = c.add("tables", tables * rows * dim, 66);
  std::vector<float> d_q(c.in["q"].size());
  const RelativeKeys relative(c.call.q, {table.data(), tables * rows, dim}, tables, c.call.scale,
                              d_q.data(), {c.gradients["tables"].data(), tables * rows, dim});
  const ScoreModifier* modifiers[] = {&relative};
  c.call.modifiers = modifiers;
  c.run();
  for (std::size_t i = 0; i < d_q.size(); ++i) c.gradients["q"][i] += d_q[i];
  if (clip == 0) {  // shifts each row as a whole: no weight changes
    for (const float d : c.gradients["tables"]) CHECK(std::abs(d) <= 2e-5f);
    c.gradients.erase("tables");
  }
  Scheme scheme;
  scheme.bias = [=](const Head& head, std::size_t m, std::size_t n) {
    const auto reach = std::int64_t(clip);
    const std::int64_t distance = std::int64_t(n) - std::int64_t(m + 120);
    const auto row = std::size_t(std::clamp(distance, -reach, reach) + reach);
    const auto q = head.q(m);
    double sum = 0;
    for (std::size_t d = 0; d < dim; ++d)
      sum += q[d] * head.in.at("tables")[((tables == 1 ? 0 : head.head) * rows + row) * dim + d];
    return double(head.call.scale) * sum;
  };
  c.check(scheme);
}

TEST_CASE("CoPE has the gradients of its table, of q, and of the scores that its gates read") {
  const std::size_t rows = GENERATE(1, 4, 30);
  constexpr std::size_t length = 21, dim = 5;
  Case c({1, 4, 2, length, length, dim, 4}, causal, 60);
  const auto table = c.add("table", rows * dim, 61);
  std::vector<float> d_q(c.in["q"].size());
  const ContextualBias bias(c.call.q, {table.data(), rows, dim}, d_q.data(),
                            {c.gradients["table"].data(), rows, dim});
  const ScoreModifier* modifiers[] = {&bias};
  c.call.modifiers = modifiers;
  c.run();
  for (std::size_t i = 0; i < d_q.size(); ++i) c.gradients["q"][i] += d_q[i];
  if (rows == 1) c.gradients.erase("table");  // shifts each row as a whole: no weight changes
  Scheme scheme;
  scheme.bias = [=](const Head& head, std::size_t m, std::size_t n) {
    double position = 0;
    for (std::size_t i = n; i <= m; ++i)
      position += 1 / (1 + std::exp(-double(head.call.scale) * head.product(m, i)));
    position = std::min(position, double(rows - 1));
    const auto q = head.q(m);
    const auto read = [&](double row) {
      double sum = 0;
      for (std::size_t d = 0; d < dim; ++d)
        sum += q[d] * head.in.at("table")[std::size_t(row) * dim + d];
      return sum;
    };
    const double share = position - std::floor(position);
    return (1 - share) * read(std::floor(position)) + share * read(std::ceil(position));
  };
  c.check(scheme);
}

TEST_CASE("rotated queries and keys give the gradients of the unrotated ones, in both layouts") {
  const RotaryLayout layout = GENERATE(RotaryLayout::interleaved, RotaryLayout::half_split);
  constexpr std::size_t length = 37;
  Case c({2, 2, 1, length, length, 10, 4}, causal, 70);
  const auto positions = counted_positions(length);
  const Rotation rotations[] = {{positions, positions}};
  const std::vector<double> frequencies = rotary_frequencies(8, 100.0);
  AttentionRotary rotary{.rotations = rotations, .frequencies = frequencies};
  rotary.layout = layout;
  rotary.attention_factor = 1.1;
  c.call.rotary = &rotary;
  c.run();
  Scheme scheme;
  scheme.product = [&](const Head& head, std::size_t m, std::size_t n) {
    const auto turned = [&](const std::vector<double>& x, double at) {
      std::vector<double> angles;
      for (const double frequency : frequencies) angles.push_back(at * frequency);
      const auto places = layout == RotaryLayout::interleaved ? reference::interleaved_pair
                                                              : reference::half_split_pair;
      auto y = reference::turned(x, angles, places, places);
      for (std::size_t d = 0; d < 8; ++d) y[d] *= 1.1;
      return y;
    };
    const auto a = turned(head.q(m), double(m)), b = turned(head.k(n), double(n));
    double sum = 0;
    for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
    return sum;
  };
  c.check(scheme);
}

TEST_CASE("near and far keys give their gradients through rotations of their own") {
  constexpr std::size_t length = 45;
  const PositionMap map = GENERATE(PositionMap{PositionMapKind::rerope, 4, 0},
                                   PositionMap{PositionMapKind::dual_chunk, 16, 4});
  Case c({1, 2, 2, length, length, 6, 4}, causal, 80);
  const std::vector<double> frequencies = rotary_frequencies(6, 100.0);
  MappedRotations mapped;
  set_rotations(mapped, map, c.call);
  const AttentionRotary rotary{.rotations = mapped.rotations, .frequencies = frequencies};
  c.call.rotary = &rotary;
  c.run();
  Scheme scheme;
  scheme.product = [&](const Head& head, std::size_t m, std::size_t n) {
    if (n > m) return 0.0;
    std::vector<double> angles;
    for (const double frequency : frequencies)
      angles.push_back(relative_position(map, double(m), double(n)) * frequency);
    const auto q = reference::turned(head.q(m), angles, reference::interleaved_pair,
                                     reference::interleaved_pair);
    const auto k = head.k(n);
    double sum = 0;
    for (std::size_t d = 0; d < q.size(); ++d) sum += q[d] * k[d];
    return sum;
  };
  c.check(scheme);
}
