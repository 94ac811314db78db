// What may happen to scores between q kT and the softmax. A call has a list of modifiers, applied
// in order; without any, scores are used as they are.
//
// A modifier that holds learned values takes a place for their gradient, d_values: of their shape,
// added to by backward(); null where it is not wanted.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "attention/band.hpp"
#include "base/require.hpp"
#include "base/row_lists.hpp"

namespace ropewalk {

inline constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

struct AttentionShape {
  std::size_t batches = 1, heads = 1, key_heads = 1;  // heads is a multiple of key_heads
  std::size_t queries = 0, keys = 0, dim = 0, value_dim = 0;
};

// Throws std::invalid_argument unless a list of a call has so many values.
void check_count(const char* name, std::size_t expected, std::size_t count);

// The scores of keys first_key, first_key + 1, ... for one query, which stands at key query_key.
struct ScoreRow {
  const AttentionShape& shape;  // of the call
  std::span<float> scores;
  std::size_t batch, head, query, first_key;
  std::int64_t query_key;

  // Where the values of the head begin in a list (batches, heads, keys), and that of the query in
  // a list (batches, heads, queries).
  std::size_t head_of_keys() const { return (batch * shape.heads + head) * shape.keys; }
  std::size_t query_index() const { return (batch * shape.heads + head) * shape.queries + query; }
};

// The steps of attention that a modifier can belong to, in their order: a call can return the
// scores after the first, after the second and after all. Masks come after every bias: what they
// hide may have any bias, NaN too. After them come biases that read which keys are hidden.
enum class ScoreStep { scores, capped, biased, masked, contextual };

// What a scheme reads of the key at which a query stands. No query may then stand past the last
// key. A query before the first key has nothing to read, and so must not see a key, unless the
// scheme is causal: then it reads nothing for later keys, all of which these are.
struct OwnKeyRule {
  const char* reader = nullptr;  // the scheme's name in errors; null: it reads nothing
  bool is_causal = false;
};

class ScoreModifier {
 public:
  explicit ScoreModifier(ScoreStep step, bool takes_whole_rows = false, OwnKeyRule own_key = {})
      : step(step), takes_whole_rows(takes_whole_rows), own_key(own_key) {}

  // Throws std::invalid_argument when the modifier does not fit a call of this shape.
  virtual void check(const AttentionShape& shape) const = 0;
  virtual void apply(const ScoreRow& row) const = 0;
  // Turns the gradient of the scores that apply() left behind into that of the scores that it was
  // given, which are `before`.
  virtual void backward(const ScoreRow& d_scores, std::span<const float> before) const = 0;

  const ScoreStep step;
  const bool takes_whole_rows;  // all keys that a query sees in one call of apply()
  const OwnKeyRule own_key;

 protected:
  ~ScoreModifier() = default;
};

// Inserts a modifier into a list that is in the order of steps: before those of its own step, so
// that a given Bias of -infinity still hides a key from what is added for it.
void insert_modifier(std::vector<const ScoreModifier*>& modifiers, const ScoreModifier& modifier);

// Values for (batches, heads, queries, keys), in which an axis of extent 1 has one value for all of
// its places: the step along it is 0.
class BroadcastShape {
 public:
  BroadcastShape(const std::array<std::size_t, 4>& extents);

  void check(const char* name, std::size_t count, const AttentionShape& shape) const;
  // Where the values of a row's keys begin, or where the only one is.
  std::size_t first(const ScoreRow& row) const {
    return row.batch * steps_[0] + row.head * steps_[1] + row.query * steps_[2] +
           row.first_key * steps_[3];
  }
  bool differs_by_key() const { return steps_[3] != 0; }
  std::size_t count() const { return extents_[0] * extents_[1] * extents_[2] * extents_[3]; }

 private:
  std::array<std::size_t, 4> extents_, steps_;
};

// One more factor per query, such as log-n scaling or scalable softmax.
class RowScale final : public ScoreModifier {
 public:
  explicit RowScale(const RowLists<float>& factors, float* d_factors = nullptr)
      : ScoreModifier(ScoreStep::scores), factors_(factors), d_factors_(d_factors) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  std::size_t index(const ScoreRow& row) const {
    return factors_.steps.first(row.batch, row.head) + row.query;
  }

  RowLists<float> factors_;
  float* d_factors_;
};

// Scores become cap tanh(score / cap), cap > 0.
class Softcap final : public ScoreModifier {
 public:
  explicit Softcap(float cap) : ScoreModifier(ScoreStep::capped), cap_(cap) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  float cap_;
};

// Added to the scores; -infinity hides a key, whatever its score is.
class Bias final : public ScoreModifier {
 public:
  Bias(std::span<const float> values, const BroadcastShape& shape, float* d_values = nullptr)
      : ScoreModifier(ScoreStep::biased), values_(values), shape_(shape), d_values_(d_values) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  std::span<const float> values_;
  BroadcastShape shape_;
  float* d_values_;
};

// A bias that depends on the distance of the key from the query alone: heads lists of equal length,
// whose first value is that of first_distance = key - query. positions: those of the keys, whole
// numbers, where they do not count up from 0; a query then has the position of the key at which it
// stands, see position_at(): before the first key it reads none.
class DistanceBias final : public ScoreModifier {
 public:
  DistanceBias(std::span<const float> lists, std::size_t heads, std::int64_t first_distance,
               float* d_lists = nullptr, const RowLists<double>& positions = {})
      : ScoreModifier(ScoreStep::biased, false,
                      positions.values.empty() ? OwnKeyRule{} : OwnKeyRule{"positions", true}),
        lists_(lists),
        length_(lists.size() / heads),
        first_distance_(first_distance),
        d_lists_(d_lists),
        positions_(positions) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  // Where the values of the row's keys begin in lists_.
  std::size_t first(const ScoreRow& row) const;
  // Calls use(i, at) for each score i of the row; its bias by positions_ is lists_[at].
  template <class Use>
  void for_each(const ScoreRow& row, Use use) const;

  std::span<const float> lists_;
  std::size_t length_;
  std::int64_t first_distance_;
  float* d_lists_;
  RowLists<double> positions_;
};

// Hides keys. A byte that is not 0 means true.
class BooleanMask final : public ScoreModifier {
 public:
  BooleanMask(std::span<const std::uint8_t> values, const BroadcastShape& shape, bool true_attends)
      : ScoreModifier(ScoreStep::masked),
        values_(values),
        shape_(shape),
        true_attends_(true_attends) {}
  void check(const AttentionShape& shape) const override;
  void apply(const ScoreRow& row) const override;
  void backward(const ScoreRow& d_scores, std::span<const float> before) const override;

 private:
  std::span<const std::uint8_t> values_;
  BroadcastShape shape_;
  bool true_attends_;
};

}  // namespace ropewalk
