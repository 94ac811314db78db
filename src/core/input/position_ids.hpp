// Position ids other than 0, 1, 2, …, for rows of a learned table or for rotations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ropewalk {

// Randomized positions (Ruoss et al. 2023, section 3): `length` distinct numbers of 0 ... range -
// 1, in ascending order. Throws std::invalid_argument when length exceeds range.
std::vector<double> randomized_positions(std::size_t length, std::uint64_t range,
                                         std::uint64_t seed);

// ALiBi's bias of randomized positions, both ways, heads x length x length: slope r[n - m - 1] for
// later keys n, slope (r[m - n - 1] + 1/2) for earlier ones, 0 at the query itself, where r is
// minus the ascending list of length - 1 numbers. Source:
// google-deepmind/randomized_positional_encodings.
void randomized_alibi(std::span<float> bias, std::span<const double> slopes,
                      std::span<const double> later, std::span<const double> earlier);

// Abacus (McLeish et al. 2024, section 3.1): 1, 2, 3, ... plus `offset` inside each run of digits,
// and 0 elsewhere, for rows of `length` tokens. Numbers are written from their least significant
// digit on, so that digits of one significance have one id.
void abacus_positions(std::span<double> positions, std::span<const double> tokens,
                      std::span<const double> digits, std::size_t length, double offset);

// Position coupling (Cho et al. 2024, section 4) for a sum "A+B=C" with given numbers of digits.
struct CoupledSum {
  std::size_t first, second, sum;
  double start = 1.0;              // the id of "+"; digits have start + 1 + their significance
  bool reverses_operands = false;  // written from the least significant digit on
  bool reverses_sum = false;  // "=" then has the id of "+", else one more than the sum's digits
  bool counts_up = false;     // ids start, start + 1, ...: the baseline of the paper
};
// The ids of a first token (0), A, "+", B, "=", C.
std::vector<double> coupled_positions(const CoupledSum& task);

}  // namespace ropewalk
