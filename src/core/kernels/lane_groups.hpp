// Loops over groups of lanes with a single body. The remainder of a row runs through the same body:
// for_lane_groups() pads it with zeros to one more group; for_lanes() takes it value by value,
// which is faster where the body is short.
#pragma once

#include <algorithm>

#include "kernels/lanes.hpp"

namespace ropewalk {

// Reads and writes a full group.
struct WholeGroup {
  Lanes load(const float* from) const { return ropewalk::load(from); }
  void store(float* to, Lanes lanes) const { ropewalk::store(to, lanes); }
};

// The same for the first `count` lanes: the others are read as 0 and not written. Not inlined: it
// runs once in a row, and a kernel of many arrays would repeat it for each.
struct PartialGroup {
  std::size_t count;

  [[gnu::noinline]] Lanes load(const float* from) const {
    float values[Lanes::size] = {};
    std::copy_n(from, count, values);
    return ropewalk::load(values);
  }
  [[gnu::noinline]] void store(float* to, Lanes lanes) const {
    float values[Lanes::size];
    ropewalk::store(values, lanes);
    std::copy_n(values, count, to);
  }
};

// The same for one value, which is in all lanes.
struct SingleValue {
  Lanes load(const float* from) const { return Lanes(*from); }
  void store(float* to, Lanes lanes) const { *to = lanes.get(0); }
};

// Calls body(group, i) for the group of lanes from each i on, until `count` values are covered.
template <class Body>
inline void for_lane_groups(std::size_t count, Body body) {
  const std::size_t rest = count % Lanes::size, whole = count - rest;
  for (std::size_t i = 0; i < whole; i += Lanes::size) body(WholeGroup(), i);
  if (rest != 0) body(PartialGroup{rest}, whole);
}

// The same, with a single value from each i on for what remains.
template <class Body>
inline void for_lanes(std::size_t count, Body body) {
  for_lanes(
      count, [&](std::size_t i) { body(WholeGroup(), i); },
      [&](std::size_t i) { body(SingleValue(), i); });
}

}  // namespace ropewalk
