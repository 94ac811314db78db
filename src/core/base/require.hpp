// The one way in which the core refuses its arguments.
#pragma once

#include <concepts>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace ropewalk {

// A piece of a message: words or a number. Plain data, so that a check costs its caller a few
// stores on the path that fails and nothing on the one that does not.
class MessagePart {
 public:
  MessagePart(const char* words) : kind_(Kind::words), words_(words) {}
  MessagePart(double real) : kind_(Kind::real), real_(real) {}
  MessagePart(std::integral auto whole) : kind_(Kind::whole), whole_(static_cast<long long>(whole)) {}

  std::string text() const;

 private:
  enum class Kind { words, whole, real } kind_;
  union {
    const char* words_;
    long long whole_;
    double real_;
  };
};

// Throws std::invalid_argument with the parts joined.
[[noreturn]] void refuse(std::initializer_list<MessagePart> parts);

// Refuses unless the condition holds: name the function, the rule and the value.
template <class... Parts>
void require(bool condition, const Parts&... parts) {
  if (!condition) refuse({MessagePart(parts)...});
}

}  // namespace ropewalk
