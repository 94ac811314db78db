// Choices taken from the bytes of a fuzzer, so that changing a byte changes a choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "support/inputs.hpp"

namespace ropewalk::fuzz {

// Random bytes, which all of the given ones seed, follow the last of them: every input is a whole
// case, and one of a few bytes draws as much as a long one.
class Draws {
 public:
  explicit Draws(std::span<const std::uint8_t> bytes) : bytes_(bytes), further_(seed_of(bytes)) {}

  std::uint32_t bits() {
    const std::uint32_t low = byte();
    return low | std::uint32_t(byte()) << 8;
  }
  std::size_t below(std::size_t count) { return bits() % count; }
  std::size_t size(std::size_t most) { return 1 + below(most); }
  bool chance(std::size_t one, std::size_t of) { return byte() % of < one; }
  double uniform(double low, double high) { return low + (high - low) * bits() / 65535.0; }

  // A whole number or a fraction, near or far, of either sign where `signs` says so.
  double position(double most, bool signs = true) {
    const double reach = chance(1, 2) ? 300.0 : most;
    const double at = uniform(0.0, reach) + uniform(0.0, reach / 65536.0);
    const double stepped = chance(1, 2) ? double(std::int64_t(at)) : at;
    return signs && chance(1, 4) ? -stepped : stepped;
  }

  Matrix matrix(std::size_t rows, std::size_t cols) {
    return random_matrix(rows, cols, 1 + bits());
  }
  std::vector<float> floats(std::size_t count) { return random_floats(count, 1 + bits()); }

 private:
  std::uint8_t byte() {
    return next_ < bytes_.size() ? bytes_[next_++] : static_cast<std::uint8_t>(further_.bits());
  }

  // The hash FNV-1a.
  static std::uint64_t seed_of(std::span<const std::uint8_t> bytes) {
    std::uint64_t seed = 0xcbf29ce484222325;
    for (const std::uint8_t byte : bytes) seed = (seed ^ byte) * 0x100000001b3;
    return seed;
  }

  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
  Random further_;
};

}  // namespace ropewalk::fuzz
