#include "training/tasks.hpp"

#include <algorithm>
#include <numeric>

#include "base/require.hpp"

namespace ropewalk {
namespace {

constexpr std::size_t max_ids = std::size_t{1} << 16;
constexpr std::size_t max_tokens = std::size_t{1} << 22;  // of a batch

// 0 ... count - 1; the probabilities differ by less than 2^-53.
std::size_t draw_below(std::size_t count, Random& random) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
}

std::uint32_t draw_id(std::size_t count, Random& random) {
  return static_cast<std::uint32_t>(draw_below(count, random));
}

constexpr std::uint8_t no_group = 0, first_group = 1, second_group = 2;

// One sequence of a batch. Weights and groups are 0 until a target is set.
struct Sequence {
  std::span<std::uint32_t> tokens, targets;
  std::span<float> weights;
  std::span<std::uint8_t> group;
  std::size_t first_scored;
  bool is_test;

  std::size_t length() const { return tokens.size(); }

  void set_target(std::size_t t, std::uint32_t target, std::uint8_t in_group = first_group) const {
    targets[t] = target;
    if (t < first_scored || (is_test && in_group == no_group)) return;
    weights[t] = 1.0f;
    group[t] = in_group;
  }
};

// drawers: each token puts thing v into drawer k or, with ask_probability, queries drawer k; k and
// v are uniform. Scored: at a question, the thing that was put into the drawer last. A question
// before any put into the drawer has no answer. Older puts into the same drawer differ from the
// latest in position only.
void draw_drawers(const Sequence& sequence, const TaskOptions& options, Random& random) {
  const std::size_t drawers = options.drawers, things = options.things;
  std::vector<std::optional<std::uint32_t>> latest(drawers);
  for (std::size_t t = 0; t < sequence.length(); ++t) {
    const bool is_question = random.uniform() < options.ask_probability;
    const std::size_t drawer = draw_below(drawers, random);
    if (is_question) {
      sequence.tokens[t] = static_cast<std::uint32_t>(drawers * things + drawer);
      if (latest[drawer]) sequence.set_target(t, *latest[drawer]);
    } else {
      latest[drawer] = draw_id(things, random);
      sequence.tokens[t] = static_cast<std::uint32_t>(things * drawer) + *latest[drawer];
    }
  }
}

// characters: a window of the text, from a uniformly drawn start. Scored: the next character, at
// each place. Without positions, the earlier characters have no order.
void draw_characters(const Sequence& sequence, std::span<const std::uint32_t> text,
                     Random& random) {
  const std::size_t start = draw_below(text.size() - sequence.length(), random);
  for (std::size_t t = 0; t < sequence.length(); ++t) {
    sequence.tokens[t] = text[start + t];
    sequence.set_target(t, text[start + t + 1]);
  }
}

// repeats, with repeat_probability: a block of P distinct symbols, repeated; P is uniform in
// min_period ... max_period. The next symbol follows the earlier copy of the current one, so a
// model must find "one place after a token like this". Scored: next symbols from index P on.
void draw_periodic(const Sequence& sequence, const TaskOptions& options, Random& random) {
  const std::size_t period =
      options.min_period + draw_below(options.max_period - options.min_period + 1, random);
  std::vector<std::uint32_t> block(options.symbols);
  std::iota(block.begin(), block.end(), 0u);
  for (std::size_t i = 0; i < period; ++i) {
    std::swap(block[i], block[i + draw_below(block.size() - i, random)]);
  }
  for (std::size_t t = 0; t < sequence.length(); ++t) {
    sequence.tokens[t] = block[t % period];
    sequence.set_target(t, block[(t + 1) % period], t + 1 >= period ? first_group : no_group);
  }
}

// repeats, else: fresh text. The next symbol is the favourite of the current one, (symbol + 1) mod
// symbols, with favourite_probability, else uniform. Scored: the next symbol, at each place. No
// position helps: fresh text shows what a change of the positions costs elsewhere.
void draw_fresh(const Sequence& sequence, const TaskOptions& options, Random& random) {
  std::uint32_t symbol = draw_id(options.symbols, random);
  for (std::size_t t = 0; t < sequence.length(); ++t) {
    sequence.tokens[t] = symbol;
    const bool is_favourite = random.uniform() < options.favourite_probability;
    symbol = is_favourite ? static_cast<std::uint32_t>((symbol + 1) % options.symbols)
                          : draw_id(options.symbols, random);
    sequence.set_target(t, symbol, second_group);
  }
}

// flip_flop (Liu et al. 2023): pairs of an instruction and a bit. The first instruction is write;
// the others are ignore with ignore_probability, else write or read with equal probability. The bit
// after read is the bit after the latest write; the other bits are fair coins. Scored: at a read,
// its bit. Older writes differ from the latest in position only, and so do the bits to ignore from
// the bits that were written: the instruction is one place before its bit.
void draw_flip_flop(const Sequence& sequence, const TaskOptions& options, Random& random) {
  constexpr std::uint32_t write = 0, read = 1, ignore = 2, bit_zero = 3;
  std::uint32_t written = bit_zero;
  for (std::size_t t = 0; t < sequence.length(); t += 2) {
    std::uint32_t instruction = write;
    if (t > 0) {
      const bool is_ignored = random.uniform() < options.ignore_probability;
      instruction = is_ignored ? ignore : random.uniform() < 0.5 ? write : read;
    }
    const std::uint32_t bit = instruction == read ? written : bit_zero + draw_id(2, random);
    if (instruction == write) written = bit;
    if (instruction == read) sequence.set_target(t, bit);
    sequence.tokens[t] = instruction;
    sequence.tokens[t + 1] = bit;
  }
}

// copy, reverse (Kazemnejad et al. 2023): start x1 ... xn separator x1 ... xn, symbols drawn with
// repetition; reverse ends with xn ... x1. n is uniform in 1 ... max_items, one n per batch. The
// model reads all but the last token. Scored: each symbol after the separator, from the token
// before it. A symbol may occur several times, so only the distance determines the one that is
// meant: n in copy, 1, 3, 5 ... in reverse.
void draw_copy(const Sequence& sequence, const TaskOptions& options, Random& random) {
  const std::size_t items = (sequence.length() - 1) / 2, separator = items + 1;
  const bool is_reversed = options.kind == TaskKind::reverse;
  sequence.tokens[0] = static_cast<std::uint32_t>(options.symbols);
  sequence.tokens[separator] = static_cast<std::uint32_t>(options.symbols + 1);
  for (std::size_t i = 1; i <= items; ++i) sequence.tokens[i] = draw_id(options.symbols, random);
  for (std::size_t i = 0; i < items; ++i) {
    const std::uint32_t symbol = sequence.tokens[is_reversed ? items - i : i + 1];
    sequence.set_target(separator + i, symbol);
    if (i + 1 < items) sequence.tokens[separator + i + 1] = symbol;
  }
}

// addition (Kazemnejad et al. 2023): a + b = c, the lowest digit first. a and b have n uniform
// digits, c has n + 1; leading zeros are written, so that all sequences of a batch have the same
// length. n is uniform in 1 ... max_digits, one n per batch. The model reads all but the last digit
// of c. Scored: each digit of c, from the token before it. Only its place determines which digits
// of a and b are added.
void draw_addition(const Sequence& sequence, Random& random) {
  constexpr std::uint32_t plus_sign = 10, equals_sign = 11;
  const std::size_t digits = (sequence.length() - 2) / 3, b = digits + 1, equals = b + digits;
  for (std::size_t i = 0; i < equals; ++i) sequence.tokens[i] = draw_id(10, random);
  sequence.tokens[digits] = plus_sign;
  sequence.tokens[equals] = equals_sign;
  std::uint32_t carry = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint32_t sum = sequence.tokens[i] + sequence.tokens[b + i] + carry;
    carry = sum / 10;
    sequence.set_target(equals + i, sum % 10);
    sequence.tokens[equals + 1 + i] = sum % 10;
  }
  sequence.set_target(equals + digits, carry);
}

