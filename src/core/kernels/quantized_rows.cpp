#include "kernels/quantized_rows.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <memory>
#include <span>
#include <type_traits>

#include "base/require.hpp"
#include "kernels/half_lanes.hpp"
#include "kernels/lane_groups.hpp"
#include "kernels/rows.hpp"

namespace ropewalk {
namespace {

static_assert(Lanes::size == 4, "the order of halves is that of four lanes");

// Columns that are decoded at a time.
constexpr std::size_t group = 2 * Lanes::size;
// Rows of the left operand that share what is read. Fewer are filled up with zeros.
constexpr std::size_t shared_rows = 4;
// Columns for which sums are kept at a time: 32-bit sums of products of 16 and 8 bits hold them.
constexpr std::size_t chunk = 256;
// Rows of a matrix whose weights are scaled, and rounded, together.
constexpr std::size_t rows_together = 32;

constexpr float most = 32767.0f;           // of a scaled row
constexpr float least_scaled = 0x1p-100f;  // rows below it are zero, since most / it is infinite

// By groups of columns, then by left rows: stores then pass the addresses that are loaded quickly,
// where their lowest 12 bits agree and loads wait.
using Sums = float[chunk / group][shared_rows][group];
// Of what lanes read and write: a load across two lines of the cache takes twice as long.
constexpr std::size_t alignment = Lanes::arch_type::alignment();

std::size_t padded(std::size_t count) { return (count + group - 1) / group * group; }

void quantize_int8(std::int8_t* codes, float& scale, std::span<const float> row, float largest) {
  scale = largest < least_scaled ? 0.0f : largest / 127.0f;
  const float inverse = largest < least_scaled ? 0.0f : 127.0f / largest;
  for (std::size_t i = 0; i < row.size(); ++i)
    codes[i] = static_cast<std::int8_t>(std::nearbyint(row[i] * inverse));
}

// Codes are halves as Halves reads them. In each group of eight the lower half of the values is in
// the lower halves of 32 bits.
void quantize_float16(std::uint16_t* codes, float& scale, std::span<const float> row,
                      float largest) {
  // The exponent that the largest value has once it is rounded to 11 bits.
  const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(largest) + 0x1000) >> 23;
  scale = std::bit_cast<float>((exponent + 97) << 23);
  const float inverse = std::bit_cast<float>((157 - exponent) << 23);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(row[i] * inverse);
    const std::uint32_t magnitude = bits & 0x7fffffff, odd = magnitude >> 13 & 1;
    const std::size_t in_group = i % group;
    codes[i - in_group + (2 * in_group) % group + in_group / Lanes::size] =
        static_cast<std::uint16_t>((magnitude + 0xfff + odd) >> 13 | (bits >> 16 & 0x8000));
  }
}

// The largest magnitude of some values. Bits of floats without a sign are ordered as the floats,
// with infinity and NaN at the end.
class Magnitude {
 public:
  void add(Lanes values) {
    best_ = xsimd::max(best_, xsimd::bitwise_cast<std::int32_t>(xsimd::abs(values)));
  }
  float largest() const { return std::bit_cast<float>(xsimd::reduce_max(best_)); }

 private:
  IntLanes best_{0};
};

// What values are multiplied by for their largest magnitude to become `most`, and what undoes it:
// NaN where a value is not finite.
struct Scaling {
  float factor, inverse;

  explicit Scaling(float largest)
      : factor(largest < least_scaled ? 0.0f : most / largest),
        inverse(largest / most + 0.0f * largest) {}
};

// Rounds floats of at most `most` in magnitude, times a factor.
void round_all(std::int16_t* to, const float* from, std::size_t count, float factor) {
  const Lanes by(factor);
  for (std::size_t i = 0; i < count; i += group)
    store_rounded(to + i, load(from + i) * by, load(from + i + Lanes::size) * by);
}

// Some rows of the left operand, scaled: as floats, and rounded for products with integers.
struct LeftRows {
  alignas(alignment) float values[shared_rows][chunk];
  alignas(alignment) std::int16_t rounded[shared_rows][chunk];
  float factors[shared_rows];

