#include "training/tasks.hpp"

#include <algorithm>
#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace ropewalk;
using Catch::Matchers::Message;

namespace {

TaskOptions options_of(TaskKind kind) {
  TaskOptions options;
  options.kind = kind;
  return options;
}

// Ids 0 ... 39 and 40 ... 59: a token says where in which text it is.
std::vector<std::uint32_t> counted_ids(std::uint32_t first, std::size_t count) {
  std::vector<std::uint32_t> ids(count);
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}
const auto training_ids = counted_ids(0, 40), held_out_ids = counted_ids(40, 20);

Task task_of(const TaskOptions& options) {
  if (options.kind == TaskKind::characters) return Task(options, training_ids, held_out_ids);
  return Task(options);
}
Task task_of(TaskKind kind) { return task_of(options_of(kind)); }

Batch drawn(const Task& task, std::size_t sequences, std::size_t length, std::uint64_t seed) {
  Batch batch;
  Random random(seed);
  task.draw(batch, sequences, length, random);
  return batch;
}

Batch drawn_test(const Task& task, std::size_t sequences, std::size_t size, std::uint64_t seed,
                 const TestOptions& test = {}) {
  Batch batch;
  Random random(seed);
  task.draw_test(batch, sequences, size, random, test);
  return batch;
}

// A sequence of a batch, copied, so that it outlives the batch.
struct Row {
  std::vector<std::uint32_t> tokens, targets;
  std::vector<float> weights;
  std::vector<std::uint8_t> group;

  void require_target(std::size_t t, std::uint32_t target, int in_group = 1) const {
    REQUIRE(targets[t] == target);
    REQUIRE(weights[t] == 1.0f);
    REQUIRE(int(group[t]) == in_group);
  }
  void require_no_target(std::size_t t) const {
    REQUIRE(weights[t] == 0.0f);
    REQUIRE(int(group[t]) == 0);
  }
};

std::vector<Row> rows_of(const Batch& batch) {
  const std::size_t count = batch.sequences * batch.length;
  REQUIRE(batch.tokens.size() == count);
  REQUIRE(batch.targets.size() == count);
  REQUIRE(batch.weights.size() == count);
  REQUIRE(batch.group.size() == count);
  std::vector<Row> rows;
  for (std::size_t first = 0; first < count; first += batch.length) {
    const auto row = [&](const auto& values) {
      const auto begin = values.begin() + std::ptrdiff_t(first);
      return std::vector(begin, begin + std::ptrdiff_t(batch.length));
    };
    rows.push_back({row(batch.tokens), row(batch.targets), row(batch.weights), row(batch.group)});
  }
  return rows;
}

// How often something happened, against its probability: within five standard deviations.
struct Frequency {
  double happened = 0, trials = 0;
  void add(bool does_happen) {
    happened += does_happen;
    ++trials;
  }
  bool has_probability(double p) const {
    INFO(happened << " of " << trials << " at probability " << p);
    CHECK(trials > 100);
    return std::abs(happened - trials * p) <= 5 * std::sqrt(trials * p * (1 - p));
  }
};

// The same for a draw from [0, n).
struct Histogram {
  explicit Histogram(std::size_t n) : counts(n) {}
  void add(std::size_t value) {
    REQUIRE(value < counts.size());
    ++counts[value];
  }
  bool is_uniform() const {
    const double trials = std::accumulate(counts.begin(), counts.end(), 0.0);
    return std::ranges::all_of(counts, [&](double count) {
      return Frequency{count, trials}.has_probability(1 / double(counts.size()));
    });
  }
  std::vector<double> counts;
};

}  // namespace

TEST_CASE("drawers: the answer is the thing that was put into the drawer last") {
  const auto [drawers, things] =
      GENERATE(table<std::size_t, std::size_t>({{6, 6}, {3, 5}, {1, 2}}));
  TaskOptions options = options_of(TaskKind::drawers);
  options.drawers = drawers;
  options.things = things;
  for (const Row& row : rows_of(drawn(Task(options), 50, 33, 1))) {
    for (std::size_t t = 0; t < row.tokens.size(); ++t) {
      const std::size_t asked = row.tokens[t] - drawers * things;
      std::size_t latest = t;  // none
      for (std::size_t j = 0; j < t; ++j) {
        if (row.tokens[j] < drawers * things && row.tokens[j] / things == asked) latest = j;
      }
      if (row.tokens[t] < drawers * things || latest == t) {
        row.require_no_target(t);
      } else {
        row.require_target(t, std::uint32_t(row.tokens[latest] % things));
      }
    }
  }
}