// parity (Hahn 2020): fair bits. Scored: at each place, the sum of the bits so far, mod 2. The
// order of the bits does not matter, but each of them does, while it moves a mean over n tokens by
// 1 / n only: a hard case for every scheme.
void draw_parity(const Sequence& sequence, Random& random) {
  std::uint32_t parity = 0;
  for (std::size_t t = 0; t < sequence.length(); ++t) {
    sequence.tokens[t] = draw_id(2, random);
    parity ^= sequence.tokens[t];
    sequence.set_target(t, parity);
  }
}

void require_probability(const char* task, const char* option, double value) {
  require(value >= 0.0 && value <= 1.0, task, ": ", option, " must be from 0 to 1, got ", value);
}

void require_count(const char* task, const char* option, std::size_t least, std::size_t max,
                   std::size_t value) {
  require(value >= least && value <= max, task, ": ", option, " must be from ", least, " to ", max,
          ", got ", value);
}

void require_options(const TaskOptions& options) {
  const char* task = task_name(options.kind);
  const auto count = [&](const char* option, std::size_t least, std::size_t max,
                         std::size_t value) { require_count(task, option, least, max, value); };
  switch (options.kind) {
    case TaskKind::drawers:
      count("drawers", 1, 255, options.drawers);
      count("things", 1, 255, options.things);
      return require_probability(task, "ask_probability", options.ask_probability);
    case TaskKind::repeats:
      count("symbols", 1, max_ids, options.symbols);
      count("max_period", 1, options.symbols, options.max_period);
      count("min_period", 1, options.max_period, options.min_period);
      require_probability(task, "repeat_probability", options.repeat_probability);
      return require_probability(task, "favourite_probability", options.favourite_probability);
    case TaskKind::flip_flop:
      return require_probability(task, "ignore_probability", options.ignore_probability);
    case TaskKind::copy:
    case TaskKind::reverse:
      count("symbols", 1, max_ids - 2, options.symbols);
      return count("max_items", 1, max_ids, options.max_items);
    case TaskKind::addition:
      return count("max_digits", 1, max_ids, options.max_digits);
    case TaskKind::characters:
    case TaskKind::parity:
      return;
  }
}