  // Columns from `first` on, of `rows` rows: those past the end of `from` are zero.
  void fill(ConstMatrixView from, std::size_t rows, std::size_t first, std::size_t cols,
            float factor) {
    const std::size_t count = padded(cols);
    for (std::size_t r = 0; r < rows; ++r) {
      float* const own = values[r];
      std::fill_n(own, count, 0.0f);
      if (r < from.rows) std::ranges::copy(from.row(r).subspan(first, cols), own);
      Magnitude magnitude;
      for (std::size_t i = 0; i < count; i += Lanes::size) magnitude.add(load(own + i));
      const Scaling scaling(magnitude.largest());
      scale(own, count, scaling.factor);
      round_all(rounded[r], own, count, 1.0f);
      factors[r] = scaling.inverse * factor;
    }
  }
};

// Rows of the matrix whose products with the left rows become one register each.
constexpr std::size_t rows_at_once = Lanes::size;
// Those of them that are read together: enough sums that none waits for itself.
template <std::size_t Rows>
constexpr std::size_t read_together = Rows == 1 ? 4 : 2;

// Partial sums of the products of left rows with two rows of the matrix each, by turns.
template <std::size_t Rows>
using ProductLanes = Lanes[Rows][rows_at_once / 2];

// Sums of a and of b by turns, each still in two lanes.
template <class T>
T pair_sums(T a, T b) {
  return xsimd::zip_lo(a, b) + xsimd::zip_hi(a, b);
}

// The sums of four rows, one in each lane.
Lanes sums_of(const Lanes (&pairs)[2]) {
  const auto first = xsimd::bitwise_cast<double>(pairs[0]),
             second = xsimd::bitwise_cast<double>(pairs[1]);
  return xsimd::bitwise_cast<float>(xsimd::zip_lo(first, second)) +
         xsimd::bitwise_cast<float>(xsimd::zip_hi(first, second));
}

// Adds the products of `Rows` left rows with `Others` rows of the matrix, by matrix row: `codes`
// are where these begin.
template <std::size_t Rows, std::size_t Others>
[[gnu::always_inline]] inline void add_products(IntLanes (&sums)[Others][Rows],
                                                const LeftRows& left,
                                                const std::uint8_t* const (&codes)[Others],
                                                std::size_t cols) {
  for (std::size_t c = 0; c < cols; c += group) {
    ShortLanes own[Rows];
    for (std::size_t r = 0; r < Rows; ++r) own[r] = load(left.rounded[r] + c);
    for (std::size_t i = 0; i < Others; ++i) {
      const ShortLanes other = load_widened(reinterpret_cast<const std::int8_t*>(codes[i] + c));
      for (std::size_t r = 0; r < Rows; ++r)
        sums[i][r] = add_pair_products(own[r], other, sums[i][r]);
    }
  }
}

template <std::size_t Rows, std::size_t Others>
[[gnu::always_inline]] inline void add_products(Lanes (&sums)[Others][Rows], const LeftRows& left,
                                                const std::uint8_t* const (&codes)[Others],
                                                std::size_t cols) {
  const Halves halves;
  for (std::size_t c = 0; c < cols; c += group) {
    IntLanes pairs[Others];
    for (std::size_t i = 0; i < Others; ++i) pairs[i] = load_pairs(codes[i] + 2 * c);
    for (std::size_t r = 0; r < Rows; ++r) {
      const Lanes own = load(left.values[r] + c);
      for (std::size_t i = 0; i < Others; ++i)
        sums[i][r] = multiply_add(own, halves.low(pairs[i]), sums[i][r]);
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      const Lanes own = load(left.values[r] + c + Lanes::size);
      for (std::size_t i = 0; i < Others; ++i)
        sums[i][r] = multiply_add(own, halves.high(pairs[i]), sums[i][r]);
    }
  }
}

inline Lanes as_floats(Lanes sums) { return sums; }
inline Lanes as_floats(IntLanes sums) { return xsimd::to_float(sums); }

// Calls use(first, count) for at most `max_at_once` of `count` at a time.
template <class Use>
void for_parts(std::size_t count, std::size_t max_at_once, Use use) {
  for (std::size_t first = 0; first < count; first += max_at_once)
    use(first, std::min(max_at_once, count - first));
}

ConstMatrixView some_rows(ConstMatrixView matrix, std::size_t first, std::size_t count) {
  return {matrix.data + first * matrix.stride, count, matrix.cols, matrix.stride};
}

// Some weights times the scales of their rows; zero past the last weight and the last row.
struct ScaledWeights {
  alignas(alignment) float values[shared_rows][rows_together];
  alignas(alignment) std::int16_t rounded[shared_rows][rows_together];
  float factors[shared_rows];