TEST_CASE("drawers: questions have their probability, drawers and things are uniform") {
  Frequency questions;
  Histogram puts(36), asked(6);
  for (const std::uint32_t token : drawn(task_of(TaskKind::drawers), 100, 300, 2).tokens) {
    questions.add(token >= 36);
    token >= 36 ? asked.add(token - 36) : puts.add(token);
  }
  CHECK(questions.has_probability(0.3));
  CHECK(puts.is_uniform());
  CHECK(asked.is_uniform());
}

TEST_CASE("characters: a window of the text, each place with the next character") {
  const Task task = task_of(TaskKind::characters);
  Histogram starts(40 - 7);  // the last window ends one character before the end
  for (const Row& row : rows_of(drawn(task, 5000, 7, 3))) {
    starts.add(row.tokens[0]);
    for (std::size_t t = 0; t < 7; ++t) {
      REQUIRE(row.tokens[t] == row.tokens[0] + t);
      row.require_target(t, std::uint32_t(row.tokens[0] + t + 1));
    }
  }
  CHECK(starts.is_uniform());
}

TEST_CASE("characters: a test reads the held-out text, or that of training") {
  const Task task = task_of(TaskKind::characters);
  CHECK(std::ranges::all_of(drawn_test(task, 50, 8, 4).targets,
                            [](std::uint32_t id) { return id > 40 && id < 60; }));
  CHECK(std::ranges::all_of(drawn_test(task, 50, 8, 4, {{}, TextPart::training}).targets,
                            [](std::uint32_t id) { return id > 0 && id < 40; }));
}

namespace {

// The shortest period of the tokens and the last target; their number where they never repeat.
std::size_t period_of(const Row& row) {
  std::vector<std::uint32_t> symbols(row.tokens.begin(), row.tokens.end());
  symbols.push_back(row.targets.back());
  for (std::size_t period = 1;; ++period) {
    if (std::equal(symbols.begin() + std::ptrdiff_t(period), symbols.end(), symbols.begin())) {
      return period;
    }
  }
}

}  // namespace

TEST_CASE("repeats: targets from the period on are repeated, those of fresh text fresh") {
  Frequency periodic, favourites;
  Histogram periods(13), symbols(32);
  for (const Row& row : rows_of(drawn(task_of(TaskKind::repeats), 3000, 32, 5))) {
    const std::size_t period = period_of(row);
    const bool is_periodic = period <= 16;  // by chance only, fresh text has a longer one
    periodic.add(is_periodic);
    symbols.add(row.tokens[0]);
    if (is_periodic) {
      periods.add(period - 4);
      REQUIRE(std::set(row.tokens.begin(), row.tokens.begin() + std::ptrdiff_t(period)).size() ==
              period);
    }
    for (std::size_t t = 0; t < 32; ++t) {
      if (t + 1 < 32) REQUIRE(row.targets[t] == row.tokens[t + 1]);
      if (!is_periodic) favourites.add(row.targets[t] == (row.tokens[t] + 1) % 32);
      row.require_target(t, row.targets[t], !is_periodic ? 2 : t + 1 >= period ? 1 : 0);
    }
  }
  CHECK(periodic.has_probability(0.8));
  CHECK(periods.is_uniform());
  CHECK(symbols.is_uniform());
  CHECK(favourites.has_probability(0.7 + 0.3 / 32));
}

TEST_CASE("repeats: a test scores only targets with a group") {
  TaskOptions options = options_of(TaskKind::repeats);
  options.min_period = options.max_period = 9;
  options.repeat_probability = 1;
  for (const Row& row : rows_of(drawn_test(Task(options), 20, 12, 6))) {
    for (std::size_t t = 0; t < 12; ++t) {
      t < 8 ? row.require_no_target(t) : row.require_target(t, row.tokens[t - 8], 1);
    }
  }
}

