#include "training/window_trainer.hpp"

#include <numeric>
#include <utility>

#include "base/require.hpp"

namespace ropewalk {

WindowTrainer::WindowTrainer(Decoder& decoder, ParameterList& parameters,
                             const WindowTrainerOptions& options)
    : decoder_(decoder), parameters_(parameters), options_(options), random_(options.seed) {
  decoder.require_gradients();
  parameters.release_training();
}

std::vector<std::size_t> WindowTrainer::draw() {
  require(options_.windows > 0, "trainer: windows must be at least 1 to draw from, got 0");
  std::vector<std::size_t> drawn(options_.batch_size);
  for (std::size_t& window : drawn) {
    if (order_.empty()) {
      order_.resize(options_.windows);
      std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    const auto at = static_cast<std::size_t>(random_.uniform() * double(order_.size()));
    std::swap(order_[at], order_.back());
    window = order_.back();
    order_.pop_back();
  }
  return drawn;
}

StepResult WindowTrainer::step(std::span<const std::uint32_t> windows, std::size_t count,
                               std::optional<double> learning_rate) {
  const std::size_t size = count == 0 ? 0 : windows.size() / count;
  require(size >= 2 && windows.size() == count * size,
          "trainer: windows must have at least two tokens each, all as many, got ", windows.size(),
          " in ", count);
  const std::size_t length = size - 1;
  tokens_.clear();
  targets_.clear();
  for (std::size_t first = 0; first < windows.size(); first += size) {
    const auto window = windows.subspan(first, size);
    tokens_.insert(tokens_.end(), window.begin(), window.end() - 1);
    targets_.insert(targets_.end(), window.begin() + 1, window.end());
  }
  weights_.assign(count * length, 1.0f);
  return take_step(decoder_, parameters_, {{count, length, tokens_}, targets_, weights_},
                   options_.schedule.step_options(steps_taken_ + 1, learning_rate), steps_taken_);
}

}  // namespace ropewalk
