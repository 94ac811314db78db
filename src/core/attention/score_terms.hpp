// What every attention path does to a row of raw scores, and what it demands of its operands.
#pragma once

#include "attention/attention.hpp"

namespace ropewalk {

inline constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// Throws std::invalid_argument naming the operand whose shape does not fit the others.
void check_shapes(MatrixView out, std::span<const ScoreSource> sources, ConstMatrixView v,
                  const AttentionOptions& options);

// The keys of `query` whose scores source number s makes, within `visible`.
KeyRange keys_of_source(std::span<const ScoreSource> sources, std::size_t s, std::size_t query,
                        KeyRange visible);

// scores are those of keys first, first + 1, ... for one of `queries` queries.
void cap_scores(std::span<float> scores, const AttentionOptions& options);
void add_biases(std::span<float> scores, const AttentionOptions& options, std::size_t query,
                std::size_t queries, std::size_t first);

// The softmax of a row before its keys: the sink alone, if there is one.
SoftmaxState state_before_keys(const AttentionOptions& options);

// Divides a row by its softmax denominator; a row that sees no key stays as it is.
void normalize(std::span<float> row, SoftmaxState state);

// Of a finished row's softmax denominator; -infinity where no key is seen.
float logarithm_of_sum(SoftmaxState state);

}  // namespace ropewalk