TEST_CASE("flip-flop: the bit after a read is the bit after the latest write") {
  const double ignore_probability = GENERATE(0.8, 0.1, 0.98);
  const TestOptions test{ignore_probability, {}};
  Frequency ignored, written, ones;
  for (const Row& row : rows_of(drawn_test(task_of(TaskKind::flip_flop), 400, 64, 7, test))) {
    REQUIRE(row.tokens[0] == 0);
    for (std::size_t t = 0; t < 64; t += 2) {
      const std::uint32_t instruction = row.tokens[t], bit = row.tokens[t + 1];
      REQUIRE(instruction <= 2);
      REQUIRE((bit == 3 || bit == 4));
      row.require_no_target(t + 1);
      if (t > 0) ignored.add(instruction == 2);
      if (t > 0 && instruction != 2) written.add(instruction == 0);
      if (instruction != 1) ones.add(bit == 4);
      if (instruction == 1) {
        std::size_t latest = t;
        while (row.tokens[latest] != 0) latest -= 2;
        REQUIRE(bit == row.tokens[latest + 1]);
      }
      instruction == 1 && t >= 32 ? row.require_target(t, bit) : row.require_no_target(t);
    }
  }
  CHECK(ignored.has_probability(ignore_probability));
  CHECK(written.has_probability(0.5));
  CHECK(ones.has_probability(0.5));
}

TEST_CASE("copy and reverse: each symbol is predicted from the token before it") {
  const bool is_reversed = GENERATE(false, true);
  const Task task = task_of(is_reversed ? TaskKind::reverse : TaskKind::copy);
  Random random(8);
  Histogram items(12), symbols(32);
  for (int step = 0; step < 2000; ++step) {
    Batch batch;
    task.draw(batch, 3, 0, random);
    const std::size_t n = (batch.length - 1) / 2;
    REQUIRE(batch.length == 2 * n + 1);
    items.add(n - 1);
    for (const Row& row : rows_of(batch)) {
      REQUIRE(row.tokens[0] == 32);
      REQUIRE(row.tokens[n + 1] == 33);
      for (std::size_t t = 0; t <= n; ++t) row.require_no_target(t);
      for (std::size_t i = 0; i < n; ++i) {
        symbols.add(row.tokens[i + 1]);
        row.require_target(n + 1 + i, row.tokens[is_reversed ? n - i : 1 + i]);
        if (i > 0) REQUIRE(row.tokens[n + 1 + i] == row.targets[n + i]);
      }
    }
  }
  CHECK(items.is_uniform());
  CHECK(symbols.is_uniform());
}

TEST_CASE("addition: the digits of the sum are predicted, the lowest first") {
  const Task task = task_of(TaskKind::addition);
  Random random(9);
  Histogram counts(5), digits(10);
  Frequency carries;
  for (int step = 0; step < 2000; ++step) {
    Batch batch;
    task.draw(batch, 3, 0, random);
    const std::size_t n = (batch.length - 2) / 3;
    REQUIRE(batch.length == 3 * n + 2);
    counts.add(n - 1);
    for (const Row& row : rows_of(batch)) {
      REQUIRE(row.tokens[n] == 10);
      REQUIRE(row.tokens[2 * n + 1] == 11);
      long sum = 0;
      for (std::size_t i = n; i-- > 0;) {
        digits.add(row.tokens[i]);
        digits.add(row.tokens[n + 1 + i]);
        sum = 10 * sum + row.tokens[i] + row.tokens[n + 1 + i];
      }
      for (std::size_t t = 0; t <= 2 * n; ++t) row.require_no_target(t);
      for (std::size_t t = 2 * n + 1; t <= 3 * n + 1; ++t, sum /= 10) {
        row.require_target(t, std::uint32_t(sum % 10));
        if (t <= 3 * n) REQUIRE(row.tokens[t + 1] == row.targets[t]);
      }
      if (n == 1) carries.add(row.targets.back() == 1);
    }
  }
  CHECK(counts.is_uniform());
  CHECK(digits.is_uniform());
  CHECK(carries.has_probability(0.45));
}

