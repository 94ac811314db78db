// The position scheme of a model that is trained: its parameters, what it adds at the input, what
// it makes of queries and keys, and what it does in each layer's attention, with gradients.
//
//   kind        parameters (per layer: blocks.<layer>.<name>)
//   none        -
//   sinusoidal  -                                            added at the input
//   learned     pos (rows x width)                           added at the input
//   rope, xpos  -
//   alibi       -
//   t5          t5.table (buckets x heads)                   bias = table_scale * table
//   kerple      kerple.r1, kerple.r2 (heads)                 logarithmic; or softplus of them
//   fire        fire.w1, fire.b1 (hidden), fire.w2 (hidden x heads); an output bias would
//               shift whole rows without any effect on weights, so there is none
//   cope        cope.e (rows x head width)
//   fox         blocks.<layer>.Wf (width x heads), blocks.<layer>.bf (heads)
//
// The schemes of 2024 to 2026 have all parameters per layer. Most read positions or gates from the
// text; h is what a layer's queries and keys are computed from, D the width of a head.
//
//   ssmax           ssmax.s (heads): rope, with scores times s ln(number of keys)
//   cable           Wc (width x heads), bc (heads): FoX with the sign of the gates flipped. Scores
//                   are divided by sqrt(D), as everywhere; the published code does not
//   wall            Wg (width x width), bg (width): a gate per channel; Wf, bf: FoX's gate too
//   selective_rope  Wr1 (width x rank), Wr2 (rank x heads * pairs), cr (4 x heads * pairs):
//                   increments of angles = causal convolution of (h / |h| per head) Wr1 Wr2, summed
//                   up to the token, times base^(-i / pairs); without the optional bias and gate
//   repo            Wg, Wc (width x width / 8), Wp (width / 8 x heads): position of a head =
//                   (silu(h Wg) (h Wc)) Wp, then rope, in every layer; the published models keep
//                   integer positions in their first five
//   grape_m         Wm (width x heads), bm (heads): position = sum of softplus(h Wm + bm) over the
//                   tokens before, then rope. Begins as rope
//   grape_a         ua.k, ua.q (heads x D), ua.raw (heads): bias = -distance omega
//                   (softplus(u_k k / sqrt(D)) + softplus(u_q q / sqrt(D))), u of length 1, omega =
//                   softplus(raw) times ALiBi's slope
//   path            Ww (width x width), cw (3 x width), Wb (width x heads), bb (heads): w = silu of
//                   the causal convolution of h Ww, of length 1; beta = 2 sigmoid(h Wb + bb);
//                   Wf, bf: FoX's gate too
//   pope            pope.phase (heads x D)
//   stick_breaking  -
//   grape_ap        Wp (width x heads * P): bias = sum of slope ln sigmoid(p_m . R_l n(p_l) / P)
//                   over the tokens l after the key, p = h Wp, with ALiBi's slopes. n makes the
//                   mean square 1, on this side only, as in the published code; R rotates by l
//   row_gates       Wu, Wr (width x heads * P): bias = sum of ln sigmoid(u_m . r_l / sqrt(P)) from
//                   the key on, without the query's own token, u = h Wu, r = h Wr
//   selective       -: rope, with scores less the positive ones that earlier queries gave the key
//                   in the first head; the first token and a query's own are spared. It keeps that
//                   head's length x length scores of each sequence, and as many sums
#pragma once

#include <memory>
#include <vector>

#include "attention/attention.hpp"
#include "base/random.hpp"
#include "content/path.hpp"
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
  fox,
  ssmax,
  cable,
  wall,
  selective_rope,
  repo,
  grape_m,
  grape_a,
  path,
  pope,
  stick_breaking,
  grape_ap,
  row_gates,
  selective
};
inline constexpr int position_kinds = 24;

// Whose gates multiply the slopes of GRAPE-A.
enum class SlopeGates { key, query, both };

