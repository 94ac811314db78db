// What the program has allocated with operator new so far.
#pragma once

#include <cstddef>

namespace ropewalk {

struct Allocated {
  std::size_t count = 0, bytes = 0;
};

Allocated allocated();

}  // namespace ropewalk
