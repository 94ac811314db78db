// The position scheme of a model that is trained: its parameters, what it adds at the input, what
// it makes of queries and keys, and what it does in each layer's attention, with gradients.
//
// Each scheme is a class in one of the files of schemes (input_, rotary_, bias_, text_rotary_,
// text_bias_ and product_schemes.cpp), with its name, its parameters and its formula;
// blocks.<layer> stands before the names of parameters that each layer has. h is what a layer's
// queries and keys are computed from, D the width of a head.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "attention/attention.hpp"
#include "base/random.hpp"
#include "content/path.hpp"
#include "training/linear.hpp"
#include "training/parameters.hpp"

namespace ropewalk {

// Whose gates multiply the slopes of GRAPE-A.
enum class SlopeGates { key, query, both };

// A scheme reads only its own options.
struct PositionOptions {
  std::size_t kind = 0;       // index among position_kinds(); 0: none
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

// The options as a trainer's record has them, see bindings/trainer.cpp.
template <class Visit>
void fields(PositionOptions& position, Visit visit) {
  visit("position.type", position.kind);
  visit("position.base", position.base);
  visit("position.layout", position.is_half_split);
  visit("position.rows", position.rows);
  visit("position.perLayer", position.is_per_layer);
  visit("position.buckets", position.buckets);
  visit("position.maxDistance", position.max_distance);
  visit("position.tableScale", position.table_scale);
  visit("position.softplus", position.is_softplus);
  visit("position.hidden", position.hidden);
  visit("position.c", position.c);
  visit("position.threshold", position.threshold);
  visit("position.epsilon", position.epsilon);
  visit("position.scaleBase", position.scale_base);
  visit("position.gamma", position.gamma);
  visit("position.rowFactor", position.row_factor);
  visit("position.gateBias", position.gate_bias);
  visit("position.scalarGate", position.has_scalar_gate);
  visit("position.gate", position.path_gate);
  visit("position.slopeGates", position.slope_gates);
  visit("position.rank", position.rank);
  visit("position.attendCurrent", position.attend_current);
  visit("position.gateWidth", position.gate_width);
}

// How the use of a trained model differs from its training. Of rope, ssmax and selective only.
struct RotaryUse {
  std::vector<double> frequencies;  // empty: those of training
  double attention_factor = 1.0;
  PositionMap map = {};

  bool is_training() const {
    return frequencies.empty() && attention_factor == 1.0 && map.kind == PositionMapKind::plain;
  }
};

struct ModelShape {
  std::size_t width, heads, layers;
  std::size_t key_heads = heads;
  std::size_t own_head_width = width / heads;

  std::size_t head_width() const { return own_head_width; }
};

// Cosines and sines of the positions of a pass, for all layers that rotate alike.
class SharedRotaryTables {
 public:
  // Valid for the rest of the pass.
  RotaryTableView of(std::span<const double> positions, std::span<const double> frequencies,
                     double attention_factor);

 private:
  struct Entry {
    std::vector<double> frequencies;
    double attention_factor;
    RotaryTable table;
  };
  std::vector<Entry> entries_;
};

// The sequences of a forward pass.
struct SequencePositions {
  std::size_t batches = 0, length = 0;
  std::vector<double> positions;
  RowSteps steps;         // of the positions from sequence to sequence
  bool counts_up = true;  // positions are 0, 1, 2, ...
  RotaryUse use;
  std::size_t past = 0;  // places before the first one, whose keys are in a cache
  mutable SharedRotaryTables tables = {};

  std::size_t tokens() const { return batches * length; }
  RowLists<double> position_lists() const { return {positions, steps}; }
};

// Position in one layer of a model that was trained elsewhere, or in place of its own.
struct GivenPosition {
  std::vector<double> frequencies = {};  // empty: no rotation; fewer than pairs: partial rotary
  double attention_factor = 1.0;
  RotaryLayout layout = RotaryLayout::half_split;
  PositionMap map = {};
  std::vector<double> slopes = {};      // one per head, of ALiBi; empty: none
  std::vector<float> row_factors = {};  // of the scores of each place of a text; empty: none
  std::size_t lookback = all_keys;      // keys visible before a query's own
};

// Queries and keys of all tokens: tokens x (heads * width of a head), keys with key heads.
struct QueriesAndKeys {
  std::vector<float>&q, &k;
};

// Arguments of a part of a scheme, all of which must outlive it.
struct PositionSetup {
  const PositionOptions& options;
  const ModelShape& shape;
  const SequencePositions& sequences;
  ParameterList& parameters;
};

// What a scheme adds at the input.
class InputScheme {
 public:
  explicit InputScheme(const PositionSetup& setup) : setup_(setup) {}
  virtual ~InputScheme() = default;

  virtual void initialize(Random&) {}
  // x (batches * length x width).
  void forward(MatrixView x);
  virtual void backward(ConstMatrixView /*d_x*/) {}

 protected:
  // One row for each position of the sequences.
  virtual void fill(MatrixView rows) = 0;

  const PositionSetup setup_;
};

// What a scheme does in a layer. Does nothing: a kind implements what it needs. For each pass the
// calls come in this order, h being what queries and keys are computed from, and what one computes
// is kept for the later ones:
//   forward   begin, transform, prepare, attach
//   backward  attach, transform_backward, collect
class LayerScheme {
 public:
  // prefix: of the names of its parameters.
  LayerScheme(const PositionSetup& setup, const std::string& prefix)
      : options_(setup.options),
        shape_(setup.shape),
        sequences_(setup.sequences),
        parameters_(setup.parameters),
        prefix_(prefix) {}
  virtual ~LayerScheme() = default;

