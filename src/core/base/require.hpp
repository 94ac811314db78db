// The one way in which the core refuses its arguments.
#pragma once

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "base/matrix_view.hpp"

namespace ropewalk {

// A piece of a message: words or a number, told apart by a bit of a mask that the compiler knows,
// so that a check costs its caller one store per piece on the path that fails, and nothing on the
// other.
union MessagePart {
  MessagePart(const char* text) : words(text) {}
  MessagePart(double value) : number(value) {}
  MessagePart(std::integral auto value) : number(static_cast<double>(value)) {}

  const char* words;
  double number;
};

std::string text_of(double number);

// Throws std::invalid_argument with the parts joined; bit i of number_mask says that part i is one.
[[noreturn]] void refuse(const MessagePart* parts, std::size_t count, unsigned number_mask);

// The same for what most messages are, words and numbers in turn: arguments take less of the binary
// than a list in memory, at a hundred places.
[[noreturn]] void refuse(const char* words, double number);
[[noreturn]] void refuse(const char*, double, const char*, double);
[[noreturn]] void refuse(const char*, double, const char*, double, const char*, double);
[[noreturn]] void refuse(const char*, double, const char*, double, const char*, double, const char*,
                         double);

inline const char* argument(const char* words) { return words; }
inline double argument(double number) { return number; }
double argument(std::integral auto number) { return static_cast<double>(number); }

template <class... Parts>
constexpr unsigned number_mask() {
  unsigned mask = 0, bit = 1;
  ((mask |= std::is_arithmetic_v<Parts> ? bit : 0, bit <<= 1), ...);
  return mask;
}

// Refuses unless the condition holds: name the function, the rule and the value.
template <class... Parts>
void require(bool condition, const Parts&... parts) {
  if (condition) return;
  if constexpr (requires { refuse(argument(parts)...); }) {
    refuse(argument(parts)...);
  } else {
    const MessagePart list[] = {MessagePart(parts)...};
    refuse(list, sizeof...(Parts), number_mask<Parts...>());
  }
}

// The rules that many parameters have. `what` names function and parameter: "sinusoidal: base".
void require_positive(const char* what, double value);
void require_at_least(const char* what, double least, double value);
void require_even(const char* what, std::size_t value);
void require_shape(const char* what, ConstMatrixView matrix, std::size_t rows, std::size_t cols);

}  // namespace ropewalk
