#include "bias/distance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {

void expand_by_offset(MatrixView full, ConstMatrixView by_offset, std::int64_t first,
                      std::span<const double> queries, std::span<const double> keys) {
  const std::size_t heads = by_offset.rows;
  require_shape("expand_by_offset: bias", full, heads * queries.size(), keys.size());
  for (std::size_t m = 0; m < queries.size(); ++m) {
    for (std::size_t n = 0; n < keys.size(); ++n) {
      const double column = keys[n] - queries[m] - static_cast<double>(first);
      const bool has_column = column >= 0.0 && column < static_cast<double>(by_offset.cols) &&
                              column == std::floor(column);
      require(has_column,
              "expand_by_offset: the table has no column for key - query = ", keys[n] - queries[m]);
      for (std::size_t h = 0; h < heads; ++h) {
        full.row(h * queries.size() + m)[n] = by_offset.row(h)[static_cast<std::size_t>(column)];
      }
    }
  }
}

namespace {

double geometric_slope(std::size_t head, std::size_t heads, double max_bias) {
  return portable::exp2(-max_bias * static_cast<double>(head + 1) / static_cast<double>(heads));
}

void require_row_per_slope(ConstMatrixView table, std::span<const double> slopes) {
  require_shape("alibi: table", table, slopes.size(), table.cols);
}

}  // namespace

std::vector<double> alibi_slopes(std::size_t heads, SlopeConvention convention, double max_bias,
                                 HeadSlice slice) {
  require(heads > 0, "alibi_slopes: heads must be positive, got ", heads);
  require_positive("alibi_slopes: max_bias", max_bias);
  require(slice.first <= heads && slice.count <= heads - slice.first,
          "alibi_slopes: total_heads must be at least head_offset + heads, ",
          static_cast<double>(slice.first) + static_cast<double>(slice.count), ", got ", heads);
  const bool naive = convention == SlopeConvention::naive;
  const std::size_t geometric = naive ? heads : std::bit_floor(heads), others = heads - geometric;
  std::vector<double> slopes(slice.count);
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const std::size_t h = slice.first + i;
    if (convention == SlopeConvention::sorted) {
      // The others stand between the first of the power of two: together they are those of the
      // power above, as far as there are others.
      slopes[i] = h < 2 * others ? geometric_slope(h, 2 * geometric, max_bias)
                                 : geometric_slope(h - others, geometric, max_bias);
    } else {
      slopes[i] = h < geometric ? geometric_slope(h, geometric, max_bias)
                                : geometric_slope(2 * (h - geometric), 2 * geometric, max_bias);
    }
  }
  return slopes;
}

void alibi(MatrixView by_offset, std::int64_t first, std::span<const double> slopes,
           BiasDirection direction) {
  require_row_per_slope(by_offset, slopes);
  fill_by_distance(by_offset, first, direction, [&](std::size_t head, double distance) {
    return 0.0 - slopes[head] * distance;
  });
}

void AlibiBias::fill(MatrixView by_offset, std::int64_t first, TableHeads heads) const {
  const std::size_t count = by_offset.rows;
  if (!slopes.empty())
    return alibi(by_offset, first, slopes.subspan(heads.first, count), direction);
  const std::size_t total = total_heads != 0 ? total_heads : head_offset + heads.all;
  alibi(by_offset, first,
        alibi_slopes(total, convention, max_bias, {head_offset + heads.first, count}), direction);
}

void alibi_translated(MatrixView by_key, std::span<const double> slopes,
                      std::span<const double> positions) {
  require_shape("alibi: table", by_key, slopes.size(), positions.size());
  for (std::size_t h = 0; h < by_key.rows; ++h) {
    for (std::size_t n = 0; n < by_key.cols; ++n) {
      by_key.row(h)[n] = static_cast<float>(slopes[h] * positions[n]);
    }
  }
}

std::vector<double> alibi_masked_positions(std::span<const double> mask) {
  std::vector<double> positions(mask.size(), 0.0);
  double seen = 0.0;
  for (std::size_t n = 0; n < mask.size(); ++n) {
    if (mask[n] != 0.0) positions[n] = seen++;
  }
  return positions;
}

