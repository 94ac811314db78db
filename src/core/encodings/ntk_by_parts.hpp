// NTK-by-parts, the frequencies of YaRN (Peng et al. 2023, section 3.2): pairs that turn often
// within the trained length L0 are kept, pairs that do not complete a turn are interpolated, and a
// ramp leads from one to the other.
//
//   f_i' = (1 - kept_i) f_i / s + kept_i f_i
//
// The paper and every shipped implementation differ in the variable of the ramp:
//
//   published  linear in the turns r = L0 f_i / 2 pi: 0 below beta_slow, 1 above beta_fast
//   coded      linear in the index i of the pair, between the indices at which r is beta_fast and
//              beta_slow: at(r) = dim ln(L0 / (2 pi r)) / (2 ln base), floored and ceiled, clamped
//              to 0 below and dim - 1 above (sic: there are dim / 2 pairs)
//
// They differ by up to 68 % in one frequency (dim 128, base 10000, L0 2048, s 16, pair 33).
#pragma once

#include "encodings/rotary_scaling.hpp"

namespace ropewalk {

enum class ByPartsRamp { coded, published };

struct ByPartsOptions {
  double factor = 1.0;           // s
  double original_length = 0.0;  // L0
  double beta_fast = 32.0;       // turns from which a pair is kept
  double beta_slow = 1.0;        // turns up to which a pair is interpolated
  ByPartsRamp ramp = ByPartsRamp::coded;
  bool truncate = true;  // coded: floor and ceil the two indices (gpt-oss does not)
  BlendOf blend = BlendOf::frequencies;
};

// ramp_from and ramp_to of the result are the two indices (coded) or the two betas (published).
// Throws std::invalid_argument on an option outside its range, naming it.
ScaledFrequencies ntk_by_parts(std::size_t dim, double base, const ByPartsOptions& options);

// What the YaRN repository used before YaRN (LlamaPartNTKScaledRotaryEmbedding): two coded ramps,
// first from interpolation to bloc97's NTK between beta_1 and beta_0 turns, then from that to the
// trained frequencies between gamma_1 and gamma_0 turns. The result's `kept` is the second ramp.
struct PartNtkOptions {
  double factor = 1.0;
  double original_length = 0.0;
  double ntk_factor = 1.0;            // how much of the first ramp counts
  double extrapolation_factor = 1.0;  // how much of the second
  double beta_0 = 1.25, beta_1 = 0.75, gamma_0 = 16.0, gamma_1 = 2.0;
};

ScaledFrequencies part_ntk(std::size_t dim, double base, const PartNtkOptions& options);

}  // namespace ropewalk