// Returns the largest id + 1, or 0 without text.
std::size_t count_ids(std::span<const std::uint32_t> text) {
  std::size_t count = 0;
  for (const std::uint32_t id : text) {
    require(id < max_ids, "characters: ids of the text must be below ", max_ids, ", got ", id);
    count = std::max<std::size_t>(count, id + 1);
  }
  return count;
}

}  // namespace

const char* task_name(TaskKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  require(index < std::size(task_names), "task: kind must be below ", std::size(task_names),
          ", got ", index);
  return task_names[index];
}

Task::Task(const TaskOptions& options, std::span<const std::uint32_t> training_text,
           std::span<const std::uint32_t> held_out_text)
    : options_(options) {
  require_options(options);
  if (options.kind == TaskKind::characters) {
    require(training_text.size() >= 2,
            "characters: the training text must have at least 2 ids, got ", training_text.size());
    text_id_count_ = std::max(count_ids(training_text), count_ids(held_out_text));
  } else {
    require(training_text.empty() && held_out_text.empty(), task_name(options.kind),
            ": the texts must be empty, got ", training_text.size(), " and ", held_out_text.size(),
            " ids");
  }
  training_text_.assign(training_text.begin(), training_text.end());
  held_out_text_.assign(held_out_text.begin(), held_out_text.end());
}

std::size_t Task::vocabulary() const {
  switch (options_.kind) {
    case TaskKind::drawers:
      return options_.drawers * (options_.things + 1);
    case TaskKind::characters:
      return text_id_count_;
    case TaskKind::repeats:
      return options_.symbols;
    case TaskKind::flip_flop:
      return 5;
    case TaskKind::copy:
    case TaskKind::reverse:
      return options_.symbols + 2;
    case TaskKind::addition:
      return 12;
    case TaskKind::parity:
      break;
  }
  return 2;
}

std::size_t Task::group_count() const { return options_.kind == TaskKind::repeats ? 2 : 1; }

bool Task::draws_length() const {
  return options_.kind == TaskKind::copy || options_.kind == TaskKind::reverse ||
         options_.kind == TaskKind::addition;
}

std::size_t Task::length_of(std::size_t size) const {
  if (!draws_length()) return size;
  return options_.kind == TaskKind::addition ? 3 * size + 2 : 2 * size + 1;
}

std::size_t Task::max_size() const {
  return options_.kind == TaskKind::addition ? options_.max_digits : options_.max_items;
}

std::size_t Task::max_length() const {
  if (draws_length()) return length_of(max_size());
  const bool has_text = options_.kind == TaskKind::characters;
  return has_text ? std::min(max_tokens, training_text_.size() - 1) : max_tokens;
}

void Task::require_batch(std::size_t sequences, std::size_t length) const {
  const char* task = task_name(options_.kind);
  require(sequences > 0, task, ": sequences must be positive, got ", sequences);
  require(length <= max_tokens / sequences, task, ": sequences x length must be at most ",
          max_tokens, " tokens, got ", sequences, " x ", length);
}

