// Frequency scaling for contexts longer than the training length: Position Interpolation, NTK, NTK
// by parts, YaRN, LongRoPE, Llama 3 and proportional RoPE. Each scheme takes the frequencies of
// training and returns the scaled ones.
//
// Pair i of `dim` rotated values was trained with f_i = base^(-2i / dim). Lengths count positions:
// L0 is the training length, s (or k) the scaling factor.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ropewalk {

struct ScaledFrequencies {
  // Radians per position, one per pair.
  std::vector<double> inverse_frequencies;
  // In schemes that blend, the share of the trained frequency in each pair: 1 is kept as trained,
  // 0 is fully interpolated. Empty in other schemes.
  std::vector<double> kept;
  // The base of `inverse_frequencies`; NTK changes it.
  double base = 0.0;
  // The ends of the ramp of `kept`, in its unit (pairs or turns).
  double ramp_from = 0.0, ramp_to = 0.0;
};

// A blend is the mean of the two frequencies (the papers and all shipped code), or of the two
// wavelengths.
enum class BlendOf { frequencies, wavelengths };

// Blends each f_i with f_i / factor, by the share `kept` of f_i.
std::vector<double> blended(const std::vector<double>& trained, const std::vector<double>& kept,
                            double factor, BlendOf blend = BlendOf::frequencies);

// Throws std::invalid_argument, naming `function`, unless factor is positive and finite.
void require_factor(const char* function, double factor);

// The same for the length of training, which must exceed 1 where its logarithm divides.
void require_original_length(const char* function, double original_length);

// Position Interpolation, "linear" scaling (Chen et al. 2023, equation 4; kaiokendev 2023).
//
//   f_i' = f_i / factor
//
// which is the same as dividing every position by factor: no angle leaves the trained range, and
// neighboring positions are factor times closer.

// Throws std::invalid_argument on a factor that is not positive and finite, and as
// rotary_frequencies does.
ScaledFrequencies position_interpolation(std::size_t dim, double base, double factor);

// NTK-aware scaling: a change of base keeps fast pairs and interpolates slow ones.
//
// One name, four formulas (k the factor, d the number of rotated values):
//
//   bloc97     f_i' = B^(-2i / d),  B = base k^(d / (d - 2)): pair 0 is kept, the last is f / k
//   su_old     f_i' = B^(-2i / d),  B = base k: what Su's own first tables used
//   su_fixed   f_i' = f_i k^(-2(i + 1) / d): the last pair is f / k without an exponent d - 2
//   su_mixed   f_i' = f_i exp(-a (i + 1)^e),  a = ln k / (d / 2)^e: e = 1 is su_fixed, e = 0 is
//              Position Interpolation
//
// bloc97 2023 (LocalLLaMA); Su, kexue.fm/archives/9675, 9706; vLLM's "ntk" is su_fixed or su_mixed.

enum class NtkForm { bloc97, su_old, su_fixed, su_mixed };

struct NtkOptions {
  double factor = 1.0;
  NtkForm form = NtkForm::bloc97;
  double exponent = 0.625;  // e of su_mixed; 0.75 in Su's rerope repository
};

// Throws std::invalid_argument on a factor that is not positive and finite, an exponent that is
// negative, or dim 2 with bloc97 (d - 2 divides).
ScaledFrequencies ntk(std::size_t dim, double base, const NtkOptions& options);

// Dynamic NTK: the factor of bloc97's formula depends on the length L.
enum class DynamicNtkForm {
  current,        // s L / L0 - (s - 1), with L never below L0: Hugging Face
  vllm_constant,  // the same once, at L = s L0: s^2 - (s - 1) for every length (vLLM until 2026)
  rounded         // max(2^ceil(log2(L / L0) + 1) - 1, 1): Qwen, lmdeploy; s is not used
};

// The factor for bloc97's formula. Lengths below L0 count as L0, so that it never falls below 1.
double dynamic_ntk_factor(double factor, double length, double original_length,
                          DynamicNtkForm form = DynamicNtkForm::current);

// NTK-by-parts, the frequencies of YaRN (Peng et al. 2023, section 3.2): pairs with many
// turns within the training length L0 are kept, pairs that do not complete a turn are interpolated,
// and pairs between are blended by a ramp.
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
  double ntk_factor = 1.0;            // weight of the first ramp
  double extrapolation_factor = 1.0;  // weight of the second ramp
  double beta_0 = 1.25, beta_1 = 0.75, gamma_0 = 16.0, gamma_1 = 2.0;
};

