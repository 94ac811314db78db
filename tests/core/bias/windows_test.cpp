#include "bias/windows.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>

#include "support/inputs.hpp"

using namespace ropewalk;
using Catch::Matchers::Message;
using Catch::Matchers::WithinAbs;

TEST_CASE("Swin's index depends only on the displacement, and is point-symmetric") {
  const WindowSize window =
      GENERATE(WindowSize{2, 2}, WindowSize{3, 4}, WindowSize{1, 5}, WindowSize{5, 1});
  const auto [height, width] = window;
  const std::size_t tokens = height * width, rows = window_table_rows(window, false);
  const auto indices = window_indices(window);
  for (std::size_t m = 0; m < tokens; ++m) {
    for (std::size_t n = 0; n < tokens; ++n) {
      const int dy = int(m / width) - int(n / width), dx = int(m % width) - int(n % width);
      const int expected = (dy + int(height) - 1) * (2 * int(width) - 1) + dx + int(width) - 1;
      CHECK(indices[m * tokens + n] == expected);
      CHECK(indices[m * tokens + n] + indices[n * tokens + m] == int(rows) - 1);
    }
  }
}

TEST_CASE("BEiT's index is Swin's behind a class token with three rows of its own") {
  const auto swin = window_indices({3, 4}), beit = window_indices({3, 4}, true);
  const int rows = int(window_table_rows({3, 4}, true));
  CHECK(rows == 5 * 7 + 3);
  CHECK(beit[0] == rows - 1);
  for (std::size_t t = 1; t < 13; ++t) {
    CHECK(beit[t] == rows - 3);
    CHECK(beit[t * 13] == rows - 2);
    for (std::size_t n = 1; n < 13; ++n) CHECK(beit[t * 13 + n] == swin[(t - 1) * 12 + n - 1]);
  }
}

TEST_CASE("Swin v2's coordinates are odd, grow with the displacement and reach log2(9) / 3") {
  const auto coordinates = swin_v2_coordinates({7, 7});
  const std::size_t count = coordinates.size() / 2;
  CHECK(count == 13 * 13);
  CHECK_THAT(coordinates.back(), WithinAbs(std::log2(9.0) / 3.0, 1e-15));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    CHECK(coordinates[i] == -coordinates[2 * (count - 1 - i / 2) + i % 2]);
  }
  for (std::size_t x = 1; x < 13; ++x) CHECK(coordinates[2 * x + 1] > coordinates[2 * x - 1]);
  CHECK(swin_v2_coordinates({7, 7}, {7, 7}) == coordinates);
}

TEST_CASE("a side of one token has coordinate 0") {
  const auto column = swin_v2_coordinates({3, 1});
  for (std::size_t i = 0; i < column.size(); i += 2) CHECK(column[i + 1] == 0.0);
}

TEST_CASE("Swin v2's bias is between 0 and 16, gathered by Swin's index") {
  const std::size_t hidden = 4, heads = 2;
  const auto w1 = random_floats(hidden * 2, 1), b1 = random_floats(hidden, 2),
             w2 = random_floats(heads * hidden, 3);
  const BiasNetwork network{{w1.data(), hidden, 2}, b1, {w2.data(), heads, hidden}, {}};
  const auto coordinates = swin_v2_coordinates({2, 3});
  std::vector<float> values(coordinates.size() / 2 * heads), bias(heads * 6 * 6);
  const MatrixView table(values.data(), coordinates.size() / 2, heads);
  swin_v2_table(table, coordinates, network);
  const auto indices = window_indices({2, 3});
  gather_window_bias({bias.data(), heads * 6, 6}, table, indices);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < 36; ++i) {
      CHECK(bias[h * 36 + i] == table.row(std::size_t(indices[i]))[h]);
      CHECK((bias[h * 36 + i] > 0.0f && bias[h * 36 + i] < 16.0f));
    }
  }
}

TEST_CASE("windows reject invalid sizes") {
  CHECK_THROWS_MATCHES(window_indices({0, 3}), std::invalid_argument,
                       Message("window: height x width must be 1 to 32768 tokens, got 0 x 3"));
  CHECK_THROWS_MATCHES(
      swin_v2_coordinates({3, 3}, {1, 4}), std::invalid_argument,
      Message("swin_v2: pretrained_window must be 0 x 0 or have sides of at least 2, got 1 x 4"));
}
