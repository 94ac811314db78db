#include "kernels/matmul.hpp"

#include <catch_amalgamated.hpp>

#include "kernels/lanes.hpp"
#include "reference/kernels.hpp"
#include "support/inputs.hpp"
#include "support/tolerance.hpp"

using namespace ropewalk;

namespace {

constexpr float untouched = 12345.0f;

// Where the value of one row and column stands among the panels.
std::size_t panel_index(std::size_t row, std::size_t col, std::size_t depth) {
  return col / panel_cols * panel_cols * depth + row * panel_cols + col % panel_cols;
}

}  // namespace

TEST_CASE("round_up gives the next multiple") {
  CHECK(round_up(0, 8) == 0);
  CHECK(round_up(1, 8) == 8);
  CHECK(round_up(8, 8) == 8);
  CHECK(round_up(9, 6) == 12);
}

TEST_CASE("packing keeps every value, pads with zeros and writes no further, at every size") {
  const std::size_t cols = GENERATE(range<std::size_t>(0, 2 * panel_cols + 2));
  const std::size_t depth = GENERATE(0, 1, 2, 7, 8, 9);
  const std::size_t gap = GENERATE(0, 3);  // between the rows of the operand
  const std::size_t padded = round_up(cols, panel_cols);
  const bool from_rows = GENERATE(false, true);

  const std::size_t rows_in = from_rows ? cols : depth, cols_in = from_rows ? depth : cols;
  const auto values = random_floats(rows_in * (cols_in + gap), 1);
  const ConstMatrixView matrix(values.data(), rows_in, cols_in, cols_in + gap);
  std::vector<float> packed(depth * padded + 1, untouched);
  if (from_rows) {
    pack_rows_as_columns(packed.data(), matrix);
  } else {
    pack_columns(packed.data(), matrix);
  }

  for (std::size_t d = 0; d < depth; ++d) {
    for (std::size_t c = 0; c < padded; ++c) {
      const float expected = c >= cols ? 0.0f : from_rows ? matrix.row(c)[d] : matrix.row(d)[c];
      CHECK(packed[panel_index(d, c, depth)] == expected);
    }
  }
  CHECK(packed.back() == untouched);
}

TEST_CASE("packing columns finds a value that is not finite at any place, and no other") {
  const std::size_t cols = GENERATE(1, 3, 4, 8, 11), rows = GENERATE(1, 2, 5);
  const float largest = largest_summable, infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values(rows * cols, largest), packed(rows * round_up(cols, panel_cols));
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = -largest;
  for (std::size_t i = 1; i < values.size(); i += 3)
    values[i] = std::numeric_limits<float>::denorm_min();
  CHECK(pack_columns(packed.data(), {values.data(), rows, cols}));
  for (std::size_t at = 0; at < values.size(); ++at) {
    for (const float bad :
         {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), -0x1.1p100f}) {
      auto spoilt = values;
      spoilt[at] = bad;
      CHECK_FALSE(pack_columns(packed.data(), {spoilt.data(), rows, cols}));
    }
  }
}

TEST_CASE("packing rows may multiply them by a factor") {
  const Matrix rows = random_matrix(11, 3, 1);
  std::vector<float> plain(3 * 16), scaled(3 * 16);
  pack_rows_as_columns(plain.data(), rows.view());
  pack_rows_as_columns(scaled.data(), rows.view(), -0.3f);
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(scaled[i] == -0.3f * plain[i]);
}

TEST_CASE("multiply_packed agrees with plain loops at every depth, number of rows and of columns") {
  const std::size_t depth = GENERATE(0, 1, 2, 3, 4, 5, 8, 17, 33);
  const std::size_t rows = GENERATE(range<std::size_t>(0, 2 * micro_rows + 2));
  const std::size_t cols =
      GENERATE(range<std::size_t>(1, 2 * panel_cols + 2), std::size_t(5 * panel_cols + 1));
  const std::size_t gap = GENERATE(0, 3), width = round_up(cols, panel_cols) + gap;
  const auto left_values = random_floats(rows * (depth + gap), 1);
  const ConstMatrixView left(left_values.data(), rows, depth, depth + gap);
  const Matrix right = random_matrix(cols, depth, 2);
  std::vector<float> packed(depth * round_up(cols, panel_cols) + 1);
  pack_rows_as_columns(packed.data(), right.view());
  std::vector<float> after(rows * width + 1, untouched);
  multiply_packed({after.data(), rows, cols, width}, left, packed.data());

  const auto products = reference::multiply_transposed(left, right.view());
  Comparison comparison;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      const reference::Sum& sum = products[r * cols + c];
      comparison.add(after[r * width + c], sum.value, double(depth) * epsilon * sum.magnitude);
    }
    for (std::size_t c = width - gap; c < width; ++c)
      comparison.add(after[r * width + c], untouched, 0);
  }
  CHECK_THAT(comparison, WithinBounds());
}

namespace {

void check_accumulation(std::size_t depth, std::size_t rows, std::size_t cols, std::size_t skipped,
                        bool is_transposed) {
  const std::size_t width = cols + 2;
  const Matrix left = random_matrix(rows, depth, 1);
  const Matrix right = random_matrix(skipped + depth, cols, 2);
  const ConstMatrixView used(right.values.data() + skipped * cols, depth, cols);
  std::vector<float> packed((skipped + depth) * round_up(cols, panel_cols) + 1);
  pack_columns(packed.data(), right.view());
  const auto before = random_floats(rows * width + 1, 3);
  auto after = before;
  const PackedView part{packed.data() + skipped * panel_cols, (skipped + depth) * panel_cols};
  const MatrixView out(after.data(), rows, cols, width);
  if (is_transposed) {
    Matrix columns(depth, rows);
    for (std::size_t d = 0; d < depth; ++d) {
      for (std::size_t r = 0; r < rows; ++r) columns.view().row(d)[r] = left.view().row(r)[d];
    }
    accumulate_transposed(out, columns.view(), part);
  } else {
    accumulate_packed(out, left.view(), part);
  }

  const auto products = reference::multiply(left.view(), used);
  Comparison comparison;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      const double start = before[r * width + c];
      if (c >= cols) {
        comparison.add(after[r * width + c], start, 0);
        continue;
      }
      const reference::Sum& sum = products[r * cols + c];
      const double bound = double(depth + 1) * epsilon * (std::abs(start) + sum.magnitude);
      comparison.add(after[r * width + c], start + sum.value, bound);
    }
  }
  CHECK_THAT(comparison, WithinBounds());
}

}  // namespace

TEST_CASE("accumulating adds to the output and writes nothing outside it, at every shape") {
  const std::size_t depth = GENERATE(0, 1, 2, 5, 8, 17);
  const std::size_t skipped = GENERATE(0, 8);
  const bool is_transposed = GENERATE(false, true);
  for (std::size_t rows = 0; rows <= 2 * micro_rows + 1; ++rows) {
    for (std::size_t cols = 0; cols <= 2 * panel_cols + 1; ++cols) {
      check_accumulation(depth, rows, cols, skipped, is_transposed);
    }
    check_accumulation(depth, rows, 5 * panel_cols + 1, skipped, is_transposed);
  }
}
