// Trainers: the only objects of the package that have a state. JavaScript holds the address of one,
// from createTrainer to deleteTrainer: an Embind class would bring in the run-time type matching of
// the C++ library, 3 % of the binary.
#include "training/trainer.hpp"
#include "bindings/records.hpp"

namespace ropewalk {

// The numbers that describe a trainer, an evaluation and the use of a model.
template <class Visit>
void fields(TrainerOptions& trainer, Visit visit) {
  TaskOptions& task = trainer.task;
  visit("task.type", task.kind);
  visit("task.drawers", task.drawers);
  visit("task.things", task.things);
  visit("task.askProbability", task.ask_probability);
  visit("task.symbols", task.symbols);
  visit("task.repeatProbability", task.repeat_probability);
  visit("task.minPeriod", task.min_period);
  visit("task.maxPeriod", task.max_period);
  visit("task.favouriteProbability", task.favourite_probability);
  visit("task.ignoreProbability", task.ignore_probability);
  visit("task.maxItems", task.max_items);
  visit("task.maxDigits", task.max_digits);
  fields(trainer.model, visit);
  fields(trainer.model.position, visit);
  fields(trainer.schedule, visit);
  visit("trainer.batchSize", trainer.batch_size);
  visit("trainer.length", trainer.length);
  visit("trainer.randomPositions", trainer.random_positions);
  visit("trainer.seed", trainer.seed);
}

template <class Visit>
void fields(EvaluationOptions& evaluation, Visit visit) {
  visit("size", evaluation.size);
  visit("sequences", evaluation.sequences);
  visit("seed", evaluation.seed);
  visit("randomPositions", evaluation.draws_positions);
  visit("ignoreProbability", evaluation.test.ignore_probability);
  visit("text", evaluation.test.part);
}

template <class Visit>
void fields(DecoderUse& use, Visit visit) {
  visit("attentionFactor", use.rotary.attention_factor);
  visit("map", use.rotary.map.kind);
  visit("window", use.rotary.map.window);
  visit("second", use.rotary.map.second);
  visit("lookback", use.lookback);
}

}  // namespace ropewalk