namespace {

// r1 and r2 of one head as the formula takes them.
struct KernelParameters {
  double r1, r2;

  KernelParameters(const KerpleBias& bias, std::size_t head)
      : r1(bias.r1[head]), r2(bias.r2[head]) {
    if (bias.clamp <= 0.0) return;
    r1 = std::max(r1, bias.clamp);
    r2 = std::max(r2, bias.clamp);
    if (bias.kind == KerpleKind::power) r2 = std::min(r2, 2.0);
  }
};

}  // namespace

void KerpleBias::fill(MatrixView by_offset, std::int64_t first, TableHeads heads) const {
  require(heads.all == r1.size() && heads.all == r2.size(),
          "kerple: r1 and r2 must have one entry per head, ", heads.all, ", got ", r1.size(),
          " and ", r2.size());
  std::vector<KernelParameters> of_head;
  for (std::size_t h = 0; h < by_offset.rows; ++h) {
    const KernelParameters& own = of_head.emplace_back(*this, heads.first + h);
    require(own.r1 > 0.0, "kerple: r1 must be greater than 0, got ", own.r1);
    require(own.r2 > 0.0, "kerple: r2 must be greater than 0, got ", own.r2);
    require(kind == KerpleKind::logarithmic || own.r2 <= 2.0,
            "kerple: r2 of the power kind must be at most 2, got ", own.r2);
  }
  fill_by_distance(by_offset, first, direction, [&](std::size_t h, double distance) {
    const auto [factor, rate] = of_head[h];
    const double grown = kind == KerpleKind::logarithmic ? portable::log1p(rate * distance)
                                                         : portable::pow(distance, rate);
    return 0.0 - factor * grown;
  });
}

void KerpleBias::backward(std::span<double> d, ConstMatrixView d_by_offset,
                          std::int64_t first) const {
  for (std::size_t h = 0; h < r1.size(); ++h) {
    const KernelParameters own(*this, h);
    double d_r1 = 0.0, d_r2 = 0.0;
    for (std::size_t c = 0; c < d_by_offset.cols; ++c) {
      const double distance = bias_distance(first + static_cast<std::int64_t>(c), direction);
      const double d_bias = d_by_offset.row(h)[c];
      if (distance == 0.0) continue;  // the bias is 0 whatever r1 and r2 are
      if (kind == KerpleKind::logarithmic) {
        d_r1 -= d_bias * portable::log1p(own.r2 * distance);
        d_r2 -= d_bias * own.r1 * distance / (1.0 + own.r2 * distance);
      } else {
        const double grown = portable::pow(distance, own.r2);
        d_r1 -= d_bias * grown;
        d_r2 -= d_bias * own.r1 * grown * portable::log(distance);
      }
    }
    d[h] = own.r1 == r1[h] ? d_r1 : 0.0;
    d[r1.size() + h] = own.r2 == r2[h] ? d_r2 : 0.0;
  }
}

void SandwichBias::fill(MatrixView by_offset, std::int64_t first, TableHeads heads) const {
  require_even("sandwich: dim", dim);
  require_positive("sandwich: base", base);
  const std::size_t pairs = dim / 2;
  const std::vector<double> frequencies =
      geometric_frequencies(pairs, base, static_cast<double>(pairs), first_pair);
  std::vector<double> sines(frequencies.size()), cosines(frequencies.size());
  const double center = zero_at_origin ? static_cast<double>(dim / 2) : 0.0;
  for (std::size_t c = 0; c < by_offset.cols; ++c) {
    const double distance = bias_distance(first + static_cast<std::int64_t>(c), direction);
    double sum = -center;
    std::ranges::transform(frequencies, sines.begin(), [&](double f) { return distance * f; });
    sincos(sines, sines, cosines);
    for (const double cosine : cosines) sum += cosine;
    for (std::size_t h = 0; h < by_offset.rows; ++h) {
      const double head = static_cast<double>(heads.first + h + 1);
      by_offset.row(h)[c] = static_cast<float>(sum / (8.0 * head / static_cast<double>(heads.all)));
    }
  }
}

}  // namespace ropewalk