  void fill(ConstMatrixView weights, const float* scales, std::size_t first, std::size_t count,
            bool rounds) {
    for (std::size_t r = 0; r < shared_rows; ++r) {
      const std::size_t known = r < weights.rows ? count : 0;
      const float* const own = weights.data + r * weights.stride + first;
      if (known < rows_together) std::fill_n(values[r], rows_together, 0.0f);
      Magnitude magnitude;
      for_lane_groups(known, [&](auto lanes, std::size_t i) {
        const Lanes scaled = lanes.load(own + i) * lanes.load(scales + first + i);
        lanes.store(values[r] + i, scaled);
        magnitude.add(scaled);
      });
      if (!rounds) continue;
      const Scaling scaling(magnitude.largest());
      round_all(rounded[r], values[r], rows_together, scaling.factor);
      factors[r] = scaling.inverse;
    }
  }
};

// Calls use(own, row, next) for two of `count` rows at a time, whose codes begin at `codes`, `step`
// bytes apart: beside the last one of an odd number the same, whose weight as the next is zero.
template <class Weight, class Use>
void for_row_pairs(const Weight* own, const std::uint8_t* codes, std::size_t step,
                   std::size_t count, Use use) {
  for (; count >= 2; count -= 2, own += 2, codes += 2 * step) use(own, codes, codes + step);
  if (count > 0) use(own, codes, codes);
}

void add_scaled(float* to, Lanes factor, Lanes sum) {
  store(to, multiply_add(factor, sum, load(to)));
}

// sums += weights * matrix, of `count` rows.
void add_products_int8(Sums& sums, const ScaledWeights& weights, const std::uint8_t* codes,
                       std::size_t step, std::size_t count, std::size_t cols) {
  for (std::size_t c = 0; c < cols; c += group) {
    IntLanes low[shared_rows], high[shared_rows];
    for (std::size_t r = 0; r < shared_rows; ++r) low[r] = high[r] = IntLanes(0);
    for_row_pairs(weights.rounded[0], codes + c, step, count,
                  [&](const std::int16_t* own, const std::uint8_t* row, const std::uint8_t* next) {
                    const ShortLanes a = load_widened(reinterpret_cast<const std::int8_t*>(row)),
                                     b = load_widened(reinterpret_cast<const std::int8_t*>(next));
                    const ShortLanes pairs_low = xsimd::zip_lo(a, b),
                                     pairs_high = xsimd::zip_hi(a, b);
                    for (std::size_t r = 0; r < shared_rows; ++r) {
                      const ShortLanes pair = load_pair_splat(own + r * rows_together);
                      low[r] = add_pair_products(pairs_low, pair, low[r]);
                      high[r] = add_pair_products(pairs_high, pair, high[r]);
                    }
                  });
    for (std::size_t r = 0; r < shared_rows; ++r) {
      const Lanes factor(weights.factors[r]);
      float* const to = sums[c / group][r];
      add_scaled(to, factor, xsimd::to_float(low[r]));
      add_scaled(to + Lanes::size, factor, xsimd::to_float(high[r]));
    }
  }
}

void add_products_float16(Sums& sums, const ScaledWeights& weights, const std::uint8_t* codes,
                          std::size_t step, std::size_t count, std::size_t cols) {
  const Halves halves;
  // From two places far apart, since the hardware fetches ahead within pages of 4 KiB.
  const std::size_t half = (count + 1) / 2;
  for (std::size_t i = 0; i < half; ++i, codes += step) {
    const std::uint8_t* row = codes;
    const std::uint8_t* next = i + half < count ? codes + half * step : codes;
    Lanes factors[2][shared_rows];
    for (std::size_t r = 0; r < shared_rows; ++r) {
      factors[0][r] = Lanes(weights.values[r][i]);
      factors[1][r] = Lanes(weights.values[r][i + half]);
    }
    const auto add_products = [&](float* to, Lanes a, Lanes b) {
      for (std::size_t r = 0; r < shared_rows; ++r, to += group) {
        const Lanes sum = multiply_add(factors[0][r], a, load(to));
        store(to, multiply_add(factors[1][r], b, sum));
      }
    };
    float* to = sums[0][0];
    for (std::size_t c = 0; c < cols; c += group, to += shared_rows * group) {
      const IntLanes a = load_pairs(row), b = load_pairs(next);
      row += 2 * group;
      next += 2 * group;
      add_products(to, halves.low(a), halves.low(b));
      add_products(to + Lanes::size, halves.high(a), halves.high(b));
    }
  }
}

}  // namespace

