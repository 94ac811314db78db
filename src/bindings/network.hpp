// Reads the network of a learned continuous bias from the transfer buffers.
#pragma once

#include "bias/network.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {

// floats: hidden weights, hidden bias, head weights, head bias (if any)
inline BiasNetwork take_network(std::size_t inputs, std::size_t hidden, std::size_t heads,
                                bool has_head_bias) {
  BiasNetwork network;
  network.hidden_weights = {floats_in.take(hidden * inputs).data(), hidden, inputs};
  network.hidden_bias = floats_in.take(hidden);
  network.head_weights = {floats_in.take(heads * hidden).data(), heads, hidden};
  network.head_bias = floats_in.take(has_head_bias ? heads : 0);
  return network;
}

}  // namespace ropewalk::bindings
