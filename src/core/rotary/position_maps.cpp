#include "rotary/position_maps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropewalk {
namespace {

// The offset of a position in its chunk of `length` tokens.
double in_chunk(double at, double length) { return at - length * std::floor(at / length); }

}  // namespace

std::size_t PositionMap::rotations() const {
  if (kind == PositionMapKind::plain) return 1;
  return kind == PositionMapKind::dual_chunk ? 3 : 2;
}

double PositionMap::query(std::size_t r, double at) const {
  if (kind == PositionMapKind::dual_chunk) {
    const double length = window - second;
    if (r == 0) return in_chunk(at, length);
    return std::min((r == 1 ? in_chunk(at, length) : length - 1) + length, window);
  }
  if (r == 0) return at;
  if (kind == PositionMapKind::rerope) return window;
  if (kind == PositionMapKind::leaky_rerope) return window + (at - window) / second;
  return std::floor(at / second) + window - std::floor(window / second);
}

double PositionMap::key(std::size_t r, double at) const {
  if (kind == PositionMapKind::dual_chunk) return in_chunk(at, window - second);
  if (r == 0) return at;
  if (kind == PositionMapKind::rerope) return 0.0;
  return kind == PositionMapKind::leaky_rerope ? at / second : std::floor(at / second);
}

double PositionMap::first_key(std::size_t r, double query) const {
  if (kind == PositionMapKind::dual_chunk) {
    const double length = window - second;
    return query - in_chunk(query, length) - static_cast<double>(r) * length;
  }
  // The first position whose distance is less than the window.
  return std::nextafter(query - window, std::numeric_limits<double>::infinity());
}

double relative_position(const PositionMap& map, double query, double key) {
  if (key > query) return query - key;
  std::size_t r = 0;
  while (r + 1 < map.rotations() && key < map.first_key(r, query)) ++r;
  return map.query(r, query) - map.key(r, key);
}

}  // namespace ropewalk
