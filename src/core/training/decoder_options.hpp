// The description of a decoder: sizes, and which form each of its parts has.
#pragma once

#include "training/linear.hpp"
#include "training/position.hpp"

namespace ropewalk {

enum class NormKind { rms, layer };

// Where a layer normalizes, f being attention or the feed-forward part.
enum class NormPlace {
  before,     // x + f(norm(x))            most models
  after,      // x + norm(f(x))            OLMo 2
  both,       // x + norm(f(norm(x)))      Gemma 2 and 3
  after_sum,  // norm(x + f(x))            the first transformer, OPT-350M
};

// What queries and keys are normalized by, before they are rotated.
enum class HeadNorm {
  none,
  shared,  // each head by itself, one gain for all of them
  own,     // each head by itself and with a gain of its own
  whole,   // all heads of a token together
};

enum class Activation { gelu_tanh, gelu, silu, relu };

struct DecoderOptions {
  std::size_t vocabulary = 0, width = 64, layers = 2, heads = 4;
  std::size_t hidden = 0;  // of the feed-forward layers; 0: four times the width
  float norm_epsilon = 1e-6f;
  PositionOptions position;

  std::size_t key_heads = 0;        // 0: as many as heads
  std::size_t head_width = 0;       // 0: width / heads
  std::size_t embedding_width = 0;  // 0: that of the model; else embeddings are projected
  WeightOrder weight_order = WeightOrder::in_by_out;

  NormKind norm = NormKind::rms;
  NormPlace norm_place = NormPlace::before;
  bool has_final_norm = true, has_embedding_norm = false;
  bool keeps_norm_as_residual = false;  // norm(x) + f(norm(x)): BLOOM's option
  HeadNorm query_key_norm = HeadNorm::none;

  bool has_query_key_value_bias = false, has_output_bias = false;
  double scale = 0.0;              // of scores; 0: 1 / sqrt(head width)
  bool scales_by_layer = false;    // and divided by the number of the layer, from 1: GPT-2's option
  double score_cap = 0.0;          // 0: none
  double query_key_value_cap = 0;  // queries, keys and values are clipped to +-cap; 0: not
  bool has_sinks = false;

  Activation activation = Activation::gelu_tanh;
  bool is_gated = false;  // activation(x Wg) * (x W1) in place of activation(x W1)
  bool has_feed_forward_bias = false;

  bool is_parallel = false;  // x + attention(norm(x)) + feed_forward(norm(x))
  bool shares_norm = false;  // of a parallel layer: one norm for both
  double residual_factor = 1.0, embedding_factor = 1.0, logit_factor = 1.0;
  double logit_cap = 0.0;  // 0: none
  bool is_tied = false;    // the embedding is the output matrix
  bool has_head_bias = false;
};

// Every option by the name that JavaScript has for it, without those of the position.
template <class Visit>
void fields(DecoderOptions& model, Visit visit) {
  visit("model.vocabulary", model.vocabulary);
  visit("model.width", model.width);
  visit("model.layers", model.layers);
  visit("model.heads", model.heads);
  visit("model.hidden", model.hidden);
  visit("model.normEpsilon", model.norm_epsilon);
  visit("model.keyHeads", model.key_heads);
  visit("model.headWidth", model.head_width);
  visit("model.embeddingWidth", model.embedding_width);
  visit("model.weightOrder", model.weight_order);
  visit("model.norm", model.norm);
  visit("model.normPlace", model.norm_place);
  visit("model.finalNorm", model.has_final_norm);
  visit("model.embeddingNorm", model.has_embedding_norm);
  visit("model.normAsResidual", model.keeps_norm_as_residual);
  visit("model.queryKeyNorm", model.query_key_norm);
  visit("model.queryKeyValueBias", model.has_query_key_value_bias);
  visit("model.outputBias", model.has_output_bias);
  visit("model.scale", model.scale);
  visit("model.scalesByLayer", model.scales_by_layer);
  visit("model.scoreCap", model.score_cap);
  visit("model.queryKeyValueCap", model.query_key_value_cap);
  visit("model.sinks", model.has_sinks);
  visit("model.activation", model.activation);
  visit("model.gated", model.is_gated);
  visit("model.feedForwardBias", model.has_feed_forward_bias);
  visit("model.parallel", model.is_parallel);
  visit("model.sharesNorm", model.shares_norm);
  visit("model.residualFactor", model.residual_factor);
  visit("model.embeddingFactor", model.embedding_factor);
  visit("model.logitFactor", model.logit_factor);
  visit("model.logitCap", model.logit_cap);
  visit("model.tied", model.is_tied);
  visit("model.headBias", model.has_head_bias);
}

}  // namespace ropewalk
