// Trains a decoder on a task, and evaluates it at lengths that it was not trained on.
//
// Everything random comes from the seed: one stream for the weights, one for the data. The same
// seed gives the same bits in the same build.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "training/decoder.hpp"
#include "training/tasks.hpp"

namespace ropewalk {

// The learning rate rises linearly for warmup_steps, then falls along half a cosine to final_share
// of its maximum at the last step.
struct Schedule {
  std::uint64_t steps = 1000, warmup_steps = 50;
  double learning_rate = 3e-3, final_share = 0.05;
  double weight_decay = 0.01, max_grad_norm = 1.0;  // 0: gradients are not clipped
  AdamW adamw = {};

  // Returns the learning rate of step t, counted from 1. Steps after the last keep its rate.
  double rate(std::uint64_t t) const;
  // The options of step t, or with another learning rate.
  StepOptions step_options(std::uint64_t t, std::optional<double> learning_rate = {}) const;
};

// Every option by the name that JavaScript has for it.
template <class Visit>
void fields(Schedule& schedule, Visit visit) {
  visit("schedule.steps", schedule.steps);
  visit("schedule.warmupSteps", schedule.warmup_steps);
  visit("schedule.learningRate", schedule.learning_rate);
  visit("schedule.finalShare", schedule.final_share);
  visit("schedule.weightDecay", schedule.weight_decay);
  visit("schedule.maxGradNorm", schedule.max_grad_norm);
  visit("schedule.beta1", schedule.adamw.beta1);
  visit("schedule.beta2", schedule.adamw.beta2);
}

struct TrainerOptions {
  TaskOptions task;
  DecoderOptions model;  // vocabulary 0: that of the task
  Schedule schedule;
  // Sequences of a step, and tokens of each; length is unused where the task draws it.
  std::size_t batch_size = 32, length = 32;
  // Randomized positions (Ruoss et al. 2023): each step draws sorted positions below this number,
  // the same for all sequences. 0: positions are 0, 1, 2, ...
  std::size_t random_positions = 0;
  std::uint64_t seed = 0;
};

struct StepResult {
  double loss = 0.0, gradient_norm = 0.0, learning_rate = 0.0;
};

// A batch made by the caller.
struct GivenBatch {
  Sequences sequences;
  std::span<const std::uint32_t> targets;
  std::span<const float> weights;
};

// One step of AdamW along the gradient of the loss of a batch. A loss that is not finite leaves the
// parameters as they were, and steps_taken.
StepResult take_step(Decoder& decoder, ParameterList& parameters, const GivenBatch& batch,
                     const StepOptions& options, std::uint64_t& steps_taken);

struct EvaluationOptions {
  std::size_t size = 0;  // length, items or digits: see Task::draw_test
  std::size_t sequences = 64;
  std::uint64_t seed = 0;        // of the test data, which do not depend on the training seed
  bool draws_positions = false;  // as in training
  TestOptions test;
  DecoderUse use;
};

// Sums over the sequences, for each group of targets and each place: groups x length.
struct Evaluation {
  std::size_t groups = 0, length = 0;
  std::vector<double> loss, correct, count;
  double whole_sequences = 0.0;  // share of those whose targets are all right
};

class Trainer {
 public:
  explicit Trainer(const TrainerOptions& options, std::span<const std::uint32_t> training_text = {},
                   std::span<const std::uint32_t> held_out_text = {});
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // Draws a batch and takes a step. A loss that is not finite leaves the parameters as they were.
  StepResult step();
  // The same with a given batch, at the learning rate of the schedule or a given one.
  StepResult step(const GivenBatch& batch, std::optional<double> learning_rate = {});

  // Tokens of each sequence of an evaluation. Throws std::invalid_argument on options that the task
  // does not take, and on more tokens in all than a call may compute; so does evaluate().
  std::size_t test_length(const EvaluationOptions& options) const;
  Evaluation evaluate(const EvaluationOptions& options);

  const Task& task() const { return task_; }
  Decoder& decoder() { return decoder_; }
  ParameterList& parameters() { return parameters_; }
  std::uint64_t steps_taken() const { return steps_taken_; }
  std::uint64_t random_state() const { return random_.state(); }
  // Continues where another trainer of the same options was, whose parameters and moments the
  // caller has copied.
  void restore(std::uint64_t steps_taken, std::uint64_t random_state);

 private:
  TrainerOptions options_;
  Task task_;
  ParameterList parameters_;
  Decoder decoder_;
  Random random_;  // of the data
  std::uint64_t steps_taken_ = 0;
  Batch batch_;
  std::vector<double> positions_;
};

}  // namespace ropewalk
