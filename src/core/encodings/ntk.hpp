// NTK-aware scaling: fast pairs keep their speed, slow ones are interpolated, by a change of base.
//
// One name, four formulas (k the factor, d the number of rotating values):
//
//   bloc97     f_i' = B^(-2i / d),  B = base k^(d / (d - 2)): pair 0 is kept, the last is f / k
//   su_old     f_i' = B^(-2i / d),  B = base k: what Su's own first tables used
//   su_fixed   f_i' = f_i k^(-2(i + 1) / d): the last pair is f / k without an exponent d - 2
//   su_mixed   f_i' = f_i exp(-a (i + 1)^e),  a = ln k / (d / 2)^e: e = 1 is su_fixed, e = 0 is
//              Position Interpolation
//
// bloc97 2023 (LocalLLaMA); Su, kexue.fm/archives/9675, 9706; vLLM's "ntk" is su_fixed or su_mixed.
#pragma once

#include "encodings/rotary_scaling.hpp"

namespace ropewalk {

enum class NtkForm { bloc97, su_old, su_fixed, su_mixed };

struct NtkOptions {
  double factor = 1.0;
  NtkForm form = NtkForm::bloc97;
  double exponent = 0.625;  // e of su_mixed; 0.75 in Su's rerope repository
};

// Throws std::invalid_argument on a factor that is not positive and finite, an exponent that is
// negative, or dim 2 with bloc97 (d - 2 divides).
ScaledFrequencies ntk(std::size_t dim, double base, const NtkOptions& options);

// Dynamic NTK: the factor follows the length L, and bloc97's formula takes it.
enum class DynamicNtkForm {
  current,        // s L / L0 - (s - 1), with L never below L0: Hugging Face
  vllm_constant,  // the same once, at L = s L0: s^2 - (s - 1) for every length (vLLM until 2026)
  rounded         // max(2^ceil(log2(L / L0) + 1) - 1, 1): Qwen, lmdeploy; s is not used
};

// The factor for bloc97's formula. Lengths below L0 count as L0, so that it never falls below 1.
double dynamic_ntk_factor(double factor, double length, double original_length,
                          DynamicNtkForm form = DynamicNtkForm::current);

}  // namespace ropewalk
