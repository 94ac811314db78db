// Continues the training of a decoder on windows of text: every token of a window but the first is
// a target.
#pragma once

#include <optional>
#include <vector>

#include "training/trainer.hpp"

namespace ropewalk {

struct WindowTrainerOptions {
  Schedule schedule;
  std::size_t windows = 0;     // that steps draw from
  std::size_t batch_size = 1;  // windows of a step
  std::uint64_t seed = 0;      // of their order
};

template <class Visit>
void fields(WindowTrainerOptions& trainer, Visit visit) {
  fields(trainer.schedule, visit);
  visit("trainer.windows", trainer.windows);
  visit("trainer.batchSize", trainer.batch_size);
  visit("trainer.seed", trainer.seed);
}

class WindowTrainer {
 public:
  // Both must outlive it. Gradients and moments begin as zeros, and are freed with the trainer.
  // Throws std::invalid_argument as Decoder::require_gradients().
  WindowTrainer(Decoder& decoder, ParameterList& parameters, const WindowTrainerOptions& options);
  WindowTrainer(const WindowTrainer&) = delete;
  WindowTrainer& operator=(const WindowTrainer&) = delete;
  ~WindowTrainer() { parameters_.release_training(); }

  // Indices of the windows of the next step. Each window comes once, in random order, before any
  // comes again. Throws std::invalid_argument where there are none.
  std::vector<std::size_t> draw();
  // Takes a step on windows of equal length, one after another, with the learning rate of the
  // schedule or a given one. A loss that is not finite leaves the parameters as they were.
  // Throws std::invalid_argument on windows of fewer than two tokens.
  StepResult step(std::span<const std::uint32_t> windows, std::size_t count,
                  std::optional<double> learning_rate = {});

  std::uint64_t steps_taken() const { return steps_taken_; }
  const Schedule& schedule() const { return options_.schedule; }

 private:
  Decoder& decoder_;
  ParameterList& parameters_;
  const WindowTrainerOptions options_;
  Random random_;
  std::vector<std::size_t> order_;  // of the windows; those that are drawn leave it at its end
  std::uint64_t steps_taken_ = 0;
  std::vector<std::uint32_t> tokens_, targets_;
  std::vector<float> weights_;
};

}  // namespace ropewalk
