// Integer, unit interval and binary positions: the first steps of C02 to C04.
#include <catch_amalgamated.hpp>
#include <set>
#include <vector>

#include "input/counting.hpp"
#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;

namespace {

std::vector<float> unit(std::size_t length) {
  Matrix column(length, 1);
  unit_interval(column.view(), counted_positions(length), length);
  return column.values;
}

Matrix bits_of(const std::vector<double>& positions, std::size_t bits,
               BitOrder order = BitOrder::lowest_first) {
  Matrix table(positions.size(), bits);
  binary(table.view(), positions, order);
  return table;
}

std::size_t differing(const Matrix& table, std::size_t m, std::size_t n) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < table.cols; ++k) count += table.at(m, k) != table.at(n, k);
  return count;
}

}  // namespace

TEST_CASE("C02 integer positions are the positions, one apart and without bound") {
  std::vector<double> positions = counted_positions(100);
  positions.insert(positions.end(), {2.5, -3, 1e6, 16777216});
  Matrix column(positions.size(), 1);
  integer_positions(column.view(), positions);
  for (std::size_t t = 0; t < positions.size(); ++t) CHECK(column.at(t, 0) == positions[t]);
  for (std::size_t t = 1; t < 100; ++t) CHECK(column.at(t, 0) - column.at(t - 1, 0) == 1.0f);
}

TEST_CASE("C03 positions in [0, 1] are spaced by the length") {
  CHECK(unit(1) == std::vector{0.0f});
  CHECK(unit(3) == std::vector{0.0f, 0.5f, 1.0f});
  CHECK(unit(4) == std::vector{0.0f, float(1.0 / 3), float(2.0 / 3), 1.0f});
  CHECK(unit(5)[1] == 0.25f);
  CHECK(unit(101)[1] == 0.01f);
  for (const std::size_t length : {2, 7, 1000}) CHECK(unit(length).back() == 1.0f);
}

TEST_CASE("C04 binary positions are bits: bounded, unique, and far apart for some neighbours") {
  const Matrix five = bits_of({5}, 8);
  CHECK(five.values == std::vector{1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f});
  const Matrix turned = bits_of({5}, 8, BitOrder::highest_first);
  CHECK(turned.values == std::vector{0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f});

  const Matrix all = bits_of(counted_positions(256), 8);
  std::set<std::vector<float>> rows;
  for (std::size_t m = 0; m < 256; ++m) {
    rows.emplace(all.view().row(m).begin(), all.view().row(m).end());
    for (const float bit : all.view().row(m)) CHECK((bit == 0.0f || bit == 1.0f));
  }
  CHECK(rows.size() == 256);
  CHECK(differing(all, 7, 8) == 4);
  CHECK(differing(all, 8, 9) == 1);
  CHECK(differing(all, 127, 128) == 8);
  CHECK(bits_of({0x1p53 - 1}, 53).values == std::vector<float>(53, 1.0f));
}

TEST_CASE("C04 positions between integers do not exist in binary") {
  Matrix table(1, 3);
  const auto refuses = [&](double position, const char* text) {
    const std::vector<double> positions = {position};
    CHECK_THROWS_MATCHES(binary(table.view(), positions), std::invalid_argument, Message(text));
  };
  refuses(2.5, "binary: positions[0] must be a whole number from 0 to 2^3 - 1, got 2.5");
  refuses(8, "binary: positions[0] must be a whole number from 0 to 2^3 - 1, got 8");
  refuses(-1, "binary: positions[0] must be a whole number from 0 to 2^3 - 1, got -1");
}

TEST_CASE("integer, unit interval and binary positions reject invalid arguments") {
  Matrix column(2, 1), wide(2, 60);
  const std::vector<double> one = {0}, two = {0, 1}, outside = {0, 1.5};
  CHECK_THROWS_MATCHES(integer_positions(column.view(), one), std::invalid_argument,
                       Message("integer_positions: table must be 1 x 1, got 2 x 1"));
  CHECK_THROWS_MATCHES(unit_interval(column.view(), one, 1), std::invalid_argument,
                       Message("unit_interval: table must be 1 x 1, got 2 x 1"));
  CHECK_THROWS_MATCHES(unit_interval(column.view(), two, 0), std::invalid_argument,
                       Message("unit_interval: length must be positive, got 0"));
  CHECK_THROWS_MATCHES(
      unit_interval(column.view(), outside, 2), std::invalid_argument,
      Message("unit_interval: positions[1] must be from 0 to length - 1 = 1, got 1.5"));
  CHECK_THROWS_MATCHES(binary(wide.view(), two), std::invalid_argument,
                       Message("binary: bits must be from 1 to 53, got 60"));
  CHECK_THROWS_MATCHES(binary(wide.view(), one), std::invalid_argument,
                       Message("binary: table must be 1 x 60, got 2 x 60"));
}
