#include "training/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/softmax.hpp"
#include "training/layers.hpp"

namespace ropewalk {
namespace {

// Tokens that an evaluation computes at once: its memory does not grow with the test.
constexpr std::size_t tokens_at_once = 4096;
// Of one evaluation, which cannot be stopped: it takes the smallest models 13 minutes.
constexpr std::size_t max_test_tokens = std::size_t{1} << 30;

// The first number of one seed's streams; far apart for any two seeds.
std::uint64_t stream(std::uint64_t seed, std::uint64_t which) {
  Random mixed(seed ^ (which << 56));
  return mixed.bits();
}

DecoderOptions with_vocabulary(DecoderOptions model, const Task& task) {
  if (model.vocabulary == 0) model.vocabulary = task.vocabulary();
  require(model.vocabulary >= task.vocabulary(), "trainer: vocabulary must be at least ",
          task.vocabulary(), ", got ", model.vocabulary);
  return model;
}

// cos(pi x) for x from 0 to 1, by a series: the C library's differs between builds.
double cosine_of_half_turn(double x) {
  const double y = std::numbers::pi * (x <= 0.5 ? x : 1.0 - x), square = y * y;
  double term = 1.0, sum = 1.0;
  for (int i = 1; i < 12; ++i) {
    term *= -square / ((2.0 * i - 1.0) * (2.0 * i));
    sum += term;
  }
  return x <= 0.5 ? sum : -sum;
}

}  // namespace

double Schedule::rate(std::uint64_t t) const {
  if (t <= warmup_steps && warmup_steps > 0)
    return learning_rate * static_cast<double>(t) / static_cast<double>(warmup_steps);
  if (t >= steps) return learning_rate * final_share;
  const double done =
      static_cast<double>(t - warmup_steps) / static_cast<double>(steps - warmup_steps);
  const double height = 0.5 * (1.0 + cosine_of_half_turn(done));
  return learning_rate * (final_share + (1.0 - final_share) * height);
}

StepOptions Schedule::step_options(std::uint64_t t, std::optional<double> learning_rate) const {
  return {adamw, learning_rate.value_or(rate(t)), weight_decay, max_grad_norm};
}

Trainer::Trainer(const TrainerOptions& options, std::span<const std::uint32_t> training_text,
                 std::span<const std::uint32_t> held_out_text)
    : options_(options),
      task_(options.task, training_text, held_out_text),
      decoder_(with_vocabulary(options.model, task_), parameters_),
      random_(stream(options.seed, 2)) {
  const std::size_t longest = task_.draws_length() ? task_.max_length() : options.length;
  require(options.random_positions == 0 || options.random_positions >= longest,
          "trainer: random_positions must be at least ", longest, ", got ",
          options.random_positions);
  Random weights(stream(options.seed, 1));
  decoder_.initialize(weights);
}

void Trainer::restore(std::uint64_t steps_taken, std::uint64_t random_state) {
  steps_taken_ = steps_taken;
  random_ = Random(random_state);
}

StepResult Trainer::step() {
  task_.draw(batch_, options_.batch_size, task_.draws_length() ? 0 : options_.length, random_);
  positions_.resize(options_.random_positions == 0 ? 0 : batch_.length);
  if (!positions_.empty()) draw_sorted_positions(positions_, options_.random_positions, random_);
  return step({{batch_.sequences, batch_.length, batch_.tokens, positions_},
               batch_.targets,
               batch_.weights});
}

StepResult take_step(Decoder& decoder, ParameterList& parameters, const GivenBatch& batch,
                     const StepOptions& options, std::uint64_t& steps_taken) {
  const MatrixView logits = decoder.forward(batch.sequences);
  StepResult result;
  result.learning_rate = options.learning_rate;
  result.loss = cross_entropy_forward(logits, batch.targets, batch.weights);
  if (!std::isfinite(result.loss)) return result;
  cross_entropy_backward(logits, logits, batch.targets, batch.weights);
  parameters.clear_gradients();
  decoder.backward(logits);
  result.gradient_norm = parameters.step(options, ++steps_taken);
  return result;
}

StepResult Trainer::step(const GivenBatch& batch, std::optional<double> learning_rate) {
  return take_step(decoder_, parameters_, batch,
                   options_.schedule.step_options(steps_taken_ + 1, learning_rate), steps_taken_);
}

std::size_t Trainer::test_length(const EvaluationOptions& options) const {
  require(options.sequences > 0, "evaluate: sequences must be at least 1, got ", options.sequences);
  task_.require_test(options.size, options.test);
  const std::size_t length = task_.length_of(options.size);
  require(options.sequences <= max_test_tokens / length,
          "evaluate: sequences x length must be at most ", max_test_tokens, " tokens, got ",
          options.sequences, " x ", length);
  require(!options.draws_positions || options_.random_positions >= length,
          "evaluate: random_positions of the trainer must be at least the length, ", length,
          ", got ", options_.random_positions);
  return length;
}

Evaluation Trainer::evaluate(const EvaluationOptions& options) {
  Random random(stream(options.seed, 3) + options.size);
  Evaluation result;
  result.length = test_length(options);
  result.groups = task_.group_count();
  for (auto* sums : {&result.loss, &result.correct, &result.count})
    sums->assign(result.groups * result.length, 0.0);
  const std::size_t max_sequences = std::max<std::size_t>(1, tokens_at_once / result.length);
  for (std::size_t left = options.sequences; left > 0;) {
    const std::size_t sequences = std::min(left, max_sequences);
    left -= sequences;
    task_.draw_test(batch_, sequences, options.size, random, options.test);
    positions_.resize(options.draws_positions ? batch_.length : 0);
    if (!positions_.empty()) draw_sorted_positions(positions_, options_.random_positions, random);
    const MatrixView logits =
        decoder_.forward({batch_.sequences, batch_.length, batch_.tokens, positions_}, options.use);
    for (std::size_t s = 0; s < sequences; ++s) {
      bool all_right = true;
      for (std::size_t place = 0; place < batch_.length; ++place) {
        const std::size_t r = s * batch_.length + place;
        if (batch_.group[r] == 0 || batch_.weights[r] == 0.0f) continue;
        const std::span<float> row = logits.row(r);
        const std::uint32_t target = batch_.targets[r];
        const bool is_right = std::ranges::max_element(row) == row.begin() + target;
        const double score = row[target];
        SoftmaxState state;
        softmax_step(state, row);
        const std::size_t cell = (batch_.group[r] - 1u) * result.length + place;
        result.loss[cell] += double(state.maximum) + portable::log(double(state.sum)) - score;
        result.correct[cell] += is_right ? 1.0 : 0.0;
        result.count[cell] += 1.0;
        all_right = all_right && is_right;
      }
      result.whole_sequences += all_right ? 1.0 : 0.0;
    }
  }
  result.whole_sequences /= static_cast<double>(options.sequences);
  return result;
}

}  // namespace ropewalk