std::size_t row_bytes(RowFormat format, std::size_t cols) {
  return padded(cols) * (format == RowFormat::int8 ? 1 : 2);
}

float largest_magnitude(std::span<const float> values) {
  Magnitude magnitude;
  for_lane_groups(values.size(),
                  [&](auto lanes, std::size_t i) { magnitude.add(lanes.load(&values[i])); });
  return magnitude.largest();
}

void quantize(const QuantizedRows& to, ConstMatrixView from) {
  assert(to.rows == from.rows && to.cols == from.cols);
  const std::size_t bytes = row_bytes(to.format, to.cols);
  for (std::size_t r = 0; r < from.rows; ++r) {
    const float largest = largest_magnitude(from.row(r));
    for (std::size_t i = 0; !(largest <= largest_quantized) && i < from.cols; ++i)
      require(std::abs(from.row(r)[i]) <= largest_quantized,
              "resident: values must be finite and at most 2^29 in magnitude unless dtype is "
              "'float32', got ",
              from.row(r)[i]);
    std::fill_n(to.row(r), bytes, std::uint8_t{0});
    if (to.format == RowFormat::int8)
      quantize_int8(reinterpret_cast<std::int8_t*>(to.row(r)), to.scales[r], from.row(r), largest);
    else
      quantize_float16(reinterpret_cast<std::uint16_t*>(to.row(r)), to.scales[r], from.row(r),
                       largest);
  }
}

namespace {

// The values of eight codes, times the scale.
void dequantize_group(float* to, RowFormat format, const std::uint8_t* codes, Lanes scale,
                      const Halves& halves) {
  Lanes low, high;
  if (format == RowFormat::int8) {
    const ShortLanes zero(0), wide = load_widened(reinterpret_cast<const std::int8_t*>(codes));
    const auto floats = [](ShortLanes upper) {
      return xsimd::to_float(xsimd::bitwise_cast<std::int32_t>(upper) >> 16);
    };
    low = floats(xsimd::zip_lo(zero, wide)), high = floats(xsimd::zip_hi(zero, wide));
  } else {
    const IntLanes pairs = load_pairs(codes);
    low = halves.low(pairs), high = halves.high(pairs);
  }
  store(to, scale * low);
  store(to + Lanes::size, scale * high);
}

}  // namespace

void dequantize(MatrixView to, const ConstQuantizedRows& from) {
  assert(to.rows == from.rows && to.cols == from.cols);
  const Halves halves;
  const std::size_t width = from.format == RowFormat::int8 ? 1 : 2,
                    whole = to.cols - to.cols % group;
  for (std::size_t r = 0; r < to.rows; ++r) {
    const Lanes scale(from.scales[r]);
    float* const row = to.row(r).data();
    const std::uint8_t* const codes = from.row(r);
    for (std::size_t i = 0; i < whole; i += group)
      dequantize_group(row + i, from.format, codes + width * i, scale, halves);
    if (whole == to.cols) continue;
    float rest[group];
    dequantize_group(rest, from.format, codes + width * whole, scale, halves);
    std::copy_n(rest, to.cols - whole, row + whole);
  }
}

