// What every attention path does to raw scores, and what it demands of its operands.
#pragma once

#include <limits>

#include "attention/attention.hpp"

namespace ropewalk {

inline constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// Throws std::invalid_argument naming the operand whose shape does not fit the others.
void check_shapes(MatrixView out, ConstMatrixView q, ConstMatrixView k, ConstMatrixView v,
                  const AttentionOptions& options);

// Adds the biases of keys first ... first + scores.size() - 1 to one query's scores.
void add_biases(std::span<float> scores, const AttentionOptions& options, std::size_t query,
                std::size_t queries, std::size_t first);

}  // namespace ropewalk
