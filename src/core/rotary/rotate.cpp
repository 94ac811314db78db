#include "rotary/rotate.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "kernels/rotate_pairs.hpp"
#include "kernels/sincos.hpp"

namespace ropewalk {
namespace {

// Pairs whose cos and sin fit in the first-level cache, with the rows that they rotate.
constexpr std::size_t pairs_per_block = 2048;

std::size_t rows_per_block(std::size_t pairs) {
  return std::max<std::size_t>(1, pairs_per_block / std::max<std::size_t>(1, pairs));
}

void rotate_rows(const HeadRows& x, RotaryTableView table, RotaryLayout layout) {
  const auto rotate_pairs =
      layout == RotaryLayout::interleaved ? rotate_interleaved_pairs : rotate_split_pairs;
  rotate_pairs(x, table.cos, table.sin);
}

// Moves the pairs of every row from one layout to the other.
void reorder_rows(const HeadRows& x, std::size_t pairs, RotaryLayouts layouts) {
  std::vector<float> row(2 * pairs);
  const PairAddresses from(layouts.from, pairs), to(layouts.to, pairs);
  for (std::size_t h = 0; h < x.heads; ++h) {
    for (std::size_t r = 0; r < x.rows; ++r) {
      float* values = x.data + h * x.head_step + r * x.row_step;
      std::copy_n(values, row.size(), row.data());
      for (std::size_t i = 0; i < pairs; ++i) {
        values[to.first(i)] = row[from.first(i)];
        values[to.second(i)] = row[from.second(i)];
      }
    }
  }
}

// A few rows of a table, which the caller fills.
class TableBlock {
 public:
  // Of a table with so many rows.
  TableBlock(std::size_t pairs, std::size_t rows)
      : pairs_(pairs), rows_(std::min(rows_per_block(pairs), rows)), values_(2 * rows_ * pairs) {}

  MatrixView cos(std::size_t rows) { return {values_.data(), rows, pairs_}; }
  MatrixView sin(std::size_t rows) { return {values_.data() + rows_ * pairs_, rows, pairs_}; }