// A scheme reads only its own options.
struct PositionOptions {
  PositionKind kind = PositionKind::none;
  double base = 10000.0;      // of every kind with frequencies
  bool is_half_split = true;  // sinusoidal, rope, ssmax, selective; else interleaved
  std::size_t rows = 512;     // of the table: learned, cope
  bool is_per_layer = false;  // t5, kerple, fire, cope: each layer has its own parameters
  std::size_t buckets = 32, max_distance = 128;
  double table_scale = 1.0;
  bool is_softplus = false;
  std::size_t hidden = 32;
  double c = 0.1, threshold = 512.0, epsilon = 1e-6;
  double scale_base = 512.0, gamma = 0.4;
  double row_factor = 0.43;      // ssmax: s at the start
  double gate_bias = 8.0;        // wall: at the start
  bool has_scalar_gate = false;  // wall
  PathGate path_gate = PathGate::none;
  SlopeGates slope_gates = SlopeGates::both;
  std::size_t rank = 16;        // selective_rope: of its projection
  bool attend_current = false;  // stick_breaking
  std::size_t gate_width = 8;   // grape_ap, even; row_gates
};

// How the use of a trained model differs from its training. Of rope, ssmax and selective only.
struct RotaryUse {
  std::vector<double> frequencies;  // empty: those of training
  double attention_factor = 1.0;
  PositionMap map = {};
};

struct ModelShape {
  std::size_t width, heads, layers;

  std::size_t head_width() const { return width / heads; }
};

// Arguments of a scheme. The list must outlive the scheme.
struct PositionSetup {
  const PositionOptions& options;
  ModelShape shape;
  ParameterList& parameters;
};

// Queries and keys of all tokens: tokens x (heads * width of a head).
struct QueriesAndKeys {
  std::vector<float>&q, &k;
};

// Does nothing: a kind implements what it needs.
class PositionScheme {
 public:
  explicit PositionScheme(const PositionSetup& setup)
      : options_(setup.options), shape_(setup.shape), parameters_(setup.parameters) {}
  virtual ~PositionScheme() = default;

  virtual void initialize(Random&) {}

  // The sequences that follow. positions: empty (0, 1, 2, ...), one per place, or one per place of
  // each sequence; whole numbers. A map needs positions 0, 1, 2, ...
  // Throws std::invalid_argument on a use that the scheme does not have.
  void begin(std::size_t batches, std::size_t length, std::span<const double> positions,
             const RotaryUse& rotary = {});

  // x (batches * length x width).
  virtual void add_to_input(MatrixView) {}
  virtual void add_to_input_backward(ConstMatrixView) {}

  // The width of a head's queries and keys as attention takes them.
  virtual std::size_t score_width() const { return shape_.head_width(); }
  // Replaces a layer's queries and keys by those that attention takes; h is what they are computed
  // from.
  virtual void transform(QueriesAndKeys, std::size_t /*layer*/, ConstMatrixView /*h*/) {}
  // The same for their gradients; `made` is what transform() left. Comes before collect().
  virtual void transform_backward(QueriesAndKeys, const QueriesAndKeys& /*made*/,
                                  std::size_t /*layer*/, ConstMatrixView /*h*/) {}

  // Completes a call of a layer's attention, which has the factors of rows already. For a backward
  // call, d_q is where its gradient of q goes.
  virtual void attach(AttentionCall&, std::size_t /*layer*/, ConstMatrixView /*h*/,
                      float* /*d_q*/) {}
  // After a backward call: adds the gradients of the scheme's parameters in this layer, and of h.
  virtual void collect(std::size_t /*layer*/, ConstMatrixView /*h*/, MatrixView /*d_h*/) {}

 protected:
  // Whether the scheme follows another use than that of training.
  virtual bool has_rotary_use() const { return false; }
  std::size_t tokens() const { return batches_ * length_; }
  // Adds a scheme's modifier to those that a call has.
  void attach_modifier(AttentionCall& call, const ScoreModifier& modifier);

  const PositionOptions options_;
  const ModelShape shape_;
  ParameterList& parameters_;

  // The sequences of begin().
  std::size_t batches_ = 0, length_ = 0;
  std::vector<double> positions_;  // one per place, or per place of each sequence
  bool counts_up_ = true;          // positions are 0, 1, 2, ...
  RotaryUse use_;

 private:
  std::vector<const ScoreModifier*> modifiers_;  // of the last call
};

// Makes a scheme, which adds its parameters to the list.
// Throws std::invalid_argument on options out of range.
using PositionFactory = std::unique_ptr<PositionScheme>(const PositionSetup& setup);

PositionFactory make_position_scheme;

}  // namespace ropewalk