void Task::require_length(std::size_t length, std::span<const std::uint32_t> text) const {
  const bool is_flip_flop = options_.kind == TaskKind::flip_flop;
  const std::size_t least = is_flip_flop ? 4 : options_.kind == TaskKind::drawers ? 2 : 1;
  const char* task = task_name(options_.kind);
  require(length >= least, task, ": length must be at least ", least, ", got ", length);
  require(!is_flip_flop || length % 2 == 0, task, ": length must be even, got ", length);
  require(options_.kind != TaskKind::characters || length < text.size(), task,
          ": length must be below the number of ids of the text, ", text.size(), ", got ", length);
}

void Task::draw(Batch& batch, std::size_t sequences, std::size_t length, Random& random) const {
  if (draws_length()) {
    require(length == 0, task_name(options_.kind),
            ": length must be 0, since the task draws it, got ", length);
    require_batch(sequences, max_length());  // for any drawn length
    length = length_of(1 + draw_below(max_size(), random));
  } else {
    require_length(length, training_text_);
    require_batch(sequences, length);
  }
  fill(batch, sequences, length, random, nullptr);
}

void Task::require_test(std::size_t size, const TestOptions& test) const {
  if (draws_length()) {
    const char* counted = options_.kind == TaskKind::addition ? "digits" : "items";
    require_count(task_name(options_.kind), counted, 1, max_ids, size);
  } else {
    require_length(size, test.part == TextPart::training ? training_text_ : held_out_text_);
  }
  require_batch(1, length_of(size));
  if (test.ignore_probability) {
    require_probability(task_name(options_.kind), "ignore_probability", *test.ignore_probability);
  }
}

void Task::draw_test(Batch& batch, std::size_t sequences, std::size_t size, Random& random,
                     const TestOptions& test) const {
  require_test(size, test);
  require_batch(sequences, length_of(size));
  fill(batch, sequences, length_of(size), random, &test);
}

void Task::fill(Batch& batch, std::size_t sequences, std::size_t length, Random& random,
                const TestOptions* test) const {
  const std::size_t count = sequences * length;
  batch.sequences = sequences;
  batch.length = length;
  batch.tokens.assign(count, 0);
  batch.targets.assign(count, 0);
  batch.weights.assign(count, 0.0f);
  batch.group.assign(count, no_group);
  TaskOptions options = options_;
  if (test && test->ignore_probability) options.ignore_probability = *test->ignore_probability;
  const bool is_held_out = test && test->part == TextPart::held_out;
  // Every answer of copy, reverse and addition is in the second half.
  const std::size_t first_scored = test ? length / 2 : 0;
  for (std::size_t s = 0; s < sequences; ++s) {
    const auto row = [&](auto& values) { return std::span(values).subspan(s * length, length); };
    const Sequence sequence{row(batch.tokens), row(batch.targets), row(batch.weights),
                            row(batch.group),  first_scored,       test != nullptr};
    switch (options.kind) {
      case TaskKind::drawers:
        draw_drawers(sequence, options, random);
        break;
      case TaskKind::characters:
        draw_characters(sequence, is_held_out ? held_out_text_ : training_text_, random);
        break;
      case TaskKind::repeats: {
        const bool is_periodic = random.uniform() < options.repeat_probability;
        is_periodic ? draw_periodic(sequence, options, random)
                    : draw_fresh(sequence, options, random);
        break;
      }
      case TaskKind::flip_flop:
        draw_flip_flop(sequence, options, random);
        break;
      case TaskKind::copy:
      case TaskKind::reverse:
        draw_copy(sequence, options, random);
        break;
      case TaskKind::addition:
        draw_addition(sequence, random);
        break;
      case TaskKind::parity:
        draw_parity(sequence, random);
        break;
    }
  }
}

// Floyd's sampling (Bentley and Floyd 1987): each step adds one number below `end`, or `end` itself
// where that number is taken. The numbers so far are kept sorted.
void draw_sorted_positions(std::span<double> positions, std::size_t below, Random& random) {
  require(positions.size() <= below && static_cast<double>(below) <= 0x1p53,
          "draw_sorted_positions: below must be from ", positions.size(),
          " (the number of positions) to 2^53, got ", below);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t end = below - positions.size() + i;
    const auto drawn = static_cast<double>(draw_below(end + 1, random));
    const auto first = positions.begin(), past_end = first + static_cast<std::ptrdiff_t>(i);
    const auto place = std::lower_bound(first, past_end, drawn);
    if (place != past_end && *place == drawn) {
      *past_end = static_cast<double>(end);
    } else {
      std::move_backward(place, past_end, past_end + 1);
      *place = drawn;
    }
  }
}

}  // namespace ropewalk
