#include "kernels/file_values.hpp"

#include <bit>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <vector>

using namespace ropewalk;

namespace {

// IEEE 754 binary16; infinity for NaN too.
float half_of(std::uint32_t bits) {
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  const std::uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return static_cast<float>(sign * INFINITY);
  const double units = exponent == 0 ? fraction : 1024 + fraction;
  return static_cast<float>(sign * std::ldexp(units, std::max(int(exponent), 1) - 25));
}

std::vector<std::uint8_t> bytes_of(const std::vector<std::uint16_t>& numbers) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint16_t number : numbers) {
    bytes.push_back(number & 0xff);
    bytes.push_back(static_cast<std::uint8_t>(number >> 8));
  }
  return bytes;
}

std::vector<float> read(FileFormat format, const std::vector<std::uint8_t>& bytes,
                        std::size_t count) {
  REQUIRE(file_bytes(format, count) == bytes.size());
  std::vector<float> values(count + 1, 77.0f);
  read_values(std::span(values).first(count), bytes.data(), format);
  CHECK(values.back() == 77.0f);
  values.pop_back();
  return values;
}

}  // namespace

TEST_CASE("every float16 of a file is read exactly") {
  std::vector<std::uint16_t> all(65535);  // not whole lanes
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  const std::vector<float> values = read(FileFormat::float16, bytes_of(all), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (values[i] != half_of(all[i])) FAIL(i << ": " << values[i] << ", not " << half_of(all[i]));
}

TEST_CASE("every bfloat16 of a file is the upper half of a float") {
  std::vector<std::uint16_t> all(65533);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  const std::vector<float> values = read(FileFormat::bfloat16, bytes_of(all), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (std::bit_cast<std::uint32_t>(values[i]) != i << 16) FAIL(i);
}

TEST_CASE("floats of a file are copied, and blocks of Q8_0 are a factor times whole numbers") {
  CHECK(read(FileFormat::float32, {0, 0, 0x20, 0x40, 0, 0, 0x80, 0xff}, 2) ==
        std::vector<float>{2.5f, -INFINITY});
  std::vector<std::uint8_t> blocks;
  for (int block = 0; block < 2; ++block) {
    blocks.push_back(0);
    blocks.push_back(block == 0 ? 0x38 : 0xb4);  // 0.5 and -0.25
    for (int i = 0; i < 32; ++i) blocks.push_back(static_cast<std::uint8_t>(5 * i - 100));
  }
  const std::vector<float> values = read(FileFormat::q8_0, blocks, 64);
  for (int i = 0; i < 64; ++i) {
    const auto whole = float(static_cast<std::int8_t>(5 * (i % 32) - 100));
    CHECK(values[std::size_t(i)] == (i < 32 ? 0.5f : -0.25f) * whole);
  }
}
