// Trainers: the one thing of the package that has a state.
#include <memory>

#include "bindings/boundary.hpp"
#include "training/trainer.hpp"

namespace ropewalk::bindings {
namespace {

// The numbers that describe a trainer, in the order of the record that src/js/training/record.ts
// sends.
struct Reader {
  std::span<const double> numbers;
  std::size_t at = 0;

  [[gnu::noinline]] double number() { return numbers[at++]; }
  std::size_t whole() { return static_cast<std::size_t>(number()); }
  bool flag() { return number() != 0.0; }
  // Seeds and states of 64 bits cross as their upper and lower half.
  std::uint64_t bits() {
    const auto high = static_cast<std::uint64_t>(number());
    return high << 32 | static_cast<std::uint64_t>(number());
  }
};

constexpr std::size_t option_count = 44;

TrainerOptions options_of(Reader r) {
  TrainerOptions options;
  TaskOptions& task = options.task;
  task.kind = static_cast<TaskKind>(r.whole());
  task.drawers = r.whole();
  task.things = r.whole();
  task.ask_probability = r.number();
  task.symbols = r.whole();
  task.repeat_probability = r.number();
  task.min_period = r.whole();
  task.max_period = r.whole();
  task.favourite_probability = r.number();
  task.ignore_probability = r.number();
  task.max_items = r.whole();
  task.max_digits = r.whole();
  DecoderOptions& model = options.model;
  model.vocabulary = r.whole();
  model.width = r.whole();
  model.layers = r.whole();
  model.heads = r.whole();
  model.hidden = r.whole();
  model.norm_epsilon = static_cast<float>(r.number());
  PositionOptions& position = model.position;
  position.kind = static_cast<PositionKind>(r.whole());
  position.base = r.number();
  position.is_half_split = r.flag();
  position.rows = r.whole();
  position.is_per_layer = r.flag();
  position.buckets = r.whole();
  position.max_distance = r.whole();
  position.table_scale = r.number();
  position.is_softplus = r.flag();
  position.hidden = r.whole();
  position.c = r.number();
  position.threshold = r.number();
  position.epsilon = r.number();
  position.scale_base = r.number();
  position.gamma = r.number();
  Schedule& schedule = options.schedule;
  schedule.steps = r.whole();
  schedule.warm_up = r.whole();
  schedule.learning_rate = r.number();
  schedule.final_share = r.number();
  schedule.weight_decay = r.number();
  schedule.clip = r.number();
  options.sequences = r.whole();
  options.length = r.whole();
  options.random_positions = r.whole();
  options.seed = r.bits();
  return options;
}

std::vector<std::uint32_t> ids_of(std::size_t count) {
  const std::span<double> numbers = doubles_in.take(count);
  return {numbers.begin(), numbers.end()};
}

// doubles: the record, the ids of both parts of a text. Null: refused, see refusal().
std::shared_ptr<Trainer> create_trainer(std::size_t training_ids, std::size_t held_out_ids) {
  std::shared_ptr<Trainer> trainer;
  guarded([&] {
    const TrainerOptions options = options_of({doubles_in.take(option_count)});
    const auto training = ids_of(training_ids);
    trainer = std::make_shared<Trainer>(options, training, ids_of(held_out_ids));
    return doubles_out.reserve(0);
  });
  return trainer;
}

std::span<double> assigned(std::initializer_list<double> numbers) {
  return doubles_out.assign(std::vector(numbers));
}

// Result: loss, norm of the gradients, learning rate.
std::span<double> numbers_of(const StepResult& step) {
  return assigned({step.loss, step.gradient_norm, step.learning_rate});
}

Pointer step(Trainer& trainer) {
  return guarded([&] { return numbers_of(trainer.step()); });
}

// doubles: tokens, targets, positions; floats: weights.
Pointer step_on(Trainer& trainer, std::size_t batches, std::size_t length, std::size_t positions,
                double learning_rate) {
  return guarded([&] {
    const auto tokens = ids_of(batches * length), targets = ids_of(batches * length);
    const std::span<double> at = doubles_in.take(positions);
    const std::span<float> weights = floats_in.take(batches * length);
    return numbers_of(
        trainer.step({{batches, length, tokens, at}, targets, weights}, learning_rate));
  });
}

// doubles: the record, frequencies; floats: factors of rows.
// Result: groups, length, whole sequences, then loss, correct and count.
Pointer evaluate(Trainer& trainer, std::size_t frequencies, std::size_t row_factors) {
  return guarded([&] {
    Reader r{doubles_in.take(12)};
    EvaluationOptions options;
    options.size = r.whole();
    options.sequences = r.whole();
    options.seed = r.bits();
    options.draws_positions = r.flag();
    const double ignore = r.number();
    if (ignore >= 0.0) options.test.ignore_probability = ignore;
    options.test.part = r.flag() ? TextPart::training : TextPart::held_out;
    options.use.rotary.attention_factor = r.number();
    options.use.rotary.map.kind = static_cast<PositionMapKind>(r.whole());
    options.use.rotary.map.window = r.number();
    options.use.rotary.map.second = r.number();
    const double lookback = r.number();
    if (lookback >= 0.0) options.use.lookback = static_cast<std::size_t>(lookback);
    const std::span<double> own = doubles_in.take(frequencies);
    options.use.rotary.frequencies.assign(own.begin(), own.end());
    options.use.row_scale = floats_in.take(row_factors);
    const Evaluation e = trainer.evaluate(options);
    const double head[] = {static_cast<double>(e.groups), static_cast<double>(e.length),
                           e.whole_sequences};
    return doubles_out.assign({head, e.loss, e.correct, e.count});
  });
}

// doubles: tokens, positions. Result: logits; with a layer, the weights of its attention instead.
Pointer forward(Trainer& trainer, std::size_t batches, std::size_t length, std::size_t positions,
                double layer) {
  return guarded([&] {
    const auto tokens = ids_of(batches * length);
    const std::span<double> at = doubles_in.take(positions);
    const MatrixView logits = trainer.decoder().forward({batches, length, tokens, at});
    if (layer < 0.0) {
      const std::span<float> to = floats_out.reserve(logits.rows * logits.cols);
      std::copy_n(logits.data, to.size(), to.data());
      return to;
    }
    const std::size_t heads = trainer.decoder().heads();
    const std::span<float> weights = floats_out.reserve(batches * heads * length * length);
    trainer.decoder().attention_weights(static_cast<std::size_t>(layer), weights);
    return weights;
  });
}

enum class Of { values, gradients, first_moments, second_moments };

std::vector<float>& numbers_of(Trainer& trainer, Of which) {
  ParameterList& parameters = trainer.parameters();
  switch (which) {
    case Of::gradients:
      return parameters.gradients();
    case Of::first_moments:
      return parameters.first_moments();
    case Of::second_moments:
      return parameters.second_moments();
    default:
      return parameters.values();
  }
}

Pointer parameters(Trainer& trainer, Of which) {
  return guarded([&] { return floats_out.assign(numbers_of(trainer, which)); });
}

// floats: all parameters.
Pointer set_parameters(Trainer& trainer, Of which) {
  return guarded([&] {
    std::vector<float>& to = numbers_of(trainer, which);
    std::ranges::copy(floats_in.take(to.size()), to.begin());
    return floats_out.reserve(0);
  });
}

// One line each: name, rows, columns.
std::string parameter_names(Trainer& trainer) {
  std::string names;
  for (const Parameter& parameter : trainer.parameters().all()) {
    names += parameter.name + ' ' + std::to_string(parameter.rows) + ' ' +
             std::to_string(parameter.cols) + '\n';
  }
  return names;
}

// Steps taken, and both halves of the state of the random numbers.
Pointer state(Trainer& trainer) {
  return guarded([&] {
    const std::uint64_t random = trainer.random_state();
    return assigned({static_cast<double>(trainer.steps_taken()), static_cast<double>(random >> 32),
                     static_cast<double>(random & 0xffffffffu)});
  });
}

void restore(Trainer& trainer, double steps, double high, double low) {
  trainer.restore(static_cast<std::uint64_t>(steps),
                  static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low));
}

}  // namespace

EMSCRIPTEN_BINDINGS(trainer) {
  using namespace emscripten;
  enum_<Of>("Of", enum_value_type::string)
      .value("values", Of::values)
      .value("gradients", Of::gradients)
      .value("firstMoments", Of::first_moments)
      .value("secondMoments", Of::second_moments);
  class_<Trainer>("RawTrainer")
      .smart_ptr<std::shared_ptr<Trainer>>("RawTrainerPointer")
      .function("step", &step)
      .function("stepOn", &step_on)
      .function("evaluate", &evaluate)
      .function("forward", &forward)
      .function("parameters", &parameters)
      .function("setParameters", &set_parameters)
      .function("parameterNames", &parameter_names)
      .function("state", &state)
      .function("restore", &restore);
  function("createTrainer", &create_trainer);
}

}  // namespace ropewalk::bindings