TEST_CASE("parity: each place has the parity of the bits so far") {
  Frequency ones;
  for (const Row& row : rows_of(drawn(task_of(TaskKind::parity), 100, 41, 10))) {
    for (std::size_t t = 0; t < 41; ++t) {
      ones.add(row.tokens[t] == 1);
      const auto bits = std::span(row.tokens).first(t + 1);
      row.require_target(t, std::uint32_t(std::ranges::count(bits, 1u) % 2));
    }
  }
  CHECK(ones.has_probability(0.5));
}

TEST_CASE("a test has the sequences of training, with targets from place length / 2 on") {
  const auto kind = GENERATE(TaskKind::drawers, TaskKind::characters, TaskKind::repeats,
                             TaskKind::flip_flop, TaskKind::parity);
  const std::size_t length = GENERATE(4, 18);
  const Task task = task_of(kind);
  const Batch training = drawn(task, 50, length, 11);
  const Batch test = drawn_test(task, 50, length, 11, {{}, TextPart::training});
  CHECK(training.tokens == test.tokens);
  CHECK(training.targets == test.targets);
  const auto wanted = rows_of(training), got = rows_of(test);
  std::size_t scored = 0;
  for (std::size_t s = 0; s < 50; ++s) {
    for (std::size_t t = 0; t < length; ++t) {
      const bool is_scored = t >= length / 2 && wanted[s].group[t] > 0;
      scored += is_scored;
      is_scored ? got[s].require_target(t, wanted[s].targets[t], wanted[s].group[t])
                : got[s].require_no_target(t);
    }
  }
  CHECK(scored > 0);
}

TEST_CASE("a test of copy, reverse and addition has the given size and scores every answer") {
  const auto [kind, size, length, answers] = GENERATE(
      table<TaskKind, std::size_t, std::size_t, std::size_t>({{TaskKind::copy, 1, 3, 1},
                                                              {TaskKind::copy, 64, 129, 64},
                                                              {TaskKind::reverse, 20, 41, 20},
                                                              {TaskKind::addition, 1, 5, 2},
                                                              {TaskKind::addition, 9, 29, 10}}));
  const Task task = task_of(kind);
  CHECK(task.length_of(size) == length);
  const Batch batch = drawn_test(task, 10, size, 12);
  REQUIRE(batch.length == length);
  for (const Row& row : rows_of(batch)) {
    for (std::size_t t = 0; t < length; ++t) {
      t + answers >= length ? row.require_target(t, row.targets[t]) : row.require_no_target(t);
    }
  }
}

namespace {

struct Sizes {
  TaskKind kind;
  std::size_t vocabulary, groups, length, max_length;
  std::uint64_t mixed;  // of 32 batches of seed 13, in every build
};
const Sizes all_sizes[] = {
    {TaskKind::drawers, 42, 1, 32, 1u << 22, 5134233411363328275u},
    {TaskKind::characters, 60, 1, 32, 39, 12620005207051000932u},
    {TaskKind::repeats, 32, 2, 32, 1u << 22, 2244229746171635435u},
    {TaskKind::flip_flop, 5, 1, 64, 1u << 22, 11282182409448114632u},
    {TaskKind::copy, 34, 1, 0, 25, 11500536495033037617u},
    {TaskKind::reverse, 34, 1, 0, 25, 2752773705275624487u},
    {TaskKind::addition, 12, 1, 0, 17, 14072779566452119867u},
    {TaskKind::parity, 2, 1, 20, 1u << 22, 2843433486384419225u},
};

}  // namespace

TEST_CASE("tokens and targets stay inside the vocabulary, groups and lengths inside theirs") {
  for (const Sizes& sizes : all_sizes) {
    const Task task = task_of(sizes.kind);
    INFO(task_name(sizes.kind));
    CHECK(task.vocabulary() == sizes.vocabulary);
    CHECK(task.group_count() == sizes.groups);
    CHECK(task.draws_length() == (sizes.length == 0));
    CHECK(task.max_length() == sizes.max_length);
    std::size_t longest = 0;
    std::uint32_t largest = 0;
    std::uint8_t last_group = 0;
    Random random(14);
    for (int step = 0; step < 200; ++step) {
      Batch batch;
      task.draw(batch, 8, sizes.length, random);
      longest = std::max(longest, batch.length);
      largest =
          std::max({largest, std::ranges::max(batch.tokens), std::ranges::max(batch.targets)});
      last_group = std::max(last_group, std::ranges::max(batch.group));
    }
    CHECK(longest == (sizes.length == 0 ? sizes.max_length : sizes.length));
    CHECK(largest + 1 == (sizes.kind == TaskKind::characters ? 40 : sizes.vocabulary));
    CHECK(last_group == sizes.groups);
  }
}

