#include "base/require.hpp"

#include <cstdio>

namespace ropewalk {

std::string to_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

}  // namespace ropewalk
