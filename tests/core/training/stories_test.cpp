// A Llama that somebody else trained (tests/models/stories260k), natively: its losses are those of
// another program under every change of positions. Elsewhere the package's tests compare them.
#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "rotary/rotate.hpp"
#include "rotary/scaling.hpp"
#include "training/decoder.hpp"

using namespace ropewalk;

namespace {

constexpr double tolerance = 2e-4;  // nats
constexpr std::size_t head_width = 8, context = 512;
constexpr double base = 10000.0;

std::string contents(const char* name) {
  std::ifstream file(std::string(ROPEWALK_STORIES "/") + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

DecoderOptions llama() {
  DecoderOptions options;
  options.vocabulary = 512;
  options.width = 64;
  options.layers = 5;
  options.heads = 8;
  options.key_heads = 4;
  options.hidden = 172;
  options.norm_epsilon = 1e-5f;
  options.weight_order = WeightOrder::out_by_in;
  options.activation = Activation::silu;
  options.is_gated = true;
  options.is_tied = true;
  return options;
}

struct Stories {
  Stories() : decoder(llama(), parameters) {
    // After seven sizes, one kind of matrix after the other, each for all layers.
    const std::string bytes = contents("stories260K.bin");
    std::size_t at = 7 * sizeof(std::int32_t);
    const auto read = [&](const std::string& name) {
      const auto& all = parameters.all();
      const auto index =
          static_cast<std::size_t>(std::ranges::find(all, name, &Parameter::name) - all.begin());
      REQUIRE(index < all.size());
      const std::size_t count = all[index].size() * sizeof(float);
      const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data()) + at;
      REQUIRE(at + count <= bytes.size());
      CHECK_FALSE(
          parameters.write(index, 0, all[index].rows, {from, count}, FileFormat::float32, 0.0f));
      at += count;
    };
    read("E");
    for (const char* name : {"g1", "Wq", "Wk", "Wv", "Wo", "g2", "Wg", "W2", "W1"}) {
      for (std::size_t layer = 0; layer < llama().layers; ++layer) read(layer_prefix(layer) + name);
    }
    read("gf");
  }

  ParameterList parameters;
  Decoder decoder;
};

// The numbers of a list in expected.json, which has no spaces.
std::vector<double> expected(const std::string& name) {
  static const std::string text = contents("expected.json");
  const std::string key = "\"" + name + "\":[";
  const std::size_t begin = text.find(key);
  REQUIRE(begin != std::string::npos);
  std::string list = text.substr(begin + key.size());
  list.resize(list.find(']'));
  std::ranges::replace(list, ',', ' ');
  std::istringstream numbers(list);
  return {std::istream_iterator<double>(numbers), {}};
}

GivenPosition rope(std::vector<double> frequencies) {
  GivenPosition given;
  given.frequencies = std::move(frequencies);
  given.layout = RotaryLayout::interleaved;
  return given;
}
GivenPosition rope(const ScaledFrequencies& scaled) { return rope(scaled.inverse_frequencies); }

struct Mode {
  std::string name;
  GivenPosition position;
  double first = 0.0;  // position of the first token
};

std::vector<Mode> modes() {
  const std::vector<double> own = rotary_frequencies(head_width, base);
  std::vector<Mode> all;
  const auto add = [&](const char* name, GivenPosition position, double first = 0.0) {
    all.push_back({name, std::move(position), first});
  };
  // The same, changed.
  const auto change = [&](const char* name, auto change) {
    add(name, rope(own));
    change(all.back().position);
  };
  const auto lengthened = [](GivenPosition& given) {
    for (std::size_t place = 0; place < 1100; ++place)
      given.row_factors.push_back(static_cast<float>(
          std::max(1.0, std::log(double(place) + 1.0) / std::log(double(context)))));
  };
  std::vector<double> negative = own;
  for (double& frequency : negative) frequency = -frequency;
  const ByPartsOptions by_turns{
      .factor = 4.0, .original_length = double(context), .ramp = ByPartsRamp::published};

  add("direct", rope(own));
  add("shift_500", rope(own), 500.0);
  add("none", {});
  change("half_split", [](auto& given) { given.layout = RotaryLayout::half_split; });
  add("inverted", rope(negative));
  add("pi_4", rope(position_interpolation(head_width, base, 4.0)));
  add("ntk_4", rope(ntk(head_width, base, {.factor = 4.0})));
  add("ntk_by_parts_1_32", rope(ntk_by_parts(head_width, base, by_turns)));
  add("yarn_4_1_32", rope(ntk_by_parts(head_width, base, by_turns)));
  all.back().position.attention_factor = yarn_mscale(4.0);
  add("llama3_4_1_4", rope(llama3(head_width, base, {4.0, double(context), 1.0, 4.0})));
  add("base_1e6", rope(rotary_frequencies(head_width, 1e6)));
  change("window_512", [](auto& given) { given.lookback = 511; });
  change("window_256", [](auto& given) { given.lookback = 255; });
  change("rerope_256", [](auto& given) { given.map = {PositionMapKind::rerope, 256.0}; });
  change("leaky_rerope_256_4",
         [](auto& given) { given.map = {PositionMapKind::leaky_rerope, 256.0, 4.0}; });
  change("log_n", lengthened);
  change("rerope_256_log_n", [&](auto& given) {
    given.map = {PositionMapKind::rerope, 256.0};
    lengthened(given);
  });
  return all;
}

double loss_of(std::span<const float> logits, std::uint32_t next) {
  const double largest = std::ranges::max(logits);
  double sum = 0.0;
  for (const float logit : logits) sum += std::exp(logit - largest);
  return largest + std::log(sum) - logits[next];
}

}  // namespace

TEST_CASE("a trained Llama has the losses of another program under every change of positions") {
  Stories model;
  std::vector<std::uint32_t> tokens;
  for (const double token : expected("tokens")) tokens.push_back(std::uint32_t(token));
  const std::vector<double> edges = expected("edges");
  const Mode mode = GENERATE(from_range(modes()));
  CAPTURE(mode.name);
  model.decoder.give_positions(std::vector<GivenPosition>(llama().layers, mode.position), false);
  std::vector<double> positions;
  for (std::size_t i = 0; mode.first != 0.0 && i < tokens.size(); ++i)
    positions.push_back(mode.first + double(i));
  const MatrixView logits = model.decoder.forward({1, tokens.size(), tokens, positions});
  const std::vector<double> losses = expected(mode.name);
  REQUIRE(losses.size() + 1 == edges.size());
  for (std::size_t part = 0; part < losses.size(); ++part) {
    double sum = 0.0;
    for (auto place = std::size_t(edges[part]); place < std::size_t(edges[part + 1]); ++place)
      sum += loss_of(logits.row(place), tokens[place + 1]);
    CAPTURE(part);
    CHECK(std::abs(sum / (edges[part + 1] - edges[part]) - losses[part]) < tolerance);
  }
}