TEST_CASE("a seed gives the same data in every build, also in a batch that is filled again") {
  for (const Sizes& sizes : all_sizes) {
    const Task task = task_of(sizes.kind);
    INFO(task_name(sizes.kind));
    Random random(13), again(13);
    Batch refilled;
    std::uint64_t mixed = 0;
    for (int step = 0; step < 32; ++step) {
      Batch batch;
      task.draw(batch, 4, sizes.length, random);
      task.draw(refilled, 4, sizes.length, again);
      CHECK(batch.tokens == refilled.tokens);
      CHECK(batch.targets == refilled.targets);
      CHECK(batch.weights == refilled.weights);
      CHECK(batch.group == refilled.group);
      for (std::size_t i = 0; i < batch.tokens.size(); ++i) {
        for (const std::uint64_t number : {batch.tokens[i], batch.targets[i]}) {
          mixed = std::rotl(mixed, 5) * 0x9e3779b97f4a7c15u ^ number;
        }
      }
    }
    CHECK(mixed == sizes.mixed);
    CHECK(drawn(task, 8, sizes.length, 1).tokens != drawn(task, 8, sizes.length, 2).tokens);
  }
}

TEST_CASE("sorted positions are distinct whole numbers, each set of them equally likely") {
  Random random(15);
  std::map<std::vector<double>, std::size_t> sets;
  Histogram drawn_sets(10);  // 5 choose 2
  for (int step = 0; step < 5000; ++step) {
    std::vector<double> positions(2);
    draw_sorted_positions(positions, 5, random);
    drawn_sets.add(sets.try_emplace(positions, sets.size()).first->second);
  }
  CHECK(drawn_sets.is_uniform());
  Histogram numbers(64);
  for (int step = 0; step < 1000; ++step) {
    std::vector<double> positions(32);
    draw_sorted_positions(positions, 64, random);
    CHECK(std::ranges::adjacent_find(positions, std::greater_equal()) == positions.end());
    for (const double position : positions) {
      REQUIRE(position == std::floor(position));
      numbers.add(std::size_t(position));
    }
  }
  CHECK(numbers.is_uniform());
  std::vector<double> all(100), none;
  draw_sorted_positions(all, 100, random);
  for (std::size_t i = 0; i < 100; ++i) CHECK(all[i] == double(i));
  CHECK_NOTHROW(draw_sorted_positions(none, 0, random));
}

