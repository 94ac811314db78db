// Prefix sums that attention takes as a bias.
#include "content/prefix_sums.hpp"

#include "bindings/boundary.hpp"

namespace ropewalk::bindings {
namespace {

// floats: numbers, rows x length; doubles: initial values of the sums (rows). Result: terms, sums.
Pointer sums_of_terms(std::size_t rows, std::size_t length, std::size_t term, double scale) {
  return guarded([=] {
    const std::span<float> numbers = floats_in.take(rows * length);
    const std::span<double> start = doubles_in.take(rows);
    const std::span<double> both = doubles_out.reserve(2 * numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      double& sum = both[numbers.size() + i];
      both[i] = scale * prefix_term(static_cast<PrefixTerm>(term), numbers[i]);
      sum = (i % length == 0 ? start[i / length] : (&sum)[-1]) + both[i];
    }
    return both;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(prefix_sums) { emscripten::function("prefixSums", &sums_of_terms); }

}  // namespace ropewalk::bindings
