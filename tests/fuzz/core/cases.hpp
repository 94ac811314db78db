// One call of the core with drawn arguments beside the same in double. libFuzzer looks for draws
// that leave the derived bound or trip a sanitizer; a test replays a fixed number of them.
#pragma once

#include <span>

#include "fuzz/core/draws.hpp"
#include "support/attention_call_case.hpp"
#include "support/tolerance.hpp"

namespace ropewalk::fuzz {

struct Case {
  const char* name;
  void (*run)(Draws& draws, Comparison& comparison);
};

std::span<const Case> attention_cases();
std::span<const Case> gradient_cases();
std::span<const Case> position_cases();
std::span<const Case> bias_cases();
std::span<const Case> content_cases();
std::span<const Case> input_cases();
std::span<const Case> rotary_cases();
std::span<const Case> text_bias_cases();
std::span<const Case> text_product_cases();

// A call with any options, whose key heads serve at most so many heads each.
AttentionCallCase drawn_call(Draws& draws, std::size_t most_sharing);

// The case that the first bytes name, from all of them.
const Case& drawn_case(Draws& draws);

}  // namespace ropewalk::fuzz
