// Position schemes with a bias of prefix sums of gates: FoX and CABLE.
#include <cmath>

#include "training/initial_values.hpp"
#include "training/position_schemes.hpp"
#include "training/projection.hpp"

namespace ropewalk {
namespace {

class PrefixGateScheme final : public PositionScheme {
 public:
  explicit PrefixGateScheme(const PositionSetup& setup) : PositionScheme(setup) {
    const bool is_fox = options_.kind == PositionKind::fox;
    for (std::size_t l = 0; l < shape_.layers; ++l)
      layers_.emplace_back(setup, l,
                           is_fox ? PrefixTerm::log_sigmoid : PrefixTerm::log_sigmoid_of_negative);
  }

  // Heads of FoX begin with different memories; CABLE begins as any linear layer.
  void initialize(Random& random) override {
    for (PrefixGates& gates : layers_) {
      if (options_.kind == PositionKind::fox) {
        fill_evenly(gates.projection.bias(), 0.0, 5.0);
      } else {
        fill_normal(gates.projection.weights(), random,
                    1.0 / std::sqrt(static_cast<double>(shape_.width)));
      }
    }
  }

  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q) override {
    attach_modifier(call, layers_[layer].forward(h, call.shape, d_q != nullptr));
  }

  void collect(std::size_t layer, ConstMatrixView h, MatrixView d_h) override {
    layers_[layer].backward(h, d_h);
  }

 private:
  std::vector<PrefixGates> layers_;
};

}  // namespace

std::unique_ptr<PositionScheme> make_prefix_gates(const PositionSetup& setup) {
  return std::make_unique<PrefixGateScheme>(setup);
}

}  // namespace ropewalk
