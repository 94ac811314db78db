// Sandwich: the product of two sinusoidal positions as a bias (Chi et al. 2023, appendix E).
//
//   bias_h(m, n) = (sum_i cos((m - n) 10000^(-2i / dim)) - centre) / (8h / H)    h = 1 ... H
//
// The authors' code sums i = 0 ... dim/2 - 1 and subtracts nothing; the paper's text also writes
// i from 1, and minus dim/2, which makes the bias 0 at distance 0.
#pragma once

#include "base/matrix_view.hpp"
#include "encodings/distance_bias.hpp"

namespace ropewalk {

struct SandwichOptions {
  std::size_t dim = 128;        // of the sinusoid, not of a head; even
  std::size_t first_pair = 0;   // 0 or 1: where i starts
  bool zero_at_origin = false;  // subtract dim/2
  double base = 10000.0;
};

// Fills a distance table; its rows are the heads.
// Throws std::invalid_argument on an odd dim, dim 0, or a base that is not positive and finite.
void sandwich(MatrixView by_offset, std::int64_t first, const SandwichOptions& options = {},
              BiasDirection direction = BiasDirection::symmetric);

}  // namespace ropewalk
