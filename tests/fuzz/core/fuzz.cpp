// libFuzzer's entry: bytes in, one case out. Ends the process on the first number out of bounds.
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "fuzz/core/cases.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ropewalk;
  fuzz::Draws draws({data, size});
  const fuzz::Case& chosen = fuzz::drawn_case(draws);
  Comparison comparison;
  chosen.run(draws, comparison);
  if (comparison.worst() <= 1.0) return 0;
  std::cerr << "FOUND " << chosen.name << ": " << comparison << std::endl;
  std::abort();
}
