// The position scheme of a model that is trained: its parameters, what it adds at the input, and
// what it does in each layer's attention, with gradients.
//
//   kind        parameters (per layer: blocks.<layer>.<name>)
//   none        -
//   sinusoidal  -                                            added at the input
//   learned     pos (rows x width)                           added at the input
//   rope, xpos  -
//   alibi       -
//   t5          t5.table (buckets x heads)                   bias = table_scale * table
//   kerple      kerple.r1, kerple.r2 (heads)                 logarithmic; or softplus of them
//   fire        fire.w1, fire.b1 (hidden), fire.w2 (hidden x heads); a bias of the output would
//               shift whole rows, which no weight shows, so there is none
//   cope        cope.e (rows x head width)
//   fox         blocks.<layer>.Wf (width x heads), blocks.<layer>.bf (heads)
#pragma once

#include <optional>
#include <vector>

#include "attention/content_modifiers.hpp"
#include "attention/prefix_sums.hpp"
#include "base/random.hpp"
#include "bias/buckets.hpp"
#include "bias/network.hpp"
#include "training/parameters.hpp"

namespace ropewalk {

enum class PositionKind {
  none,
  sinusoidal,
  learned,
  rope,
  xpos,
  alibi,
  t5,
  kerple,
  fire,
  cope,
  fox
};

// A scheme reads only its own options.
struct PositionOptions {
  PositionKind kind = PositionKind::none;
  double base = 10000.0;      // sinusoidal, rope, xpos
  bool is_half_split = true;  // sinusoidal, rope; else interleaved
  std::size_t rows = 512;     // of the table: learned, cope
  bool is_per_layer = false;  // t5, kerple, fire, cope: parameters of each layer's own
  std::size_t buckets = 32, max_distance = 128;
  double table_scale = 1.0;
  bool is_softplus = false;
  std::size_t hidden = 32;
  double c = 0.1, threshold = 512.0, epsilon = 1e-6;
  double scale_base = 512.0, gamma = 0.4;
};

// How a trained model is used, where that differs from its training.
struct RotaryUse {
  std::vector<double> frequencies;  // of rope; empty: those of training
  double attention_factor = 1.0;
  PositionMap map = {};
};

struct ModelShape {
  std::size_t width, heads, layers;
};

class PositionScheme {
 public:
  // Adds the parameters of the scheme to the list, which must outlive it.
  // Throws std::invalid_argument on options out of range.
  PositionScheme(const PositionOptions& options, const ModelShape& shape,
                 ParameterList& parameters);

  void initialize(Random& random);

  // The sequences that follow. positions: empty (0, 1, 2, ...), one per place, or one per place of
  // each sequence; whole numbers. rotary is for rope only.
  void begin(std::size_t batches, std::size_t length, std::span<const double> positions,
             const RotaryUse& rotary = {});

  // x (batches * length x width).
  void add_to_input(MatrixView x);
  void add_to_input_backward(ConstMatrixView d_x);

  // xPos scales what it rotates, so it rotates before attention: x is (batches, length, heads,
  // head width), as are gradients, which the transpose of the rotation takes back.
  void rotate(MatrixView queries, MatrixView keys);
  void rotate_backward(MatrixView d_queries, MatrixView d_keys);

  // Completes a call of a layer's attention; h is what its queries and keys are computed from. For
  // a backward call, d_q is where its gradient of q goes.
  void attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q = nullptr);
  // After a backward call: adds the gradients of the scheme's parameters in this layer, and of h.
  void collect(std::size_t layer, ConstMatrixView h, MatrixView d_h);

 private:
  struct LayerParameters {
    std::size_t first = 0, second = 0, third = 0;  // of the list, in the order above
  };

  std::size_t head_width() const { return shape_.width / shape_.heads; }
  double last_position() const;
  void fill_lists(const LayerParameters& own);
  void collect_lists(const LayerParameters& own);
  void fill_kerple(const LayerParameters& own);
  void apply_xpos(MatrixView x, XposRole role, bool transposed) const;
  BiasNetwork fire_network(const LayerParameters& own);

  PositionOptions options_;
  ModelShape shape_;
  ParameterList& parameters_;
  std::vector<LayerParameters> layers_;
  std::optional<T5Buckets> buckets_;
  std::vector<double> alibi_slopes_, trained_frequencies_;

  // Of the sequences that begin() was given.
  std::size_t batches_ = 0, length_ = 0;
  std::vector<double> positions_;  // one per place, or per place of each sequence
  bool counts_up_ = true;          // positions are 0, 1, 2, ...
  RotaryUse use_;
  std::vector<double> frequencies_;
  MappedRotations mapped_;
  Rotation plain_;
  AttentionRotary rotary_;

  // Of the layer that attach() was given.
  std::vector<float> lists_, d_lists_, head_weights_;  // heads x distances; fire: heads x cells
  std::vector<double> r1_, r2_;
  std::vector<float> gates_, d_gates_, scratch_;
  std::vector<double> sums_, d_sums_;
  std::optional<DistanceBias> distance_bias_;
  std::optional<PositionDistanceBias> position_bias_;
  std::optional<Bias> bias_;
  std::optional<PrefixSumBias> prefix_sum_bias_;
  std::optional<ContextualBias> contextual_bias_;
  const ScoreModifier* modifier_ = nullptr;
};

}  // namespace ropewalk
