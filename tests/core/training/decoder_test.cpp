#include "training/decoder.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "kernels/dot.hpp"
#include "kernels/rows.hpp"
#include "support/inputs.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"

using namespace ropewalk;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::size_t vocabulary = 23;

std::vector<std::uint32_t> some_tokens(std::size_t count) {
  std::vector<std::uint32_t> tokens(count);
  for (std::size_t i = 0; i < count; ++i)
    tokens[i] = static_cast<std::uint32_t>((7 * i * i + 3 * i + 5) % vocabulary);
  return tokens;
}

// A decoder with random parameters of every kind, none at a value that hides it.
struct RandomDecoder {
  enum class Without { nothing, values };

  explicit RandomDecoder(const DecoderOptions& options, Without without = Without::nothing)
      : decoder(options, parameters) {
    if (without == Without::values) return;
    Random random(5);
    decoder.initialize(random);
    for (float& value : parameters.values()) value += static_cast<float>(0.2 * random.normal());
  }

  ParameterList parameters;
  Decoder decoder;
};

DecoderOptions llama() {
  DecoderOptions options;
  options.vocabulary = vocabulary;
  options.width = 16;
  options.layers = 2;
  options.heads = 4;
  options.hidden = 20;
  options.key_heads = 2;
  options.weight_order = WeightOrder::out_by_in;
  options.activation = Activation::silu;
  options.is_gated = true;
  options.is_tied = true;
  return options;
}

std::vector<GivenPosition> rope(const DecoderOptions& options, std::size_t head_width) {
  GivenPosition given;
  given.frequencies = rotary_frequencies(head_width, 100.0);
  return std::vector<GivenPosition>(options.layers, given);
}

// The forms that published models have, one or more at a time.
std::vector<DecoderOptions> forms() {
  std::vector<DecoderOptions> all;
  const auto add = [&](auto change) { change(all.emplace_back(llama())); };
  add([](DecoderOptions&) {});
  add([](DecoderOptions& o) { o.head_width = 6, o.is_tied = false; });
  add([](DecoderOptions& o) { o.norm_place = NormPlace::both, o.score_cap = 3, o.logit_cap = 4; });
  add([](DecoderOptions& o) {
    o.norm_place = NormPlace::after, o.query_key_norm = HeadNorm::whole;
  });
  add([](DecoderOptions& o) {
    o.norm = NormKind::layer, o.norm_place = NormPlace::after_sum, o.has_final_norm = false,
    o.embedding_width = 12, o.activation = Activation::relu, o.is_gated = false;
  });
  add([](DecoderOptions& o) {
    o.norm = NormKind::layer, o.is_parallel = true, o.shares_norm = true,
    o.query_key_norm = HeadNorm::own;
  });
  add([](DecoderOptions& o) {
    o.is_parallel = true, o.has_query_key_value_bias = true, o.has_output_bias = true,
    o.has_feed_forward_bias = true, o.is_gated = false, o.activation = Activation::gelu;
  });
  add([](DecoderOptions& o) {
    o.has_embedding_norm = true, o.keeps_norm_as_residual = true, o.has_sinks = true,
    o.query_key_norm = HeadNorm::shared;
  });
  add([](DecoderOptions& o) {
    o.residual_factor = 0.3, o.embedding_factor = 2.0, o.logit_factor = 0.25, o.scale = 0.4,
    o.scales_by_layer = true, o.query_key_value_cap = 0.5;
  });
  return all;
}

