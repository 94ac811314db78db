// Trainers: the only objects of the package that have a state. JavaScript holds the address of one,
// from createTrainer to deleteTrainer: an Embind class would bring in the run-time type matching of
// the C++ library, 3 % of the binary.
#include <cmath>

#include "bindings/boundary.hpp"
#include "training/trainer.hpp"

namespace ropewalk::bindings {
namespace {

// Reads the next number that describes a trainer or an evaluation. Records cross by the order of
// their numbers; a test compares the order here with that of src/js/training/record.ts. NaN stands
// for an option that was not given: `to` keeps its default. Not inlined: there are sixty calls.
template <class Value>
[[gnu::noinline]] void read(Value& to) {
  const double number = doubles_in.take(1)[0];
  if (!std::isnan(number)) to = static_cast<Value>(number);
}

TrainerOptions trainer_options() {
  TrainerOptions trainer;
  TaskOptions& task = trainer.task;
  read(task.kind);
  read(task.drawers);
  read(task.things);
  read(task.ask_probability);
  read(task.symbols);
  read(task.repeat_probability);
  read(task.min_period);
  read(task.max_period);
  read(task.favourite_probability);
  read(task.ignore_probability);
  read(task.max_items);
  read(task.max_digits);
  DecoderOptions& model = trainer.model;
  read(model.vocabulary);
  read(model.width);
  read(model.layers);
  read(model.heads);
  read(model.hidden);
  read(model.norm_epsilon);
  PositionOptions& position = model.position;
  read(position.kind);
  read(position.base);
  read(position.is_half_split);
  read(position.rows);
  read(position.is_per_layer);
  read(position.buckets);
  read(position.max_distance);
  read(position.table_scale);
  read(position.is_softplus);
  read(position.hidden);
  read(position.c);
  read(position.threshold);
  read(position.epsilon);
  read(position.scale_base);
  read(position.gamma);
  read(position.row_factor);
  read(position.gate_bias);
  read(position.has_scalar_gate);
  read(position.path_gate);
  read(position.slope_gates);
  read(position.rank);
  read(position.attend_current);
  read(position.gate_width);
  Schedule& schedule = trainer.schedule;
  read(schedule.steps);
  read(schedule.warmup_steps);
  read(schedule.learning_rate);
  read(schedule.final_share);
  read(schedule.weight_decay);
  read(schedule.max_grad_norm);
  read(trainer.batch_size);
  read(trainer.length);
  read(trainer.random_positions);
  read(trainer.seed);
  return trainer;
}

EvaluationOptions evaluation_options() {
  EvaluationOptions evaluation;
  read(evaluation.size);
  read(evaluation.sequences);
  read(evaluation.seed);
  read(evaluation.draws_positions);
  TestOptions& test = evaluation.test;
  read(test.ignore_probability);
  read(test.part);
  return evaluation;
}

// How many frequencies and factors of rows a use has.
struct UseSizes {
  std::size_t frequencies = 0, row_factors = 0;
};

// doubles: the record, frequencies; floats: factors of rows, which stay in the buffer.
DecoderUse decoder_use(UseSizes sizes) {
  DecoderUse use;
  read(use.rotary.attention_factor);
  PositionMap& map = use.rotary.map;
  read(map.kind);
  read(map.window);
  read(map.second);
  read(use.lookback);
  const std::span<double> own = doubles_in.take(sizes.frequencies);
  use.rotary.frequencies.assign(own.begin(), own.end());
  use.row_scale = floats_in.take(sizes.row_factors);
  return use;
}

std::vector<std::uint32_t> ids_of(std::size_t count) {
  const std::span<double> numbers = doubles_in.take(count);
  return {numbers.begin(), numbers.end()};
}

Trainer& trainer_at(Pointer address) { return *reinterpret_cast<Trainer*>(address); }

// doubles: the record, the ids of both parts of a text.
Pointer create_trainer(std::size_t training_ids, std::size_t held_out_ids) {
  return guarded([&] {
    const TrainerOptions options = trainer_options();
    const auto training = ids_of(training_ids);
    return std::span(new Trainer(options, training, ids_of(held_out_ids)), 1);
  });
}

void delete_trainer(Pointer trainer) { delete &trainer_at(trainer); }

std::span<double> assigned(std::initializer_list<double> numbers) {
  return doubles_out.assign(std::vector(numbers));
}

// Result: loss, norm of the gradients, learning rate.
std::span<double> numbers_of(const StepResult& step) {
  return assigned({step.loss, step.gradient_norm, step.learning_rate});
}

Pointer step(Pointer trainer) {
  return guarded([&] { return numbers_of(trainer_at(trainer).step()); });
}

// doubles: tokens, targets, positions; floats: weights.
Pointer step_on(Pointer trainer, std::size_t batches, std::size_t length, std::size_t positions,
                double learning_rate) {
  return guarded([&] {
    const auto tokens = ids_of(batches * length), targets = ids_of(batches * length);
    const std::span<double> at = doubles_in.take(positions);
    const std::span<float> weights = floats_in.take(batches * length);
    return numbers_of(
        trainer_at(trainer).step({{batches, length, tokens, at}, targets, weights}, learning_rate));
  });
}

// Tokens of a sequence of this many items or digits; see Task::length_of.
std::size_t length_of(Pointer trainer, std::size_t size) {
  return trainer_at(trainer).task().length_of(size);
}

// doubles: the record, that of the use; floats: factors of rows.
// Result: groups, length, whole sequences, then loss, correct and count.
Pointer evaluate(Pointer trainer, std::size_t frequencies, std::size_t row_factors) {
  return guarded([&] {
    EvaluationOptions options = evaluation_options();
    options.use = decoder_use({frequencies, row_factors});
    const Evaluation e = trainer_at(trainer).evaluate(options);
    const double head[] = {static_cast<double>(e.groups), static_cast<double>(e.length),
                           e.whole_sequences};
    return doubles_out.assign({head, e.loss, e.correct, e.count});
  });
}

// doubles: tokens, positions, the record of the use; floats: factors of rows.
// Result: logits.
Pointer logits(Pointer trainer, std::size_t batches, std::size_t length, std::size_t positions,
               std::size_t frequencies, std::size_t row_factors) {
  return guarded([&] {
    const auto tokens = ids_of(batches * length);
    const std::span<double> at = doubles_in.take(positions);
    const DecoderUse use = decoder_use({frequencies, row_factors});
    const MatrixView result =
        trainer_at(trainer).decoder().forward({batches, length, tokens, at}, use);
    return floats_out.assign({std::span<const float>(result.data, result.rows * result.cols)});
  });
}

// doubles: tokens. Result: weights of the layer's attention.
Pointer attention_weights(Pointer trainer, std::size_t length, std::size_t layer) {
  return guarded([&] {
    const auto tokens = ids_of(length);
    Decoder& decoder = trainer_at(trainer).decoder();
    decoder.forward({1, length, tokens});
    const std::span<float> weights = floats_out.reserve(decoder.heads() * length * length);
    decoder.attention_weights(layer, weights);
    return weights;
  });
}

// doubles: tokens, the record of the use; floats: factors of rows.
// Result: the tokens that were generated, then the probabilities of each.
Pointer generate(Pointer trainer, std::size_t length, std::size_t count, std::size_t frequencies,
                 std::size_t row_factors) {
  return guarded([&] {
    auto tokens = ids_of(length);
    const DecoderUse use = decoder_use({frequencies, row_factors});
    Decoder& decoder = trainer_at(trainer).decoder();
    const std::size_t vocabulary = decoder.vocabulary();
    const std::span<float> to = floats_out.reserve(count * (1 + vocabulary));
    decoder.generate(tokens, count, use, {to.data() + count, count, vocabulary});
    std::ranges::copy(std::span(tokens).last(count), to.begin());
    return to;
  });
}

enum class Of { values, gradients, first_moments, second_moments };

std::vector<float>& numbers_of(Pointer trainer, Of which) {
  ParameterList& parameters = trainer_at(trainer).parameters();
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

Pointer parameters(Pointer trainer, Of which) {
  return guarded([&] { return floats_out.assign(numbers_of(trainer, which)); });
}

// floats: all parameters.
Pointer set_parameters(Pointer trainer, Of which) {
  return guarded([&] {
    std::vector<float>& to = numbers_of(trainer, which);
    std::ranges::copy(floats_in.take(to.size()), to.begin());
    return floats_out.reserve(0);
  });
}

// One line each: name, rows, columns.
std::string parameter_names(Pointer trainer) {
  std::string names;
  for (const Parameter& parameter : trainer_at(trainer).parameters().all()) {
    names.append(parameter.name).append(" ").append(text_of(double(parameter.rows)));
    names.append(" ").append(text_of(double(parameter.cols))).append("\n");
  }
  return names;
}

// One line each, in the order in which the record counts them.
std::string position_names() {
  std::string names;
  for (const PositionKind& kind : position_kinds()) names.append(kind.name).append("\n");
  return names;
}

// Steps taken, and both halves of the state of the random numbers.
Pointer state(Pointer trainer) {
  return guarded([&] {
    const Trainer& own = trainer_at(trainer);
    const std::uint64_t random = own.random_state();
    return assigned({static_cast<double>(own.steps_taken()), static_cast<double>(random >> 32),
                     static_cast<double>(random & 0xffffffffu)});
  });
}

void restore(Pointer trainer, double steps, double high, double low) {
  trainer_at(trainer).restore(
      static_cast<std::uint64_t>(steps),
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
  function("createTrainer", &create_trainer);
  function("deleteTrainer", &delete_trainer);
  function("step", &step);
  function("stepOn", &step_on);
  function("lengthOf", &length_of);
  function("evaluate", &evaluate);
  function("logits", &logits);
  function("attentionWeights", &attention_weights);
  function("generate", &generate);
  function("parameters", &parameters);
  function("setParameters", &set_parameters);
  function("parameterNames", &parameter_names);
  function("positionKinds", &position_names);
  function("trainerState", &state);
  function("restore", &restore);
}

}  // namespace ropewalk::bindings
