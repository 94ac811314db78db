#include "rotary/position_maps.hpp"

#include <algorithm>
#include <cmath>

namespace ropewalk {

double rerope_position(double query, double key, double window) {
  return std::min(query - key, window);
}

double leaky_rerope_position(double query, double key, double window, double factor) {
  const double distance = query - key;
  return distance < window ? distance : window + (distance - window) / factor;
}

double self_extend_position(double query, double key, double window, double group) {
  const double distance = query - key;
  if (distance < window) return distance;
  const double shift = window - std::floor(window / group);
  return std::floor(query / group) + shift - std::floor(key / group);
}

double dual_chunk_position(double query, double key, double chunk, double local_window) {
  if (key > query) return query - key;
  const double length = chunk - local_window;
  const double chunks_between = std::floor(query / length) - std::floor(key / length);
  if (chunks_between == 0.0) return query - key;
  const double query_in_chunk = std::fmod(query, length), key_in_chunk = std::fmod(key, length);
  if (chunks_between == 1.0) return std::min(query_in_chunk + length, chunk) - key_in_chunk;
  return std::min(2.0 * length - 1.0, chunk) - key_in_chunk;
}

}  // namespace ropewalk
