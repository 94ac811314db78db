// The numbers of an attention call: an Embind value_object would take longer than a small call.
#pragma once

#include <array>

namespace ropewalk::bindings {

struct AttentionRecord {
  double batches, heads, key_heads, queries, keys, dim, value_dim;
  double scale;    // NaN: the default
  double softcap;  // 0: none
  double offset;   // the key of the first query, unless
  double ends_at_last_key;
  double lookback, lookahead;  // infinity: unbounded
  double fully_masked_is_nan;
  double row_factors;  // 0: none
  double has_sinks, has_key_lengths;
  std::array<double, 4> bias, mask;  // extents; 0: none
  double true_attends;
  double distances;  // of each head's bias by distance; 0: none
  double first_distance;
  double distance_scheme;        // see SentScheme
  double first_head, all_heads;  // the call's first of all heads of the scheme
  double distance_positions;     // of the keys, where they do not count up from 0; 0: they do
  double prefix_source;          // 0: none, 1: numbers, 2: sums
  double prefix_term, has_later_sums;
  double rotary_pairs;  // 0: no rotation
  double angle_pairs;   // 0: positions times frequencies
  double is_half_split, attention_factor;
  double query_positions;  // 0: those of the map
  double key_positions;    // 0: those of the queries if given, else of the map
  double position_map, map_window, map_second;
  double q_address, k_address, v_address;  // of a stored operand, see stored.hpp; 0: none
  std::array<double, 7> wanted;            // intermediates, in the order of the result
  double content_scheme;                   // 0: none; see content.cpp
  std::array<double, 3> content;           // its own numbers
};

template <class Visit>
constexpr void fields(AttentionRecord& r, Visit visit) {
  visit("batches", r.batches);
  visit("heads", r.heads);
  visit("keyHeads", r.key_heads);
  visit("queries", r.queries);
  visit("keys", r.keys);
  visit("dim", r.dim);
  visit("valueDim", r.value_dim);
  visit("scale", r.scale);
  visit("softcap", r.softcap);
  visit("offset", r.offset);
  visit("endsAtLastKey", r.ends_at_last_key);
  visit("lookback", r.lookback);
  visit("lookahead", r.lookahead);
  visit("fullyMaskedIsNan", r.fully_masked_is_nan);
  visit("rowFactors", r.row_factors);
  visit("hasSinks", r.has_sinks);
  visit("hasKeyLengths", r.has_key_lengths);
  visit("biasBatches", r.bias[0]);
  visit("biasHeads", r.bias[1]);
  visit("biasQueries", r.bias[2]);
  visit("biasKeys", r.bias[3]);
  visit("maskBatches", r.mask[0]);
  visit("maskHeads", r.mask[1]);
  visit("maskQueries", r.mask[2]);
  visit("maskKeys", r.mask[3]);
  visit("trueAttends", r.true_attends);
  visit("distances", r.distances);
  visit("firstDistance", r.first_distance);
  visit("distanceScheme", r.distance_scheme);
  visit("firstHead", r.first_head);
  visit("allHeads", r.all_heads);
  visit("distancePositions", r.distance_positions);
  visit("prefixSource", r.prefix_source);
  visit("prefixTerm", r.prefix_term);
  visit("hasLaterSums", r.has_later_sums);
  visit("rotaryPairs", r.rotary_pairs);
  visit("anglePairs", r.angle_pairs);
  visit("isHalfSplit", r.is_half_split);
  visit("attentionFactor", r.attention_factor);
  visit("queryPositions", r.query_positions);
  visit("keyPositions", r.key_positions);
  visit("positionMap", r.position_map);
  visit("mapWindow", r.map_window);
  visit("mapSecond", r.map_second);
  visit("qAddress", r.q_address);
  visit("kAddress", r.k_address);
  visit("vAddress", r.v_address);
  visit("scores", r.wanted[0]);
  visit("capped", r.wanted[1]);
  visit("biased", r.wanted[2]);
  visit("weights", r.wanted[3]);
  visit("entropy", r.wanted[4]);
  visit("logSumExp", r.wanted[5]);
  visit("remainder", r.wanted[6]);
  visit("contentScheme", r.content_scheme);
  visit("content1", r.content[0]);
  visit("content2", r.content[1]);
  visit("content3", r.content[2]);
}

}  // namespace ropewalk::bindings
