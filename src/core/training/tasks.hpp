// Sequences that small transformers are trained and tested on, drawn from a seed. The same seed
// gives the same data in every build.
//
// At each place a batch holds the token that the model reads and the class that it must predict
// from this token and the earlier ones. tasks.cpp defines each task beside the function that draws
// it.
//
//   task        vocabulary              token ids
//   drawers     drawers (things + 1)    things k + v: put thing v into drawer k;
//                                       drawers things + k: query the thing in drawer k
//   characters  largest id + 1          those of the text
//   repeats     symbols                 a symbol each
//   flip_flop   5                       0 write, 1 read, 2 ignore, 3 bit zero, 4 bit one
//   copy        symbols + 2             a symbol each; symbols: start; symbols + 1: separator
//   reverse     symbols + 2             as copy
//   addition    12                      0 to 9 digits, 10 plus, 11 equals
//   parity      2                       a bit each
//
// Classes are token ids; the class of an answer of drawers is the thing, v.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"

namespace ropewalk {

enum class TaskKind {
  drawers,
  characters,
  repeats,
  flip_flop,
  copy,
  reverse,
  addition,
  parity,
};

// By kind; the names in the package.
inline constexpr const char* task_names[] = {"drawers", "characters", "repeats",  "flip-flop",
                                             "copy",    "reverse",    "addition", "parity"};
// The name of the task in error messages.
const char* task_name(TaskKind kind);

// A task reads only its own options.
struct TaskOptions {
  TaskKind kind = TaskKind::drawers;
  std::size_t drawers = 6, things = 6;          // drawers
  double ask_probability = 0.3;                 // drawers
  std::size_t symbols = 32;                     // repeats, copy, reverse
  double repeat_probability = 0.8;              // repeats
  std::size_t min_period = 4, max_period = 16;  // repeats
  double favourite_probability = 0.7;           // repeats
  double ignore_probability = 0.8;              // flip_flop
  std::size_t max_items = 12;                   // copy, reverse
  std::size_t max_digits = 5;                   // addition
};

enum class TextPart { training, held_out };

struct TestOptions {
  std::optional<double> ignore_probability;  // flip_flop; default: that of training
  TextPart part = TextPart::held_out;        // characters
};

// Row by row, sequences x length each. A batch can be filled again; its memory is reused.
struct Batch {
  std::size_t sequences = 0, length = 0;
  std::vector<std::uint32_t> tokens, targets;
  std::vector<float> weights;  // of the targets in the mean loss: 1, or 0 for places without target

  // Accuracy is a mean per group of targets: 1 ... group_count(), or 0 for targets that are not
  // scored. repeats has 1 repeated, 2 fresh, and trains on targets that are not scored: those of
  // a first period, which no earlier token determines.
  std::vector<std::uint8_t> group;
};

class Task {
 public:
  // characters needs a text of at least 2 ids; the other tasks take none. The texts are copied.
  // Throws std::invalid_argument on options out of range and on ids of 65536 and more.
  explicit Task(const TaskOptions& options, std::span<const std::uint32_t> training_text = {},
                std::span<const std::uint32_t> held_out_text = {});

  std::size_t vocabulary() const;
  std::size_t group_count() const;

  // True for copy, reverse and addition: draw() takes length 0, draw_test() a number of items
  // (copy, reverse) or of digits.
  bool draws_length() const;

  // Tokens of a sequence of this many items or digits; for the other tasks, size is the length.
  std::size_t length_of(std::size_t size) const;

  // Tokens of the longest sequence that draw() can return.
  std::size_t max_length() const;

  // Fills a batch for training. Throws std::invalid_argument on sequences 0, on a length that the
  // task does not have, and on more than 2^22 tokens.
  void draw(Batch& batch, std::size_t sequences, std::size_t length, Random& random) const;

  // Throws std::invalid_argument on a size and options that draw_test() does not take.
  void require_test(std::size_t size, const TestOptions& test) const;

  // Fills a batch for a test. Only scored targets have weight 1, from place length / 2 on: means
  // over the whole sequence would hide what happens at the length that is tested. copy, reverse and
  // addition score every answer. Throws as draw(), and on options out of range.
  void draw_test(Batch& batch, std::size_t sequences, std::size_t size, Random& random,
                 const TestOptions& test = {}) const;

 private:
  std::size_t max_size() const;
  void require_batch(std::size_t sequences, std::size_t length) const;
  void require_length(std::size_t length, std::span<const std::uint32_t> text) const;
  void fill(Batch& batch, std::size_t sequences, std::size_t length, Random& random,
            const TestOptions* test) const;

  TaskOptions options_;
  std::vector<std::uint32_t> training_text_, held_out_text_;
  std::size_t text_id_count_ = 0;
};

// Randomized positions (Ruoss et al. 2023): sorted distinct whole numbers from [0, below), every
// set of them equally likely. Throws std::invalid_argument unless to.size() <= below <= 2^53.
void draw_sorted_positions(std::span<double> positions, std::size_t below, Random& random);

}  // namespace ropewalk
