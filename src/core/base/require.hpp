// Argument checks: the core throws std::invalid_argument only through these functions.
#pragma once

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "base/matrix_view.hpp"

namespace ropewalk {

// A piece of a message: words or a number. A mask that is a compile-time constant tells which it
// is, so a check costs its caller one store per piece if it fails, and nothing if it passes.
union MessagePart {
  MessagePart(const char* text) : words(text) {}
  MessagePart(double value) : number(value) {}
  MessagePart(std::integral auto value) : number(static_cast<double>(value)) {}

  const char* words;
  double number;
};

std::string text_of(double number);

// Throws std::invalid_argument with the parts joined; bit i of number_mask is set if part i is a
// number.
[[noreturn]] void throw_invalid(const MessagePart* parts, std::size_t count, unsigned number_mask);

// The same for words and numbers in alternation, as most messages are: at a hundred calls, passing
// arguments takes less of the binary than a list in memory.
[[noreturn]] void throw_invalid(const char* words, double number);
[[noreturn]] void throw_invalid(const char*, double, const char*, double);
[[noreturn]] void throw_invalid(const char*, double, const char*, double, const char*, double);
[[noreturn]] void throw_invalid(const char*, double, const char*, double, const char*, double,
                                const char*, double);

inline const char* argument(const char* words) { return words; }
inline double argument(double number) { return number; }
double argument(std::integral auto number) { return static_cast<double>(number); }

template <class... Parts>
constexpr unsigned number_mask() {
  unsigned mask = 0, bit = 1;
  ((mask |= std::is_arithmetic_v<Parts> ? bit : 0, bit <<= 1), ...);
  return mask;
}

// Throws unless the condition holds. The message names the function, the rule and the value.
template <class... Parts>
void require(bool condition, const Parts&... parts) {
  if (condition) return;
  if constexpr (requires { throw_invalid(argument(parts)...); }) {
    throw_invalid(argument(parts)...);
  } else {
    const MessagePart list[] = {MessagePart(parts)...};
    throw_invalid(list, sizeof...(Parts), number_mask<Parts...>());
  }
}

// Rules of many parameters. `what` names function and parameter: "sinusoidal: base".
void require_positive(const char* what, double value);
void require_at_least(const char* what, double least, double value);
void require_even(const char* what, std::size_t value);
void require_shape(const char* what, ConstMatrixView matrix, std::size_t rows, std::size_t cols);

}  // namespace ropewalk
