// The buffers of attention that outlive a call.
#pragma once

#include "attention/attention.hpp"
#include "attention/scratch.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {

inline AttentionScratch attention_scratch;
inline MappedRotations mapped_rotations;
inline TransferBuffer<float> distance_lists;

}  // namespace ropewalk::bindings
