// Loaded models, and the texts that they read and continue. JavaScript holds their addresses, from
// createModel to deleteModel and from createText to deleteText.
#include <limits>

#include "bindings/records.hpp"
#include "bindings/stored.hpp"
#include "training/decoder.hpp"
#include "training/initial_values.hpp"
#include "training/layers.hpp"
#include "training/sampling.hpp"
#include "training/window_trainer.hpp"

namespace ropewalk {

// The numbers of a given position; its lists follow.
template <class Visit>
void fields(GivenPosition& given, Visit visit) {
  visit("attentionFactor", given.attention_factor);
  visit("layout", given.layout);
  visit("map", given.map.kind);
  visit("window", given.map.window);
  visit("second", given.map.second);
  visit("lookback", given.lookback);
}

// What a model is created from.
struct ModelOptions {
  DecoderOptions decoder;
};

template <class Visit>
void fields(ModelOptions& model, Visit visit) {
  fields(model.decoder, visit);
  visit("position.type", model.decoder.position.kind);
  visit("position.rows", model.decoder.position.rows);
}

}  // namespace ropewalk

namespace ropewalk::bindings {
namespace {

struct Model {
  explicit Model(const DecoderOptions& options) : decoder(options, parameters) {}

  ParameterList parameters;
  Decoder decoder;
};

// The keys and values of a text so far, and the random numbers of its continuation.
struct Text {
  std::vector<KvCache> caches;
  Random random;
};

Model& model_at(Pointer address) { return *reinterpret_cast<Model*>(address); }
Text& text_at(Pointer address) { return *reinterpret_cast<Text*>(address); }
WindowTrainer& trainer_at(Pointer address) { return *reinterpret_cast<WindowTrainer*>(address); }

// doubles: the record. The model has no memory for its parameters yet.
Pointer create_model() {
  return guarded([] {
    auto model = std::make_unique<Model>(read_record<ModelOptions>().decoder);
    return std::span(model.release(), 1);
  });
}

void delete_model(Pointer model) { delete &model_at(model); }

std::string model_parameters(Pointer model) { return parameter_lines(model_at(model).parameters); }

// doubles: for each parameter how it is stored, see Stored; those that fewer bits do not fit stay
// floats. Result: the bytes of all.
Pointer set_model_formats(Pointer model) {
  return guarded([&] {
    ParameterList& parameters = model_at(model).parameters;
    std::vector<std::optional<RowFormat>> formats;
    for (const double kind : doubles_in.take(parameters.all().size()))
      formats.push_back(format_of(static_cast<Stored>(kind)));
    parameters.set_formats(formats);
    return doubles_out.assign(std::vector{parameters.bytes()});
  });
}

// Takes the memory of all parameters. Result: only whether it failed.
Pointer reserve_model(Pointer model) {
  return guarded([&] {
    model_at(model).parameters.reserve();
    return floats_out.reserve(0);
  });
}

// bytes: rows of a parameter as a file has them. Result: the first value that cannot be stored, if
// there is one.
Pointer write_parameter(Pointer model, std::size_t index, std::size_t first, std::size_t count,
                        FileFormat format, double added) {
  return guarded([&] {
    const auto wrong = model_at(model).parameters.write(
        index, first, count, bytes_in.take(bytes_in.count()), format, static_cast<float>(added));
    const std::span<double> result = doubles_out.reserve(wrong ? 1 : 0);
    if (wrong) result[0] = *wrong;
    return result;
  });
}

// doubles: of each layer the record and the numbers of frequencies, slopes and row factors; then
// frequencies and slopes of each layer. floats: row factors of each layer.
Pointer give_positions(Pointer model, std::size_t layers, bool drops_input) {
  return guarded([&] {
    std::vector<GivenPosition> given(layers);
    for (GivenPosition& layer : given) {
      layer = read_record<GivenPosition>();
      const std::span<double> counts = doubles_in.take(3);
      layer.frequencies.resize(static_cast<std::size_t>(counts[0]));
      layer.slopes.resize(static_cast<std::size_t>(counts[1]));
      layer.row_factors.resize(static_cast<std::size_t>(counts[2]));
    }
    for (GivenPosition& layer : given) {
      for (auto* list : {&layer.frequencies, &layer.slopes})
        std::ranges::copy(doubles_in.take(list->size()), list->begin());
      std::ranges::copy(floats_in.take(layer.row_factors.size()), layer.row_factors.begin());
    }
    model_at(model).decoder.give_positions(given, drops_input);
    return floats_out.reserve(0);
  });
}

Pointer create_text(Pointer model, std::size_t capacity, double seed_high, double seed_low) {
  return guarded([&] {
    const Random random(seed_of(seed_high, seed_low));
    return std::span(new Text{model_at(model).decoder.caches(capacity), random}, 1);
  });
}

void delete_text(Pointer text) { delete &text_at(text); }

MatrixView extended(Pointer model, Pointer text, std::size_t length, std::size_t positions,
                    std::size_t last_rows, std::size_t kept_layer = 0,
                    bool keeps_unrotated = false) {
  const auto tokens = ids_of(length);
  const std::span<double> places = doubles_in.take(positions);
  DecoderUse use;
  use.caches = text_at(text).caches;
  use.last_rows = last_rows;
  use.kept_layer = kept_layer;
  use.keeps_unrotated = keeps_unrotated;
  return model_at(model).decoder.forward({1, length, tokens, places}, use);
}

// Throws std::invalid_argument where a value is not finite: it would look like a result.
void require_finite(const char* name, std::span<const float> values) {
  if (largest_magnitude(values) <= std::numeric_limits<float>::max()) return;
  for (const float value : values)
    require(std::isfinite(value), name, " must be finite, got ", value);
}

// doubles: tokens, their positions. Result: logits of the last rows.
Pointer extend_text(Pointer model, Pointer text, std::size_t length, std::size_t positions,
                    std::size_t last_rows) {
  return guarded([&] {
    const MatrixView logits = extended(model, text, length, positions, last_rows);
    require_finite("logits", all_of(logits));
    return std::span<const float>(all_of(logits));
  });
}

// doubles: tokens, their positions, the token after each. Result: -ln p of those, in nats.
Pointer text_losses(Pointer model, Pointer text, std::size_t length, std::size_t positions) {
  return guarded([&] {
    const MatrixView logits = extended(model, text, length, positions, all_keys);
    require_finite("logits", all_of(logits));
    const auto targets = ids_of(length);
    const std::span<double> losses = doubles_out.reserve(length);
    token_losses(losses, logits, targets);
    return losses;
  });
}

// doubles: tokens, their positions. Result: the token that continues them.
Pointer continue_text(Pointer model, Pointer text, std::size_t length, std::size_t positions,
                      double temperature, double top_p) {
  return guarded([&] {
    const MatrixView logits = extended(model, text, length, positions, 1);
    require_finite("logits", all_of(logits));
    const std::size_t next = sample(logits.row(0), {temperature, top_p}, text_at(text).random);
    return doubles_out.assign(std::vector{static_cast<double>(next)});
  });
}

// doubles: tokens, their positions. Result: weights of a layer's attention, heads x length x all
// tokens so far.
Pointer text_weights(Pointer model, Pointer text, std::size_t length, std::size_t positions,
                     std::size_t layer) {
  return guarded([&] {
    extended(model, text, length, positions, 1, layer);
    Decoder& decoder = model_at(model).decoder;
    const std::size_t keys = text_at(text).caches[0].length();
    const std::span<float> weights = floats_out.reserve(decoder.heads() * length * keys);
    decoder.attention_weights(layer, weights);
    require_finite("weights", weights);
    return weights;
  });
}

// doubles: tokens, their positions. Result: queries and keys of a layer by head, before its
// rotation and after it.
Pointer text_operands(Pointer model, Pointer text, std::size_t length, std::size_t positions,
                      std::size_t layer) {
  return guarded([&] {
    extended(model, text, length, positions, 1, layer, true);
    const Decoder& decoder = model_at(model).decoder;
    const Operands& operands = decoder.operands(layer);
    const std::size_t heads = decoder.heads(), key_heads = decoder.options().key_heads;
    const std::span<float> all = floats_out.reserve(2 * (operands.q.size() + operands.k.size()));
    std::size_t first = 0;
    const auto put = [&](const std::vector<float>& rows, std::size_t count) {
      split_heads(all.subspan(first, rows.size()), {rows.data(), length, rows.size() / length},
                  count, length);
      first += rows.size();
    };
    put(operands.unrotated_q, heads);
    put(operands.unrotated_k, key_heads);
    put(operands.q, heads);
    put(operands.k, key_heads);
    return all;
  });
}

// doubles: the record.
Pointer create_model_trainer(Pointer model) {
  return guarded([&] {
    Model& own = model_at(model);
    const auto options = read_record<WindowTrainerOptions>();
    return std::span(new WindowTrainer(own.decoder, own.parameters, options), 1);
  });
}

void delete_model_trainer(Pointer trainer) { delete &trainer_at(trainer); }

// Result: indices of the windows of the next step.
Pointer draw_windows(Pointer trainer) {
  return guarded([&] {
    const std::vector<std::size_t> drawn = trainer_at(trainer).draw();
    return doubles_out.assign(std::vector<double>(drawn.begin(), drawn.end()));
  });
}

// doubles: the tokens of windows of equal length. A rate of NaN is that of the schedule.
// Result: loss, norm of the gradients, learning rate.
Pointer step_on_windows(Pointer trainer, std::size_t windows, std::size_t tokens,
                        double learning_rate) {
  return guarded([&] {
    const StepResult result =
        trainer_at(trainer).step(ids_of(tokens), windows, given_number(learning_rate));
    return doubles_out.assign(std::vector{result.loss, result.gradient_norm, result.learning_rate});
  });
}

// Result: steps taken, steps of the schedule.
Pointer model_trainer_steps(Pointer trainer) {
  return guarded([&] {
    const WindowTrainer& own = trainer_at(trainer);
    return doubles_out.assign(std::vector{static_cast<double>(own.steps_taken()),
                                          static_cast<double>(own.schedule().steps)});
  });
}

// Result: the largest magnitude of each parameter.
Pointer largest_weights(Pointer model) {
  return guarded([&] {
    ParameterList& parameters = model_at(model).parameters;
    const std::size_t count = parameters.all().size();
    const std::span<double> largest = doubles_out.reserve(count);
    std::vector<float> unpacked;
    for (std::size_t i = 0; i < count; ++i) {
      largest[i] = 0.0;
      const Parameter& parameter = parameters.all()[i];
      const auto stored = parameters.quantized(i);
      unpacked.resize(parameter.cols);
      for (std::size_t r = 0; r < parameter.rows; ++r) {
        std::span<const float> row = unpacked;
        if (stored)
          dequantize({unpacked.data(), 1, unpacked.size()}, stored->rows_from(r, 1));
        else
          row = parameters.values(i).row(r);
        largest[i] = std::max(largest[i], double(largest_magnitude(row)));
      }
    }
    return largest;
  });
}

// Result: the values of a parameter.
Pointer model_values(Pointer model, std::size_t index) {
  return guarded([&] {
    ParameterList& parameters = model_at(model).parameters;
    const Parameter& parameter = parameters.all()[index];
    const std::span<float> values = floats_out.reserve(parameter.size());
    if (const auto rows = parameters.quantized(index))
      dequantize({values.data(), rows->rows, rows->cols}, *rows);
    else
      std::ranges::copy(all_of(parameters.values(index)), values.begin());
    return values;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(model) {
  using namespace emscripten;
  function("modelFields", &field_names<ModelOptions>);
  function("givenFields", &field_names<GivenPosition>);
  function("createModel", &create_model);
  function("deleteModel", &delete_model);
  function("modelParameters", &model_parameters);
  function("setModelFormats", &set_model_formats);
  function("reserveModel", &reserve_model);
  enum_<FileFormat>("FileFormat", enum_value_type::string)
      .value("f32", FileFormat::float32)
      .value("f16", FileFormat::float16)
      .value("bf16", FileFormat::bfloat16)
      .value("q8_0", FileFormat::q8_0);
  function("writeParameter", &write_parameter);
  function("givePositions", &give_positions);
  function("createText", &create_text);
  function("deleteText", &delete_text);
  function("extendText", &extend_text);
  function("largestWeights", &largest_weights);
  function("textLosses", &text_losses);
  function("continueText", &continue_text);
  function("textWeights", &text_weights);
  function("textOperands", &text_operands);
  function("modelTrainerFields", &field_names<WindowTrainerOptions>);
  function("createModelTrainer", &create_model_trainer);
  function("deleteModelTrainer", &delete_model_trainer);
  function("drawWindows", &draw_windows);
  function("stepOnWindows", &step_on_windows);
  function("modelTrainerSteps", &model_trainer_steps);
  function("modelValues", &model_values);
}

}  // namespace ropewalk::bindings