TEST_CASE("tasks reject options out of range") {
  struct Refused {
    TaskKind kind;
    void (*change)(TaskOptions&);
    const char* text;
  };
  const Refused all[] = {
      {TaskKind::drawers, [](TaskOptions& o) { o.drawers = 0; },
       "drawers: drawers must be from 1 to 255, got 0"},
      {TaskKind::drawers, [](TaskOptions& o) { o.things = 256; },
       "drawers: things must be from 1 to 255, got 256"},
      {TaskKind::drawers, [](TaskOptions& o) { o.ask_probability = 1.5; },
       "drawers: ask_probability must be from 0 to 1, got 1.5"},
      {TaskKind::repeats, [](TaskOptions& o) { o.symbols = 0; },
       "repeats: symbols must be from 1 to 65536, got 0"},
      {TaskKind::repeats, [](TaskOptions& o) { o.symbols = 15; },
       "repeats: max_period must be from 1 to 15, got 16"},
      {TaskKind::repeats, [](TaskOptions& o) { o.min_period = 17; },
       "repeats: min_period must be from 1 to 16, got 17"},
      {TaskKind::repeats, [](TaskOptions& o) { o.repeat_probability = -0.5; },
       "repeats: repeat_probability must be from 0 to 1, got -0.5"},
      {TaskKind::repeats, [](TaskOptions& o) { o.favourite_probability = 2; },
       "repeats: favourite_probability must be from 0 to 1, got 2"},
      {TaskKind::flip_flop, [](TaskOptions& o) { o.ignore_probability = std::nan(""); },
       "flip-flop: ignore_probability must be from 0 to 1, got nan"},
      {TaskKind::copy, [](TaskOptions& o) { o.symbols = 65535; },
       "copy: symbols must be from 1 to 65534, got 65535"},
      {TaskKind::reverse, [](TaskOptions& o) { o.max_items = 0; },
       "reverse: max_items must be from 1 to 65536, got 0"},
      {TaskKind::addition, [](TaskOptions& o) { o.max_digits = 65537; },
       "addition: max_digits must be from 1 to 65536, got 65537"},
      {TaskKind(8), [](TaskOptions&) {}, "task: kind must be below 8, got 8"},
  };
  for (const Refused& refused : all) {
    TaskOptions options = options_of(refused.kind);
    refused.change(options);
    CHECK_THROWS_MATCHES(Task(options), std::invalid_argument, Message(refused.text));
  }
  TaskOptions options = options_of(TaskKind::parity);
  options.ask_probability = 2;  // not an option of parity
  CHECK_NOTHROW(Task(options));
}

TEST_CASE("tasks reject texts and sizes that they cannot use") {
  const auto refused = [](const char* text, auto&& call) {
    CHECK_THROWS_MATCHES(call(), std::invalid_argument, Message(text));
  };
  const auto draw = [](TaskKind kind, std::size_t sequences, std::size_t length) {
    return [=] { drawn(task_of(kind), sequences, length, 1); };
  };
  const auto test = [](TaskKind kind, std::size_t size, TestOptions options = {}) {
    return [=] { drawn_test(task_of(kind), 1, size, 1, options); };
  };
  const std::uint32_t large[] = {1, 65536};
  refused("characters: the training text must have at least 2 ids, got 1",
          [] { Task(options_of(TaskKind::characters), std::span(training_ids).first(1)); });
  refused("characters: ids of the text must be below 65536, got 65536",
          [&] { Task(options_of(TaskKind::characters), training_ids, large); });
  refused("parity: the texts must be empty, got 40 and 0 ids",
          [] { Task(options_of(TaskKind::parity), training_ids); });
  refused("characters: length must be below the number of ids of the text, 40, got 40",
          draw(TaskKind::characters, 1, 40));
  refused("characters: length must be below the number of ids of the text, 20, got 20",
          test(TaskKind::characters, 20));
  CHECK_NOTHROW(test(TaskKind::characters, 39, {{}, TextPart::training})());
  refused("drawers: length must be at least 2, got 1", draw(TaskKind::drawers, 1, 1));
  refused("repeats: length must be at least 1, got 0", test(TaskKind::repeats, 0));
  refused("flip-flop: length must be at least 4, got 2", draw(TaskKind::flip_flop, 1, 2));
  refused("flip-flop: length must be even, got 7", test(TaskKind::flip_flop, 7));
  refused("flip-flop: ignore_probability must be from 0 to 1, got -1",
          test(TaskKind::flip_flop, 8, {-1.0, {}}));
  refused("copy: length must be 0, since the task draws it, got 9", draw(TaskKind::copy, 1, 9));
  refused("copy: items must be from 1 to 65536, got 0", test(TaskKind::copy, 0));
  refused("addition: digits must be from 1 to 65536, got 65537", test(TaskKind::addition, 65537));
  refused("parity: sequences must be positive, got 0", draw(TaskKind::parity, 0, 8));
  refused("parity: sequences x length must be at most 4194304 tokens, got 2 x 2097153",
          draw(TaskKind::parity, 2, 2097153));
  refused("copy: sequences x length must be at most 4194304 tokens, got 1000000 x 25",
          draw(TaskKind::copy, 1000000, 0));
  std::vector<double> positions(3);
  refused("draw_sorted_positions: below must be from 3 (the number of positions) to 2^53, got 2",
          [&] {
            Random random(1);
            draw_sorted_positions(positions, 2, random);
          });
}