 private:
  std::size_t pairs_, rows_;
  std::vector<float> values_;
};

// rows_of(context, first, count) returns rows of the table. Each block of them rotates all heads
// that use it.
void rotate_in_blocks(std::span<const Heads> all, std::size_t pairs, std::size_t table_rows,
                      const RowSteps& steps, RotaryLayouts layouts,
                      RotaryTableView (*rows_of)(void*, std::size_t, std::size_t), void* context) {
  const auto& [data, batches, heads, length, dim, is_head_major] = all[0];
  for (const Heads& x : all) {
    assert(x.batches == batches && x.length == length && (x.heads == heads || steps.head == 0));
    require(2 * pairs <= x.dim, "rotate: the frequencies rotate ", 2 * pairs,
            " values, but a head has ", x.dim);
  }
  require(table_rows == steps.count(batches, heads, length), "rotate: positions must number ",
          length, " or ", batches * length, ", got ", table_rows);
  const std::size_t block = rows_per_block(pairs), batch_lists = steps.batch == 0 ? 1 : batches,
                    head_lists = steps.head == 0 ? 1 : heads;
  for (std::size_t list = 0; list < batch_lists * head_lists; ++list) {
    const std::size_t batch = list / head_lists, head = list % head_lists;
    for (std::size_t first = 0; first < length; first += block) {
      const std::size_t count = std::min(block, length - first);
      const RotaryTableView table = rows_of(context, steps.first(batch, head) + first, count);
      for (std::size_t b = batch; b < batches; b += batch_lists) {
        for (const Heads& x : all) {
          HeadRows rows = x.rows(b, first, count);
          rows.data += head * rows.head_step;
          rows.heads /= head_lists;
          rotate_rows(rows, table, layouts.from);
          if (layouts.from != layouts.to) reorder_rows(rows, pairs, layouts);
        }
      }
    }
  }
}

// The same with rows_of(first, count). One function for all, for the size of the binary.
template <class RowsOf>
void rotate_in_blocks(std::span<const Heads> all, std::size_t pairs, std::size_t table_rows,
                      const RowSteps& steps, RotaryLayouts layouts, RowsOf rows_of) {
  rotate_in_blocks(
      all, pairs, table_rows, steps, layouts,
      [](void* context, std::size_t first, std::size_t count) {
        return (*static_cast<RowsOf*>(context))(first, count);
      },
      &rows_of);
}

}  // namespace

std::vector<double> rotary_frequencies(std::size_t dim, double base) {
  require_even("rotary_frequencies: dim", dim);
  require_positive("rotary_frequencies: base", base);
  return geometric_frequencies(dim / 2, base, static_cast<double>(dim / 2));
}

RotaryTableView RotaryTable::view() const {
  const std::size_t rows = pairs == 0 ? 0 : cos.size() / pairs;
  return {{cos.data(), rows, pairs}, {sin.data(), rows, pairs}};
}

RotaryTable rotary_table(std::span<const double> positions, std::span<const double> frequencies,
                         double attention_factor) {
  const RotaryAngles angles{positions.size(), positions, frequencies, {}, attention_factor, {}};
  check_rotary_angles(angles);
  const std::size_t values = positions.size() * frequencies.size();
  RotaryTable table{frequencies.size(), std::vector<float>(values), std::vector<float>(values)};
  const auto view = [&](std::vector<float>& part) {
    return MatrixView(part.data(), angles.rows, table.pairs);
  };
  RotaryRows(angles).form(view(table.cos), view(table.sin), 0);
  return table;
}

RotaryTable table_of_angles(std::span<const double> angles, std::size_t pairs) {
  RotaryTable table{pairs, std::vector<float>(angles.size()), std::vector<float>(angles.size())};
  sincos(angles, table.sin, table.cos);
  return table;
}

void rotate(MatrixView x, const RotaryTable& table, RotaryLayout layout) {
  require(table.cos.size() == x.rows * table.pairs,
          "rotate: the table must have one row per row of x, got ",
          table.cos.size() / std::max<std::size_t>(table.pairs, 1), " for ", x.rows);
  require(2 * table.pairs <= x.cols, "rotate: the frequencies rotate ", 2 * table.pairs,
          " values, but a row has ", x.cols);
  rotate_rows({x.data, 1, 0, x.rows, x.stride}, table.view(), layout);
}

HeadRows Heads::rows(std::size_t batch, std::size_t first, std::size_t count) const {
  const std::size_t head_step = is_head_major ? length * dim : dim;
  const std::size_t row_step = is_head_major ? dim : heads * dim;
  float* start = data + batch * heads * length * dim + first * row_step;
  return {start, heads, head_step, count, row_step};
}

void rotate_heads(std::span<const Heads> all, const RowLists<double>& angles, std::size_t pairs,
                  RotaryLayouts layouts) {
  TableBlock block(pairs, angles.values.size() / pairs);
  rotate_in_blocks(all, pairs, angles.values.size() / pairs, angles.steps, layouts,
                   [&](std::size_t first, std::size_t count) {
                     const MatrixView cos = block.cos(count), sin = block.sin(count);
                     const std::size_t size = count * pairs;
                     sincos(angles.values.subspan(first * pairs, size), {sin.data, size},
                            {cos.data, size});
                     return RotaryTableView{cos, sin};
                   });
}

void rotate_heads(std::span<const Heads> all, const RotaryAngles& angles, RotaryLayouts layouts) {
  check_rotary_angles(angles);
  TableBlock block(angles.pairs(), angles.rows);
  RotaryRows rows(angles);
  rotate_in_blocks(all, angles.pairs(), angles.rows, angles.steps, layouts,
                   [&](std::size_t first, std::size_t count) {
                     const RotaryTableView table{block.cos(count), block.sin(count)};
                     rows.form(block.cos(count), block.sin(count), first);
                     return table;
                   });
}

void rotate_heads(const Heads& x, RotaryTableView table, const RowLists<std::size_t>& row_of,
                  RotaryLayouts layouts) {
  const std::size_t pairs = table.cos.cols;
  const std::span<const std::size_t> names = row_of.values;
  for (const std::size_t row : names) {
    require(row < table.cos.rows, "rotate: a position must be a row of the table, below ",
            table.cos.rows, ", got ", row);
  }
  const bool is_in_order = names.empty();
  TableBlock block(is_in_order ? 0 : pairs, names.size());
  rotate_in_blocks({&x, 1}, pairs, is_in_order ? table.cos.rows : names.size(), row_of.steps,
                   layouts, [&](std::size_t first, std::size_t count) {
                     const std::size_t at = first * pairs;
                     if (is_in_order)
                       return RotaryTableView{{table.cos.data + at, count, pairs},
                                              {table.sin.data + at, count, pairs}};
                     const MatrixView cos = block.cos(count), sin = block.sin(count);
                     for (std::size_t r = 0; r < count; ++r) {
                       std::ranges::copy(table.cos.row(names[first + r]), cos.row(r).begin());
                       std::ranges::copy(table.sin.row(names[first + r]), sin.row(r).begin());
                     }
                     return RotaryTableView{cos, sin};
                   });
}

std::vector<std::size_t> rotary_layout_permutation(std::size_t dim, std::size_t rotary_dim,
                                                   RotaryLayouts layouts) {
  require(rotary_dim % 2 == 0 && rotary_dim <= dim,
          "convert_rotary_layout: rotary_dim must be even and at most ", dim, ", got ", rotary_dim);
  std::vector<std::size_t> from(dim);
  std::iota(from.begin(), from.end(), std::size_t{0});
  const std::size_t pairs = rotary_dim / 2;
  const PairAddresses read(layouts.from, pairs), write(layouts.to, pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    from[write.first(i)] = read.first(i);
    from[write.second(i)] = read.second(i);
  }
  return from;
}

void convert_rotary_layout(std::span<float> to, std::span<const float> x, std::size_t dim,
                           std::size_t inner, std::size_t rotary_dim, RotaryLayouts layouts) {
  require(dim > 0 && inner > 0 && x.size() % (dim * inner) == 0 && to.size() == x.size(),
          "convert_rotary_layout: the values must be whole heads of ", dim, " x ", inner, ", got ",
          x.size());
  const std::vector<std::size_t> from = rotary_layout_permutation(dim, rotary_dim, layouts);
  for (std::size_t head = 0; head < x.size(); head += dim * inner) {
    for (std::size_t d = 0; d < dim; ++d) {
      std::copy_n(&x[head + from[d] * inner], inner, &to[head + d * inner]);
    }
  }
}

}  // namespace ropewalk