float largest_difference(ConstMatrixView a, std::span<const float> b) {
  float largest = 0.0f;
  for (std::size_t i = 0; i < b.size(); ++i)
    largest = std::max(largest, std::abs(a.data[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("a text read in pieces over a cache has the logits of the whole text, in every form") {
  const auto which = GENERATE(range(std::size_t{0}, forms().size()));
  const DecoderOptions options = forms()[which];
  RandomDecoder model(options);
  const auto tokens = some_tokens(21);
  std::vector<GivenPosition> given = rope(options, model.decoder.options().head_width);
  given[1].frequencies.clear();
  given[1].lookback = 6;
  given[1].slopes = {0.5, 0.25, 0.125, 0.0625};
  given[1].row_factors.assign(21, 1.0f);
  for (std::size_t i = 0; i < 21; ++i) given[1].row_factors[i] += 0.05f * float(i);
  model.decoder.give_positions(given, false);
  const MatrixView logits = model.decoder.forward({1, 21, tokens});
  const std::vector<float> whole(logits.data, logits.data + logits.rows * logits.cols);
  CHECK(std::ranges::all_of(whole, [](float value) { return std::isfinite(value); }));
  for (const std::size_t piece : {1, 4, 21}) {
    std::vector<KvCache> caches = model.decoder.caches(21);
    for (std::size_t first = 0; first < tokens.size(); first += piece) {
      const std::size_t count = std::min(piece, tokens.size() - first);
      const MatrixView part = model.decoder.forward(
          {1, count, std::span(tokens).subspan(first, count)}, {.caches = caches});
      const auto expected = std::span(whole).subspan(first * vocabulary, count * vocabulary);
      CAPTURE(which, piece, first);
      CHECK(largest_difference(part, expected) < 2e-5f);
    }
  }
}

TEST_CASE("a position map over a cache has the logits of the whole text") {
  RandomDecoder model(llama());
  std::vector<GivenPosition> given = rope(llama(), 4);
  for (GivenPosition& layer : given) layer.map = {PositionMapKind::rerope, 5.0, 0.0};
  model.decoder.give_positions(given, false);
  const auto tokens = some_tokens(15);
  const MatrixView logits = model.decoder.forward({1, 15, tokens});
  const std::vector<float> whole(logits.data, logits.data + logits.rows * logits.cols);
  std::vector<KvCache> caches = model.decoder.caches(15);
  for (std::size_t i = 0; i < 15; ++i) {
    const MatrixView one =
        model.decoder.forward({1, 1, std::span(tokens).subspan(i, 1)}, {.caches = caches});
    CHECK(largest_difference(one, std::span(whole).subspan(i * vocabulary, vocabulary)) < 2e-5f);
  }
}

namespace {

std::span<const std::uint8_t> bytes_of(std::span<const float> values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

// The same model with weights in fewer bits, written in pieces.
void copy_stored(RandomDecoder& to, ParameterList& from, RowFormat format) {
  const std::vector<std::optional<RowFormat>> formats(from.all().size(), format);
  to.parameters.set_formats(formats);
  to.parameters.reserve();
  for (std::size_t i = 0; i < from.all().size(); ++i) {
    const MatrixView values = from.values(i);
    for (std::size_t row = 0; row < values.rows; row += 3) {
      const std::size_t count = std::min<std::size_t>(3, values.rows - row);
      const std::span<const float> piece(values.row(row).data(), count * values.cols);
      REQUIRE(!to.parameters.write(i, row, count, bytes_of(piece), FileFormat::float32, 0.0f));
    }
  }
}

}  // namespace

TEST_CASE("weights in fewer bits have the logits of the floats that they stand for") {
  const auto which = GENERATE(range(std::size_t{0}, forms().size()));
  const auto format = GENERATE(RowFormat::float16, RowFormat::int8);
  DecoderOptions options = forms()[which];
  if (which % 2 == 1) options.weight_order = WeightOrder::in_by_out;
  RandomDecoder model(options);
  RandomDecoder stored(options, RandomDecoder::Without::values);
  copy_stored(stored, model.parameters, format);
  CHECK(stored.parameters.bytes() <
        (format == RowFormat::int8 ? 0.6 : 0.8) * model.parameters.bytes() + 8192);
  // The floats become those that are stored.
  for (std::size_t i = 0; i < model.parameters.all().size(); ++i) {
    const Parameter& parameter = stored.parameters.all()[i];
    CAPTURE(parameter.name);
    const MatrixView floats = model.parameters.values(i);
    if (const auto rows = stored.parameters.quantized(i)) {
      CHECK(floats.rows > 1);
      dequantize(floats, *rows);
    } else {
      CHECK(floats.rows == 1);
      CHECK(std::ranges::equal(all_of(floats), all_of(stored.parameters.values(i))));
    }
  }
  const auto given = rope(options, model.decoder.options().head_width);
  model.decoder.give_positions(given, false);
  stored.decoder.give_positions(given, false);
  const auto tokens = some_tokens(21);
  const MatrixView logits = model.decoder.forward({1, 21, tokens});
  const std::vector<float> expected(logits.data, logits.data + logits.rows * logits.cols);
  CAPTURE(which);
  CHECK(largest_difference(stored.decoder.forward({1, 21, tokens}), expected) < 1e-4f);
  std::vector<KvCache> caches = stored.decoder.caches(21);
  for (std::size_t i = 0; i < 21; ++i) {
    const MatrixView one =
        stored.decoder.forward({1, 1, std::span(tokens).subspan(i, 1)}, {.caches = caches});
    // A row of int8 products rounds its other operand, too.
    CHECK(largest_difference(one, std::span(expected).subspan(i * vocabulary, vocabulary)) <
          (format == RowFormat::int8 ? 5e-3f : 1e-4f));
  }
  const MatrixView whole = stored.decoder.forward({1, 21, tokens});
  CHECK_THROWS_WITH(stored.decoder.backward(whole),
                    ContainsSubstring("precision must be float32 for a backward pass"));
}

TEST_CASE("a weight that cannot be stored is returned, and rows beyond a parameter are refused") {
  RandomDecoder model(llama(), RandomDecoder::Without::values);
  std::vector<std::optional<RowFormat>> formats(model.parameters.all().size());
  formats[0] = RowFormat::float16;
  model.parameters.set_formats(formats);
  model.parameters.reserve();
  std::vector<float> values(2 * 16, 1.0f);
  const auto write = [&](std::size_t parameter, std::size_t rows) {
    return model.parameters.write(parameter, 0, rows, bytes_of(values), FileFormat::float32, 0.0f);
  };
  CHECK(!write(0, 2));
  values[17] = 0x1p30f;
  CHECK(write(0, 2) == 0x1p30f);
  CHECK(model.parameters.all()[2].rows == 16);
  CHECK(!write(2, 2));
  values[18] = INFINITY;
  CHECK(write(2, 2) == INFINITY);
  CHECK_THROWS_WITH(write(0, 1), ContainsSubstring("rows must be within 23"));
}

TEST_CASE("over caches one layer keeps its values") {
  RandomDecoder model(llama());
  model.decoder.give_positions(rope(llama(), 4), false);
  const auto tokens = some_tokens(9);
  std::vector<float> weights(4 * 9 * 9), expected(weights.size());
  model.decoder.forward({1, 9, tokens});
  model.decoder.attention_weights(0, expected);
  std::vector<KvCache> caches = model.decoder.caches(9);
  model.decoder.forward({1, 9, tokens}, {.caches = caches, .kept_layer = 0});
  model.decoder.attention_weights(0, weights);
  CHECK(largest_difference({weights.data(), 1, weights.size()}, expected) < 1e-6f);
  CHECK_THROWS_WITH(model.decoder.attention_weights(1, weights),
                    ContainsSubstring("layer must be 0, whose values were kept, got 1"));
}

TEST_CASE("the logits of the last tokens alone are those of the whole text") {
  RandomDecoder model(llama());
  model.decoder.give_positions(rope(llama(), 4), false);
  const auto tokens = some_tokens(9);
  const MatrixView logits = model.decoder.forward({1, 9, tokens});
  const std::vector<float> last(logits.row(8).begin(), logits.row(8).end());
  const MatrixView one = model.decoder.forward({1, 9, tokens}, {.last_rows = 1});
  REQUIRE(one.rows == 1);
  CHECK(largest_difference(one, last) < 2e-6f);
}

namespace {

// Position as models are given it: of each layer another form.
std::vector<GivenPosition> every_position(const DecoderOptions& options, bool has_map) {
  std::vector<GivenPosition> given = rope(options, 4);
  given[1].layout = RotaryLayout::interleaved;
  if (has_map) {
    given[0].map = {PositionMapKind::rerope, 5.0, 0.0};
    given[1].lookback = 6;
    given[1].attention_factor = 1.25;
    given[1].slopes = {0.5, 0.25, 0.125, 0.0625};
    given[1].row_factors.assign(12, 1.0f);
    for (std::size_t i = 0; i < 12; ++i) given[1].row_factors[i] += 0.05f * float(i);
  }
  return given;
}

// Of length 1.
std::vector<float> random_direction(std::size_t size, Random& random) {
  std::vector<float> direction(size);
  for (float& value : direction) value = static_cast<float>(random.normal());
  scale(direction, static_cast<float>(1.0 / std::sqrt(double(dot(direction, direction)))));
  return direction;
}

}  // namespace

TEST_CASE("the gradients of a Llama agree with central differences of the loss") {
  const bool is_layer_norm = GENERATE(false, true), is_in_by_out = GENERATE(false, true);
  DecoderOptions options = llama();
  if (is_layer_norm) options.norm = NormKind::layer, options.has_feed_forward_bias = true;
  if (is_in_by_out) options.weight_order = WeightOrder::in_by_out, options.is_tied = false;
  options.has_query_key_value_bias = is_layer_norm;
  RandomDecoder model(options);
  model.decoder.give_positions(every_position(options, is_layer_norm != is_in_by_out), false);
  const auto tokens = some_tokens(24);
  std::vector<std::uint32_t> targets(tokens.begin() + 1, tokens.end());
  targets.push_back(3);
  const std::vector<float> weights(24, 1.0f);
  const MatrixView logits = model.decoder.forward({2, 12, tokens});
  std::vector<float> d_numbers(logits.rows * logits.cols);
  const MatrixView d_logits(d_numbers.data(), logits.rows, logits.cols);
  cross_entropy_backward(d_logits, logits, targets, weights);
  model.parameters.clear_gradients();
  model.decoder.backward(d_logits);
  const std::vector<float> start = model.parameters.values(),
                           gradients = model.parameters.gradients();
  // The central difference of the loss along a direction of one parameter.
  const auto slope_along = [&](const Parameter& parameter, std::span<const float> direction,
                               double step) {
    double slope = 0.0;
    for (const double sign : {1.0, -1.0}) {
      for (std::size_t i = 0; i < direction.size(); ++i)
        model.parameters.values()[parameter.offset + i] += float(sign * step * direction[i]);
      const MatrixView moved = model.decoder.forward({2, 12, tokens});
      slope += sign * cross_entropy_forward(moved, targets, weights) / (2 * step);
      model.parameters.values() = start;
    }
    return slope;
  };
  Random random(11);
  for (const Parameter& parameter : model.parameters.all()) {
    const auto gradient = std::span(gradients).subspan(parameter.offset, parameter.size());
    const double norm = std::sqrt(double(dot(gradient, gradient)));
    CAPTURE(parameter.name, norm);
    // The softmax does not change when all scores of a row do.
    if (parameter.name.ends_with("Wk.b")) continue;
    REQUIRE(norm > 1e-4);
    std::vector<float> along(gradient.begin(), gradient.end());
    scale(along, static_cast<float>(1.0 / norm));
    CHECK(std::abs(slope_along(parameter, along, 0.004) - norm) < 5e-3 * norm + 2e-4);
    // A part of the gradient that is missing shows in other directions alone.
    for (int i = 0; i < 3; ++i) {
      const std::vector<float> other = random_direction(gradient.size(), random);
      const double expected = dot(gradient, other);
      CHECK(std::abs(slope_along(parameter, other, 0.004) - expected) < 2e-3 * norm + 2e-4);
    }
  }
}

TEST_CASE("forms without a gradient say so before anything is written") {
  struct Case {
    void (*change)(DecoderOptions&);
    const char* message;
  };
  const Case cases[] = {
      {[](DecoderOptions& o) { o.norm_place = NormPlace::both; }, "norm_place must be before"},
      {[](DecoderOptions& o) { o.query_key_norm = HeadNorm::whole; },
       "query_key_norm must be none"},
      {[](DecoderOptions& o) { o.is_parallel = true; }, "is_parallel must be false"},
      {[](DecoderOptions& o) { o.keeps_norm_as_residual = true; },
       "keeps_norm_as_residual must be false"},
      {[](DecoderOptions& o) { o.has_sinks = true; }, "has_sinks must be false"},
      {[](DecoderOptions& o) { o.score_cap = 2.0; }, "caps must be 0"},
      {[](DecoderOptions& o) { o.logit_factor = 2.0; }, "factors must be 1"},
      {[](DecoderOptions& o) { o.has_final_norm = false; }, "has_final_norm must be true"},
      {[](DecoderOptions& o) { o.embedding_width = 8; }, "embeddings must have the width"},
      {[](DecoderOptions& o) { o.activation = Activation::gelu; }, "activation must be silu"},
  };
  for (const Case& one : cases) {
    DecoderOptions options = llama();
    one.change(options);
    RandomDecoder model(options);
    const auto tokens = some_tokens(6);
    const MatrixView logits = model.decoder.forward({1, 6, tokens});
    CHECK_THROWS_WITH(model.decoder.backward(logits), ContainsSubstring(one.message));
    CHECK(std::ranges::all_of(model.parameters.gradients(), [](float d) { return d == 0.0f; }));
  }
}

TEST_CASE("a decoder rejects forms that exclude each other, and texts beyond its cache") {
  const auto rejects = [](auto change, const char* message) {
    DecoderOptions options = llama();
    change(options);
    CHECK_THROWS_WITH(RandomDecoder(options), ContainsSubstring(message));
  };
  rejects([](DecoderOptions& o) { o.heads = 3, o.key_heads = 0; },
          "width must be a multiple of heads, got 16 and 3");
  rejects([](DecoderOptions& o) { o.key_heads = 3; },
          "heads must be a multiple of key_heads, got 4 and 3");
  rejects([](DecoderOptions& o) { o.is_parallel = true, o.norm_place = NormPlace::after; },
          "norm_place must be before with parallel layers");
  rejects(
      [](DecoderOptions& o) { o.keeps_norm_as_residual = true, o.norm_place = NormPlace::both; },
      "norm_place must be before where the norm is kept as residual");
  rejects([](DecoderOptions& o) { o.shares_norm = true; },
          "shares_norm must be false unless layers are parallel");
  rejects([](DecoderOptions& o) { o.position.kind = position_kind("wall"); },
          "key_heads and head_width must be left out with position wall");

  RandomDecoder model(llama());
  DecoderOptions deeper = llama();
  deeper.layers = 3;
  CHECK_THROWS_WITH(model.decoder.give_positions(rope(deeper, 4), false),
                    ContainsSubstring("layers must have 2 values, got 3"));
  CHECK_THROWS_WITH(model.decoder.give_positions(rope(llama(), 6), false),
                    ContainsSubstring("frequencies must be at most 2, got 3"));
  auto given = rope(llama(), 4);
  given[0].slopes = {1.0};
  CHECK_THROWS_WITH(model.decoder.give_positions(given, false),
                    ContainsSubstring("slopes must have 4 values, got 1"));
  given = rope(llama(), 4);
  given[0].row_factors = {1.0f, 2.0f};
  model.decoder.give_positions(given, false);
  const auto tokens = some_tokens(8);
  CHECK_THROWS_WITH(model.decoder.forward({1, 8, tokens}),
                    ContainsSubstring("row_factors must have at least 8 values, got 2"));
  model.decoder.give_positions(rope(llama(), 4), false);
  std::vector<KvCache> caches = model.decoder.caches(5);
  CHECK_THROWS_WITH(model.decoder.forward({1, 8, tokens}, {.caches = caches}),
                    ContainsSubstring("tokens must be at most 5 with those before them, got 8"));
  CHECK(caches[0].length() == 0);
}
