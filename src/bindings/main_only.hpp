// Functions beside those that training needs: the main binary registers them, and that of
// ropewalk/content registers attention.
#pragma once

#include "bias/buckets.hpp"
#include "bindings/boundary.hpp"

namespace ropewalk::bindings {

Pointer attention();
Pointer alibi_translated_table(std::size_t heads, std::size_t keys);
Pointer alibi_masked_position_list(std::size_t keys);
Pointer t5_bucket_list(std::size_t count, T5Direction direction, double buckets,
                       double max_distance);
Pointer expand_table(std::size_t heads, double first, std::size_t count, std::size_t queries,
                     std::size_t keys);

}  // namespace ropewalk::bindings