ScaledFrequencies part_ntk(std::size_t dim, double base, const PartNtkOptions& options);

// The temperature of YaRN (Peng et al. 2023, section 3.3); its frequencies are ntk_by_parts.
//
// Published: softmax(q k / (t sqrt(d))) with sqrt(1 / t) = 0.1 ln s + 1. Shipped: cos and sin are
// multiplied by that root, which multiplies the logits of the rotated values by its square. The two
// agree when every value of a head is rotated.

// 0.1 mscale ln(factor) + 1, and 1 where nothing is extended (factor <= 1).
double yarn_mscale(double factor, double mscale = 1.0);

// The options of a configuration for the temperature; 0 stands for "not given", as in shipped code
// for mscale and mscale_all_dim.
struct YarnTemperatureOptions {
  double attention_factor = 0.0;
  double mscale = 0.0;
  double mscale_all_dim = 0.0;
};

struct YarnTemperature {
  double cos_sin = 1.0;        // multiplies cos and sin
  double softmax_scale = 1.0;  // multiplies 1 / sqrt(d); DeepSeek's models only
};

// cos_sin: attention_factor when given; else, when both mscale and mscale_all_dim are given, the
// quotient of their yarn_mscale (DeepSeek: exactly 1); else yarn_mscale(factor).
// softmax_scale: yarn_mscale(factor, mscale_all_dim)^2 when mscale_all_dim is given.
// Throws std::invalid_argument on a factor that is not positive, or a negative option.
YarnTemperature yarn_temperature(double factor, const YarnTemperatureOptions& options = {});

// Dynamic YaRN: the factor for `length`, max(1, length / original_length).
double dynamic_yarn_factor(double length, double original_length);

// LongRoPE (Ding et al. 2024): every pair has its own divisor, found by search, in two lists.
//
//   f_i' = f_i / ext_i,   ext = long list if L > L0, else short list (L = L0 is still short)
//
// cos and sin are multiplied by sqrt(1 + ln s / ln L0), or 1 for s <= 1, as Phi-3 ships it.
// The change of list at L0 changes every frequency, so rotated keys cached before it are wrong.

// Throws std::invalid_argument unless both lists have dim / 2 positive finite divisors.
ScaledFrequencies longrope(std::size_t dim, double base, std::span<const double> short_factors,
                           std::span<const double> long_factors, double length,
                           double original_length);

double longrope_attention_factor(double factor, double original_length);

// Llama 3.1's scaling (Meta, llama-models apply_scaling), by wavelength l = 2 pi / f_i:
//
//   l < L0 / high   f_i' = f_i
//   l > L0 / low    f_i' = f_i / s
//   else            f_i' = (1 - kept) f_i / s + kept f_i,   kept = (L0 / l - low) / (high - low)
//
// which is NTK-by-parts with `low` and `high` as the turns at the ends of its published ramp. With
// low = high there is no ramp, as in Llama 4 Scout.

struct Llama3Options {
  double factor = 8.0;              // s
  double original_length = 8192.0;  // L0
  double low_freq_factor = 1.0;
  double high_freq_factor = 4.0;
};

// Throws std::invalid_argument unless 0 < low_freq_factor <= high_freq_factor, and on a factor or
// length out of range.
ScaledFrequencies llama3(std::size_t dim, double base, const Llama3Options& options);

// Proportional RoPE (p-RoPE; Gemma 4 in transformers 5): the frequencies span the whole
// head, but only the fastest pairs are rotated.
//
//   f_i' = base^(-2i / dim) / factor   for i < floor(fraction dim / 2), else 0
//
// The exponents run over the full width `dim`; partial rotary would run them over fraction * dim.

// Throws std::invalid_argument unless 0 < fraction <= 1 and at least one pair is rotated.
ScaledFrequencies proportional(std::size_t dim, double base, double fraction, double factor = 1.0);

// The list of all schemes, for callers that choose one by its name: the name of a scheme by its
// place in the list; nullptr after the last.
const char* scaling_name(std::size_t scheme);

// The frequencies of the scheme at that place, from its options in their order. Throws
// std::invalid_argument as the scheme does, and on too few options.
ScaledFrequencies scaled_frequencies(std::size_t scheme, std::size_t dim, double base,
                                     std::span<const double> options);

}  // namespace ropewalk