namespace {

// out = left * matrixT, of as many rows of out as there are, the left ones by chunks of columns. A
// row of the matrix is read to its end before the next ones.
template <RowFormat Format, std::size_t Rows>
void multiply_matrix(MatrixView out, std::span<const LeftRows> left,
                     const ConstQuantizedRows& matrix) {
  using Sum = std::conditional_t<Format == RowFormat::int8, IntLanes, Lanes>;
  constexpr std::size_t others = read_together<Rows>;
  const std::size_t step = row_bytes(Format, matrix.cols), chunk_bytes = row_bytes(Format, chunk);
  // Rows a distance apart, so that each is a stream of its own that the hardware fetches ahead;
  // then those that are left.
  const std::size_t groups = out.cols / rows_at_once, rest = out.cols % rows_at_once;
  for (std::size_t g = 0; g < groups + (rest > 0); ++g) {
    const bool is_whole = g < groups;
    const std::size_t first = is_whole ? g : out.cols - rest, distance = is_whole ? groups : 1,
                      count = is_whole ? rows_at_once : rest;
    const std::uint8_t* const codes = matrix.codes + first * step;
    float scales[rows_at_once] = {};
    for (std::size_t i = 0; i < count; ++i) scales[i] = matrix.scales[first + i * distance];
    Lanes sums[Rows];
    std::ranges::fill(sums, Lanes(0.0f));
    std::size_t cols = matrix.cols, at = 0;
    for (const LeftRows& part : left) {
      ProductLanes<Rows> products;
      for (auto& of_row : products) std::ranges::fill(of_row, Lanes(0.0f));
      for (std::size_t i = 0; i < count; i += others) {
        // After the last row, the first one again.
        const std::uint8_t* rows[others];
        for (std::size_t o = 0; o < others; ++o)
          rows[o] = codes + (i + o < count ? i + o : 0) * distance * step + at;
        Sum of_rows[others][Rows];
        for (auto& of_row : of_rows) std::ranges::fill(of_row, Sum(0));
        add_products(of_rows, part, rows, std::min(chunk, cols));
        for (std::size_t o = 0; o < others; o += 2) {
          for (std::size_t r = 0; r < Rows; ++r)
            products[r][(i + o) / 2] = as_floats(pair_sums(of_rows[o][r], of_rows[o + 1][r]));
        }
      }
      // The scale comes before the factor: products are tiny in float16.
      for (std::size_t r = 0; r < Rows; ++r)
        sums[r] =
            multiply_add(sums_of(products[r]) * load(scales), Lanes(part.factors[r]), sums[r]);
      cols -= std::min(chunk, cols);
      at += chunk_bytes;
    }
    for (std::size_t r = 0; r < out.rows; ++r) {
      float products[rows_at_once];
      store(products, sums[r]);
      for (std::size_t i = 0; i < count; ++i) out.row(r)[first + i * distance] = products[i];
    }
  }
}

using MultiplyMatrix = void(MatrixView out, std::span<const LeftRows> left,
                            const ConstQuantizedRows& matrix);

// By format, for one left row and for more.
constexpr MultiplyMatrix* multiply_matrix_of[][2] = {
    {multiply_matrix<RowFormat::float16, 1>, multiply_matrix<RowFormat::float16, shared_rows>},
    {multiply_matrix<RowFormat::int8, 1>, multiply_matrix<RowFormat::int8, shared_rows>}};

}  // namespace

void multiply_quantized(MatrixView out, ConstMatrixView left, const ConstQuantizedRows& matrix,
                        float factor) {
  assert(out.rows == left.rows && out.cols == matrix.rows && left.cols == matrix.cols);
  if (matrix.rows == 0) return;  // codes may be null
  const std::size_t parts = (left.cols + chunk - 1) / chunk;
  const std::unique_ptr<LeftRows[]> own(new LeftRows[parts]);
  for_parts(left.rows, shared_rows, [&](std::size_t row, std::size_t rows) {
    for_parts(left.cols, chunk, [&](std::size_t first, std::size_t cols) {
      own[first / chunk].fill(some_rows(left, row, rows), rows == 1 ? 1 : shared_rows, first, cols,
                              factor);
    });
    multiply_matrix_of[matrix.format == RowFormat::int8][rows > 1](
        {out.row(row).data(), rows, out.cols, out.stride}, {own.get(), parts}, matrix);
  });
}

void accumulate_quantized(MatrixView out, ConstMatrixView weights,
                          const ConstQuantizedRows& matrix) {
  assert(out.rows == weights.rows && out.cols == matrix.cols && weights.cols == matrix.rows);
  const bool is_int8 = matrix.format == RowFormat::int8;
  const std::size_t step = row_bytes(matrix.format, matrix.cols);
  alignas(alignment) Sums sums;
  ScaledWeights scaled;
  for_parts(out.rows, shared_rows, [&](std::size_t row, std::size_t rows) {
    for_parts(out.cols, chunk, [&](std::size_t column, std::size_t cols) {
      std::fill_n(sums[0][0], shared_rows * padded(cols), 0.0f);
      const std::size_t at = column * (is_int8 ? 1 : 2);
      for_parts(matrix.rows, rows_together, [&](std::size_t first, std::size_t count) {
        scaled.fill(some_rows(weights, row, rows), matrix.scales, first, count, is_int8);
        (is_int8 ? add_products_int8 : add_products_float16)(sums, scaled, matrix.row(first) + at,
                                                             step, count, cols);
      });
      for_parts(cols, group, [&](std::size_t c, std::size_t count) {
        for (std::size_t r = 0; r < rows; ++r)
          add(out.row(row + r).subspan(column + c, count), {sums[c / group][r], count});
      });
    });
  });
}

}  // namespace ropewalk