  virtual void initialize(Random&) {}
  // Computes what depends on the positions alone.
  virtual void begin() {}

  // The width of a head's queries and keys as attention takes them.
  virtual std::size_t score_width() const { return shape_.head_width(); }
  // Replaces queries and keys by those that attention takes.
  virtual void transform(QueriesAndKeys, ConstMatrixView /*h*/) {}
  // The same for their gradients; `made` is what transform() left.
  virtual void transform_backward(QueriesAndKeys, const QueriesAndKeys& /*made*/) {}

  // Computes what attention takes from the text. The call has the factors of rows already.
  virtual void prepare(const AttentionCall&, ConstMatrixView /*h*/) {}
  // Completes a call of the layer's attention. For a backward call, d_q is where its gradient of q
  // goes.
  virtual void attach(AttentionCall&, float* /*d_q*/) {}
  // After a backward call: adds the gradients of the scheme's parameters, and of h.
  virtual void collect(ConstMatrixView /*h*/, MatrixView /*d_h*/) {}

  // Whether the scheme follows another use than that of training.
  virtual bool has_rotary_use() const { return false; }

 protected:
  // Adds a parameter of the scheme to the list and returns its index.
  std::size_t add_parameter(const char* name, std::size_t rows, std::size_t cols) {
    return parameters_.add(prefix_ + name, rows, cols);
  }
  // Adds a linear layer, from as many columns as h has; no name of a bias: it has none.
  Linear add_linear(const char* weights, const char* bias, std::size_t cols) {
    return add_linear(weights, bias, shape_.width, cols);
  }
  Linear add_linear(const char* weights, const char* bias, std::size_t rows, std::size_t cols);
  // Adds a scheme's modifier to those that a call has.
  void attach_modifier(AttentionCall& call, const ScoreModifier& modifier);
  std::size_t tokens() const { return sequences_.tokens(); }

  const PositionOptions& options_;
  const ModelShape& shape_;
  const SequencePositions& sequences_;
  ParameterList& parameters_;

 private:
  const std::string prefix_;
  std::vector<const ScoreModifier*> modifiers_;  // of the last call
};

using InputMaker = std::unique_ptr<InputScheme>(const PositionSetup& setup);
using LayerMaker = std::unique_ptr<LayerScheme>(const PositionSetup& setup,
                                                const std::string& prefix);

template <class Scheme>
std::unique_ptr<InputScheme> make_input(const PositionSetup& setup) {
  return std::make_unique<Scheme>(setup);
}
// Arguments: more of the constructor's, known when the program is compiled.
template <class Scheme, auto... Arguments>
std::unique_ptr<LayerScheme> make_layer(const PositionSetup& setup, const std::string& prefix) {
  return std::make_unique<Scheme>(setup, prefix, Arguments...);
}

// One scheme for all layers, which keeps nothing of a layer from its forward to its backward pass;
// with by_option where is_per_layer does not say otherwise.
enum class Sharing { none, by_option, all };

struct PositionKind {
  const char* name;  // in the package
  InputMaker* input = nullptr;
  LayerMaker* layer = make_layer<LayerScheme>;
  Sharing sharing = Sharing::none;
};

// The kinds of position schemes, listed at the end of each file of schemes.
std::vector<PositionKind> position_kinds();
// The index of a kind. Throws std::invalid_argument on a name that none has.
std::size_t position_kind(std::string_view name);

// The position scheme of a model.
class PositionScheme {
 public:
  // Adds the scheme's parameters to the list, which must outlive it.
  // Throws std::invalid_argument on options out of range.
  PositionScheme(const PositionOptions& options, const ModelShape& shape,
                 ParameterList& parameters);
  PositionScheme(const PositionScheme&) = delete;
  PositionScheme& operator=(const PositionScheme&) = delete;

  void initialize(Random& random);
  // The sequences that follow. positions: empty (0, 1, 2, ...), one per place, or one per place of
  // each sequence; whole numbers. A map needs positions 0, 1, 2, ...
  // Throws std::invalid_argument on a use that the scheme does not have.
  // past: the places before them, in a cache, which only given positions have.
  void begin(std::size_t batches, std::size_t length, std::span<const double> positions,
             const RotaryUse& rotary = {}, std::size_t past = 0);

  // Replaces the scheme of every layer, and with `drops_input` that of the input, by a given one.
  // Throws std::invalid_argument unless there is one for each layer.
  void give(std::span<const GivenPosition> layers, bool drops_input);

  InputScheme* input() const { return adds_input_ ? input_.get() : nullptr; }  // null: adds nothing
  LayerScheme& layer(std::size_t index) const { return *layers_[layers_.size() == 1 ? 0 : index]; }

 private:
  const PositionOptions options_;
  const ModelShape shape_;
  ParameterList& parameters_;
  SequencePositions sequences_;
  std::unique_ptr<InputScheme> input_;
  bool adds_input_ = true;
  std::vector<std::unique_ptr<LayerScheme>> layers_;  // one for each layer, or for all
  bool is_given_ = false;
};

}  // namespace ropewalk
