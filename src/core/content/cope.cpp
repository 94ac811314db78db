#include "content/cope.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/dot.hpp"

namespace ropewalk {
namespace {

// start(m) for every query, then use(m, n, position) for every key that it has seen; 0 into `out`
// for the others.
template <class Start, class Use>
void for_each_position(MatrixView out, ConstMatrixView logits, std::span<const double> queries,
                       std::span<const double> keys, std::size_t rows, Start start, Use use) {
  require_shape("cope: logits", logits, queries.size(), keys.size());
  require_shape("cope: result", out, queries.size(), keys.size());
  require(rows > 0, "cope: the table must have a row, got ", rows);
  for (std::size_t m = 0; m < queries.size(); ++m) {
    start(m);
    double sum = 0.0;
    for (std::size_t n = keys.size(); n-- > 0;) {
      out.row(m)[n] = 0.0f;
      if (keys[n] > queries[m]) continue;
      sum += 1.0 / (1.0 + portable::exp(-double(logits.row(m)[n])));
      use(m, n, std::min(sum, static_cast<double>(rows - 1)));
    }
  }
}

}  // namespace

void cope_positions(MatrixView positions, ConstMatrixView logits, std::span<const double> queries,
                    std::span<const double> keys, std::size_t rows) {
  for_each_position(
      positions, logits, queries, keys, rows, [](std::size_t) {},
      [&](std::size_t m, std::size_t n, double position) {
        positions.row(m)[n] = static_cast<float>(position);
      });
}

void cope_bias(MatrixView bias, ConstMatrixView q, ConstMatrixView logits, ConstMatrixView table,
               std::span<const double> queries, std::span<const double> keys) {
  require_shape("cope: q", q, queries.size(), table.cols);
  // Gates are at most 1, so that no query reaches beyond row keys.size().
  std::vector<double> products(std::min(table.rows, keys.size() + 1));
  for_each_position(
      bias, logits, queries, keys, table.rows,
      [&](std::size_t m) {
        for (std::size_t r = 0; r < products.size(); ++r) {
          products[r] = dot(q.row(m), table.row(r));
        }
      },
      [&](std::size_t m, std::size_t n, double position) {
        // A NaN logit has no row: it stays NaN instead of becoming an index.
        const double below = position >= 0.0 ? std::floor(position) : 0.0;
        const double* at = &products[static_cast<std::size_t>(below)];
        const double step = below < double(products.size() - 1) ? at[1] - at[0] : 0.0;
        bias.row(m)[n] = static_cast<float>(at[0] + (position - below) * step);
      });
}

}  // namespace ropewalk
