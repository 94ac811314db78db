// The temperature of YaRN (Peng et al. 2023, section 3.3); its frequencies are ntk_by_parts.
//
// Published: softmax(q k / (t sqrt(d))) with sqrt(1 / t) = 0.1 ln s + 1. Shipped: cos and sin are
// multiplied by that root, which multiplies the logits of the rotated values by its square. The two
// agree when every value of a head turns.
#pragma once

namespace ropewalk {

// 0.1 mscale ln(factor) + 1, and 1 where nothing is extended (factor <= 1).
double yarn_mscale(double factor, double mscale = 1.0);

// What a configuration says about the temperature; 0 stands for "not given", as shipped code reads
// mscale and mscale_all_dim.
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

// Dynamic YaRN: the factor that `length` asks for, max(1, length / original_length).
double dynamic_yarn_factor(double length, double original_length);

}  // namespace ropewalk
