#include "base/require.hpp"

#include <cstdio>

namespace ropewalk {

std::string MessagePart::text() const {
  if (kind_ == Kind::words) return words_;
  if (kind_ == Kind::whole) return std::to_string(whole_);
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", real_);
  return text;
}

void refuse(std::initializer_list<MessagePart> parts) {
  std::string message;
  for (const MessagePart& part : parts) message += part.text();
  throw std::invalid_argument(message);
}

}  // namespace ropewalk
