// Attention over keys and values in fewer bits, beside the reference in double on the numbers that
// they stand for.
#include <catch_amalgamated.hpp>
#include <cmath>
#include <optional>

#include "attention/attention.hpp"
#include "attention/quantized_heads.hpp"
#include "attention/scratch.hpp"
#include "reference/attention.hpp"
#include "support/inputs.hpp"
#include "support/quantized.hpp"

using namespace ropewalk;

namespace {

using Format = std::optional<RowFormat>;

constexpr std::size_t batches = 2, heads = 6, key_heads = 2;

// Causal attention whose queries are the last of the keys, of which the last two of a batch are
// padding.
struct Problem {
  AttentionShape shape;
  Matrix q, k, v;
  std::vector<double> key_lengths;
  float scale = 0.3f;

  Problem(std::size_t queries, std::size_t keys, std::size_t dim, std::size_t value_dim)
      : shape{batches, heads, key_heads, queries, keys, dim, value_dim},
        q(random_matrix(batches * heads * queries, dim, 1)),
        k(random_matrix(batches * key_heads * keys, dim, 2)),
        v(random_matrix(batches * key_heads * keys, value_dim, 3)),
        key_lengths{double(keys), double(keys - 2)} {}

  std::vector<float> output(Format of_k, Format of_v) const {
    AttentionCall call;
    call.shape = shape;
    call.q = HeadsView::contiguous(q.values.data(), heads, shape.queries, shape.dim);
    call.k = HeadsView::contiguous(k.values.data(), key_heads, shape.keys, shape.dim);
    call.v = HeadsView::contiguous(v.values.data(), key_heads, shape.keys, shape.value_dim);
    call.scale = scale;
    call.band.lookahead = 0;
    call.ends_at_last_key = true;
    call.key_lengths = key_lengths;
    const Quantized stored_k(of_k.value_or(RowFormat::int8), k.view());
    const Quantized stored_v(of_v.value_or(RowFormat::int8), v.view());
    if (of_k) call.k = {};  // must not be read
    QuantizedKeys keys(stored_k.view(), call);
    const QuantizedValues values(stored_v.view());
    if (of_k) call.product = &keys;
    if (of_v) {
      call.v = {};
      call.stored_v = &values;
    }
    std::vector<float> out(q.rows * shape.value_dim, NAN);
    AttentionScratch scratch;
    attend(call, {.output = out.data()}, scratch);
    return out;
  }

  std::size_t first_key_row(std::size_t batch, std::size_t head) const {
    return (batch * key_heads + head / (heads / key_heads)) * shape.keys;
  }

  Comparison compared(Format of_k, Format of_v) const {
    const std::vector<float> out = output(of_k, of_v);
    Comparison comparison;
    for (std::size_t b = 0; b < batches; ++b) {
      for (std::size_t h = 0; h < heads; ++h) compare_head(comparison, out, of_k, of_v, b, h);
    }
    return comparison;
  }

 private:
  static double error_of(Format format, std::span<const float> row, double value) {
    return format ? value_error(*format, largest_in_row(row), value) : 0.0;
  }

  void compare_head(Comparison& comparison, std::span<const float> out, Format of_k, Format of_v,
                    std::size_t b, std::size_t h) const {
    const std::size_t first_row = (b * heads + h) * shape.queries, first_key = first_key_row(b, h);
    const auto row_of = [&](const Matrix& matrix, std::size_t row) {
      return matrix.view().row(row);
    };
    const ConstMatrixView values(row_of(v, first_key).data(), shape.keys, shape.value_dim);
    const double length = key_lengths[b];
    const auto sees = [&](std::size_t m, std::size_t n) {
      return double(n) <= double(m) + length - double(shape.queries) && double(n) < length;
    };
    reference::AttentionTerms terms;
    terms.scale = [&](std::size_t) { return scale; };
    terms.bias = [&](std::size_t m, std::size_t n) { return sees(m, n) ? 0.0 : -INFINITY; };
    const auto expected = reference::attend(
        shape.queries,
        [&](std::size_t m, std::size_t n) {
          return reference::dot(row_of(q, first_row + m), row_of(k, first_key + n)).value;
        },
        values, terms);
    for (std::size_t m = 0; m < shape.queries; ++m) {
      double score_error = 0, low = 0, high = 0;
      for (std::size_t n = 0; n < shape.keys; ++n) {
        if (!sees(m, n)) continue;
        const auto query = row_of(q, first_row + m), key = row_of(k, first_key + n);
        const double own =
            of_k ? product_error(*of_k, query, key)
                 : double(shape.dim + 5) * rounding * reference::dot(query, key).magnitude;
        score_error = std::max(score_error, scale * own);
        low = std::min(low, expected.scores[m][n]);
        high = std::max(high, expected.scores[m][n]);
      }
      const std::size_t pieces = shape.keys / 256 + 1;
      const double of_weight = softmax_error(score_error, high - low, shape.keys, pieces);
      for (std::size_t d = 0; d < shape.value_dim; ++d) {
        double bound = least_weight;
        for (std::size_t n = 0; n < shape.keys; ++n) {
          const double weight = expected.weights[m][n];
          const auto row = values.row(n);
          bound += weight * std::abs(row[d]) * (of_weight + double(shape.keys) * rounding);
          bound += weight * (1 + of_weight) * error_of(of_v, row, row[d]);
          // 32 weights are rounded to 2^-16 of the largest product.
          if (of_v == RowFormat::int8)
            bound += (1 + of_weight) * 0x1.02p-11 * weight * largest_in_row(row);
        }
        const std::size_t at = (first_row + m) * shape.value_dim + d;
        comparison.add(out[at], expected.output[m][d], bound);
      }
    }
  }
};

const Format floats, float16 = RowFormat::float16, int8 = RowFormat::int8;

}  // namespace

TEST_CASE("attention over quantized keys and values is within the stated bounds") {
  const auto [of_k, of_v] = GENERATE_COPY(std::pair(float16, float16), std::pair(int8, int8),
                                          std::pair(int8, float16), std::pair(floats, int8),
                                          std::pair(float16, floats), std::pair(floats, float16));
  const auto [queries, keys] =
      GENERATE(std::pair(1u, 3u), std::pair(1u, 1200u), std::pair(3u, 40u), std::pair(30u, 300u));
  const auto [dim, value_dim] = GENERATE(std::pair(64u, 24u), std::pair(13u, 7u));
  CHECK_THAT(Problem(queries, keys, dim, value_dim).compared(of_k, of_v), WithinBounds());
}

TEST_CASE("a quantized cache does not read what no query sees") {
  const auto format = GENERATE(float16, int8);
  Problem problem(1, 20, 8, 8);
  const auto expected = problem.output(format, format);
  for (std::size_t head = 0; head < key_heads; ++head) {
    for (const std::size_t key : {18u, 19u}) {  // padding of the second batch
      const std::size_t row = (key_heads + head) * 20 + key;
      std::ranges::fill(problem.k.view().row(row), 1e6f);
      std::ranges::fill(problem.v.view().row(row), 1e6f);
    }
  }
  CHECK(problem.output(format, format) == expected);
}
