// Element-wise loops over rows, most of them over rows of scores.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>

namespace ropewalk {

// Scores become cap tanh(score / cap), cap > 0; relative error below 4.5e-7 for every score: seven
// roundings and 2.1e-8.
void softcap(std::span<float> scores, float cap);

// The functions below take pointers and counts: WebAssembly passes spans through memory, which
// costs more than the loop over a short row.

// y = a b, element by element; y may be a or b.
void multiply(std::span<float> y, std::span<const float> a, std::span<const float> b);

// row += terms, row += factor * terms, row *= factor.
void add(std::span<float> row, std::span<const float> terms);
void add_scaled(float* row, const float* terms, std::size_t count, float factor);
inline void add_scaled(std::span<float> row, std::span<const float> terms, float factor) {
  assert(row.size() == terms.size());
  add_scaled(row.data(), terms.data(), row.size(), factor);
}
void scale(float* row, std::size_t count, float factor);
inline void scale(std::span<float> row, float factor) { scale(row.data(), row.size(), factor); }

// A number as the sum of two floats, with 48 significant bits.
struct FloatPair {
  float head, tail;
};

// scores += sum - terms, where each term is heads[i] + tails[i]: for small differences of large
// numbers, such as prefix sums.
void add_differences(std::span<float> scores, FloatPair sum, std::span<const float> heads,
                     std::span<const float> tails);

// scores[i] -= (first_distance - i) (slope + gates[i]); no gates: the slope alone.
void subtract_slopes(std::span<float> scores, float first_distance, float slope,
                     std::span<const float> gates);

// result[i] = x[i] exp(a[i] - b[i]) for a[i] - b[i] <= 80, the difference formed in double. Factors
// below 1e-18 count as 0.
void decayed(std::span<float> result, std::span<const float> x, std::span<const double> a,
             std::span<const double> b);

// x[i] *= factors[i]. Results below 1e-18 become 0.
void decay_further(std::span<float> x, std::span<const float> factors);

// scores += bias; a bias of -infinity gives -infinity even where the score is NaN or infinity.
void add_bias(float* scores, const float* bias, std::size_t count);
inline void add_bias(std::span<float> scores, std::span<const float> bias) {
  assert(scores.size() == bias.size());
  add_bias(scores.data(), bias.data(), scores.size());
}

// Masks scores with -infinity: a byte that is not 0 is true; true_attends says which are kept.
void hide(std::span<float> scores, std::span<const std::uint8_t> mask, bool true_attends);

}  // namespace ropewalk
