// Biases learned per bucket of distance: where logarithmic buckets begin, and T5's table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/matrix_view.hpp"

namespace ropewalk {

// Which heads a table of biases by distance has rows for, of all that a scheme has parameters for.
struct TableHeads {
  std::size_t first, all;
};

// The edges of logarithmic buckets, computed in whole numbers: rounding of a logarithm would move
// the edges that are whole themselves (T5's 16, 32 and 64).

// ln(end / start), to the last bits even where the two are close; 0 < start <= end.
double log_ratio(std::int64_t start, std::int64_t end);

enum class Edge { at_least, more_than };

// The smallest whole number that is at least (or more than) start * (end / start)^(step / steps).
// 0 < start < end < 2^32; step may exceed steps, as far as the result is below 2^53.
std::int64_t log_threshold(std::int64_t start, std::int64_t end, std::int64_t step,
                           std::int64_t steps, Edge edge);

// T5's relative position bias (Raffel et al. 2020, section 2.1, and the authors' code).
//
//   score(m, n) <- score(m, n) + table[bucket(n - m)][h]
//
// One learned scalar per bucket and head. With B buckets for a side and E = B / 2, distances below
// E have a bucket each; a distance d from E on has bucket
//
//   min(E + trunc(ln(d / E) / ln(max_distance / E) * (B - E)), B - 1)
//
// Bidirectional: half of the buckets for each side, keys after the query in the upper half. Causal:
// all for earlier keys; keys after the query share bucket 0 with the query's own key.
// The last bucket begins before max_distance: with 32 and 128 at 113 (causal) and 91.

enum class T5Direction { causal, bidirectional };

// relative position (key - query) -> bucket, by the distances at which buckets begin.
class T5Buckets {
 public:
  // Throws std::invalid_argument unless each side has 2 to 4096 buckets and max_distance is more
  // than half as large as a side's buckets and below 2^32.
  explicit T5Buckets(T5Direction direction, std::int64_t buckets = 32,
                     std::int64_t max_distance = 128);

  std::int32_t operator()(std::int64_t relative_position) const;

 private:
  T5Direction direction_;
  std::int64_t side_, exact_;
  std::vector<std::int64_t> begins_;  // of the buckets exact_ + 1 ... side_ - 1
};

// Fills a distance table (bias/distance.hpp) from table (buckets x heads).
// Throws std::invalid_argument when the two have different numbers of heads.
void t5_bias(MatrixView by_offset, std::int64_t first, ConstMatrixView table,
             const T5Buckets& buckets);
// Adds the gradient of the table, given that of the distance table.
void t5_bias_backward(MatrixView d_table, ConstMatrixView d_by_offset, std::int64_t first,
                      const T5Buckets& buckets);

struct T5Bias {
  T5Direction direction{};
  std::int64_t max_distance = 0;
  std::span<const float> table;  // buckets x all heads

  void fields(auto&& visit) {
    visit("direction", direction, {"causal", "bidirectional"});
    visit("maxDistance", max_distance);
    visit("table", table);
  }
  void fill(MatrixView by_offset, std::int64_t first, TableHeads heads) const;
  void backward(std::span<double> d, ConstMatrixView d_by_offset, std::int64_t first) const;
};

}  // namespace ropewalk
