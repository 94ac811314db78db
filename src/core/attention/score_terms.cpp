#include "attention/score_terms.hpp"

#include "base/require.hpp"
#include "kernels/softmax.hpp"

namespace ropewalk {

void check_shapes(MatrixView out, ConstMatrixView q, ConstMatrixView k, ConstMatrixView v,
                  const AttentionOptions& options) {
  require(q.cols == k.cols, "attention: q and k must have the same dim, got ", q.cols, " and ", k.cols);
  require(k.rows == v.rows, "attention: k and v must have the same length, got ", k.rows, " and ", v.rows);
  require(out.rows == q.rows && out.cols == v.cols, "attention: out must be ", q.rows, " x ", v.cols,
          ", got ", out.rows, " x ", out.cols);
  require(!options.bias.data || (options.bias.rows == q.rows && options.bias.cols == k.rows),
          "attention: bias must be ", q.rows, " x ", k.rows, ", got ", options.bias.rows, " x ",
          options.bias.cols);
  require(options.distance_bias.empty() || options.distance_bias.size() + 1 == q.rows + k.rows,
          "attention: distance_bias must have queries + keys - 1 = ", q.rows + k.rows - 1,
          " values, got ", options.distance_bias.size());
}

void add_biases(std::span<float> scores, const AttentionOptions& options, std::size_t query,
                std::size_t queries, std::size_t first) {
  if (options.bias.data) add(scores, options.bias.row(query).subspan(first, scores.size()));
  if (!options.distance_bias.empty()) {
    add(scores, options.distance_bias.subspan(first + queries - 1 - query, scores.size()));
  }
}

}  // namespace ropewalk