namespace ropewalk::bindings {
namespace {

// doubles: the record, frequencies; floats: factors of rows, which stay in the buffer.
DecoderUse decoder_use(std::size_t frequency_count, std::size_t row_factors) {
  DecoderUse use = read_record<DecoderUse>();
  const std::span<double> frequencies = doubles_in.take(frequency_count);
  use.rotary.frequencies.assign(frequencies.begin(), frequencies.end());
  use.row_scale = floats_in.take(row_factors);
  return use;
}

Trainer& trainer_at(Pointer address) { return *reinterpret_cast<Trainer*>(address); }

// doubles: the record, the ids of both parts of a text.
Pointer create_trainer(std::size_t training_ids, std::size_t held_out_ids) {
  return guarded([&] {
    const auto options = read_record<TrainerOptions>();
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

// doubles: tokens, targets, positions; floats: weights. A rate of NaN is that of the schedule.
Pointer step_on(Pointer trainer, std::size_t batches, std::size_t length, std::size_t positions,
                double learning_rate) {
  return guarded([&] {
    const auto tokens = ids_of(batches * length), targets = ids_of(batches * length);
    const std::span<double> places = doubles_in.take(positions);
    const std::span<float> weights = floats_in.take(batches * length);
    return numbers_of(trainer_at(trainer).step(
        {{batches, length, tokens, places}, targets, weights}, given_number(learning_rate)));
  });
}

// doubles: the record. Result: tokens of each sequence.
Pointer test_length(Pointer trainer) {
  return guarded([&] {
    const auto options = read_record<EvaluationOptions>();
    return assigned({static_cast<double>(trainer_at(trainer).test_length(options))});
  });
}

// doubles: the record, that of the use; floats: factors of rows.
// Result: groups, length, whole sequences, then loss, correct and count.
Pointer evaluate(Pointer trainer, std::size_t frequencies, std::size_t row_factors) {
  return guarded([&] {
    auto options = read_record<EvaluationOptions>();
    options.use = decoder_use(frequencies, row_factors);
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
    const std::span<double> places = doubles_in.take(positions);
    const DecoderUse use = decoder_use(frequencies, row_factors);
    const MatrixView result =
        trainer_at(trainer).decoder().forward({batches, length, tokens, places}, use);
    return floats_out.assign({std::span<const float>(result.data, result.rows * result.cols)});
  });
}

// doubles: tokens. Result: weights of the layer's attention.
Pointer attention_weights(Pointer trainer, std::size_t length, std::size_t layer) {
  return guarded([&] {
    const auto tokens = ids_of(length);
    Decoder& decoder = trainer_at(trainer).decoder();
    const std::size_t count = decoder.weight_count(length);
    decoder.forward({1, length, tokens});
    const std::span<float> weights = floats_out.reserve(count);
    decoder.attention_weights(layer, weights);
    return weights;
  });
}

// doubles: tokens, the record of the use; floats: factors of rows.
// Result: the tokens that were generated, then the probabilities of each.
Pointer generate(Pointer trainer, std::size_t length, std::size_t count, std::size_t frequencies,
                 std::size_t row_factors, double temperature, double top_p, double seed_high,
                 double seed_low) {
  return guarded([&] {
    auto tokens = ids_of(length);
    const DecoderUse use = decoder_use(frequencies, row_factors);
    Decoder& decoder = trainer_at(trainer).decoder();
    const std::size_t vocabulary = decoder.vocabulary();
    const std::span<float> result = floats_out.reserve(count * (1 + vocabulary));
    decoder.generate(tokens, count, use, {result.data() + count, count, vocabulary},
                     {temperature, top_p}, Random(seed_of(seed_high, seed_low)));
    std::ranges::copy(std::span(tokens).last(count), result.begin());
    return result;
  });
}

enum class Of { values, gradients, first_moments, second_moments };

std::vector<float>& numbers_of(Pointer trainer, Of which) {
  ParameterList& list = trainer_at(trainer).parameters();
  std::vector<float>* const all[] = {&list.values(), &list.gradients(), &list.first_moments(),
                                     &list.second_moments()};
  return *all[static_cast<std::size_t>(which)];
}

Pointer parameters(Pointer trainer, Of which) {
  return guarded([&] { return floats_out.assign(numbers_of(trainer, which)); });
}

// floats: all parameters.
Pointer set_parameters(Pointer trainer, Of which) {
  return guarded([&] {
    std::vector<float>& numbers = numbers_of(trainer, which);
    std::ranges::copy(floats_in.take(numbers.size()), numbers.begin());
    return floats_out.reserve(0);
  });
}

std::string parameter_names(Pointer trainer) {
  return parameter_lines(trainer_at(trainer).parameters());
}

// The kinds of tasks and of position schemes in the order in which the record counts them, each
// followed by a space.
std::string task_kind_names() {
  std::string names;
  for (const char* name : task_names) names.append(name).append(" ");
  return names;
}
std::string position_kind_names() {
  std::string names;
  for (const PositionKind& kind : position_kinds()) names.append(kind.name).append(" ");
  return names;
}

// Steps taken, and both halves of the state of the random numbers.
Pointer state(Pointer trainer) {
  return guarded([&] {
    const std::uint64_t random = trainer_at(trainer).random_state();
    return assigned({static_cast<double>(trainer_at(trainer).steps_taken()),
                     static_cast<double>(random >> 32), static_cast<double>(random & 0xffffffffu)});
  });
}

void restore(Pointer trainer, double steps, double high, double low) {
  trainer_at(trainer).restore(static_cast<std::uint64_t>(steps), seed_of(high, low));
}

}  // namespace

EMSCRIPTEN_BINDINGS(trainer) {
  using namespace emscripten;
  enum_<Of>("Of", enum_value_type::string)
      .value("values", Of::values)
      .value("gradients", Of::gradients)
      .value("firstMoments", Of::first_moments)
      .value("secondMoments", Of::second_moments);
  function("trainerFields", &field_names<TrainerOptions>);
  function("evaluationFields", &field_names<EvaluationOptions>);
  function("useFields", &field_names<DecoderUse>);
  function("createTrainer", &create_trainer);
  function("deleteTrainer", &delete_trainer);
  function("step", &step);
  function("stepOn", &step_on);
  function("testLength", &test_length);
  function("evaluate", &evaluate);
  function("logits", &logits);
  function("attentionWeights", &attention_weights);
  function("generate", &generate);
  function("parameters", &parameters);
  function("setParameters", &set_parameters);
  function("parameterNames", &parameter_names);
  function("positionKinds", &position_kind_names);
  function("taskKinds", &task_kind_names);
  function("trainerState", &state);
  function("restore", &restore);
}

}  // namespace ropewalk::bindings
