// The one way in which the core refuses its arguments.
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>

namespace ropewalk {

std::string to_text(double value);
inline std::string to_text(const char* words) { return words; }
inline std::string to_text(std::integral auto value) { return std::to_string(value); }

// Throws std::invalid_argument with the parts joined: name the function, the rule and the value.
template <class... Parts>
void require(bool condition, const Parts&... parts) {
  if (!condition) throw std::invalid_argument((to_text(parts) + ...));
}

}  // namespace ropewalk
