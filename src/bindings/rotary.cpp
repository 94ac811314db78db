// Rotary positions: frequencies, tables, rotation and layouts.
#include "bindings/boundary.hpp"
#include "kernels/sincos.hpp"
#include "rotary/accumulated.hpp"
#include "rotary/angles.hpp"
#include "rotary/rotate.hpp"

namespace ropewalk::bindings {
namespace {

// The heads of x, resident at an address or (0) in the transfer buffer, and the rotation to apply.
// The angles follow as doubles in the transfer buffer: positions (axes x rows), frequencies
// (pairs), then, if axes > 1, the axis of each pair.
struct RotateCall {
  Pointer address;
  std::size_t batches, heads, length, dim;
  bool is_head_major;
  RotaryLayout from, to;
  std::size_t rows, pairs;

  std::span<float> values() const { return floats_at(address, batches * heads * length * dim); }
  Heads of(std::span<float> x) const {
    return {x.data(), batches, heads, length, dim, is_head_major};
  }
  RowSteps steps(std::size_t count) const {
    return RowSteps::of(count, batches, is_head_major ? heads : 1, length, {.batch = length});
  }
};

std::vector<std::size_t> whole_numbers(std::span<const double> numbers) {
  return {numbers.begin(), numbers.end()};
}

// Reads angles, and holds the data that they point to.
struct ReceivedAngles {
  std::vector<std::size_t> axis_of_pair;
  RotaryAngles angles;

  ReceivedAngles(std::size_t axes, std::size_t rows, std::size_t pairs, double attention_factor) {
    angles.rows = rows;
    angles.coordinates = doubles_in.take(axes * rows);
    angles.frequencies = doubles_in.take(pairs);
    if (axes > 1) axis_of_pair = whole_numbers(doubles_in.take(pairs));
    angles.axis_of_pair = axis_of_pair;
    angles.attention_factor = attention_factor;
  }
};

Pointer rotate_by_angles(const RotateCall& call, std::size_t axes, double attention_factor) {
  return guarded([&] {
    ReceivedAngles received(axes, call.rows, call.pairs, attention_factor);
    received.angles.steps = call.steps(call.rows);
    const std::span<float> x = call.values();
    rotate_heads(call.of(x), received.angles, {call.from, call.to});
    return x;
  });
}

// floats: x unless resident, then, unless the table is, cos and sin (table_rows x pairs); doubles:
// the table's row for each position. The call's rows are those of the table, from `first` on.
Pointer rotate_by_table(const RotateCall& call, Pointer table, std::size_t table_rows,
                        std::size_t first, std::size_t positions) {
  return guarded([&] {
    const std::span<float> x = call.values();
    const std::size_t size = table_rows * call.pairs, skipped = first * call.pairs;
    const float* const cos = floats_at(table, 2 * size).data() + skipped;
    const auto row_of = whole_numbers(doubles_in.take(positions));
    rotate_heads(call.of(x), {{cos, call.rows, call.pairs}, {cos + size, call.rows, call.pairs}},
                 {row_of, call.steps(positions == 0 ? call.rows : positions)},
                 {call.from, call.to});
    return x;
  });
}

Pointer angle_list(std::size_t axes, std::size_t rows, std::size_t pairs) {
  return guarded([&] {
    const ReceivedAngles received(axes, rows, pairs, 1.0);
    check_rotary_angles(received.angles);
    const std::span<double> out = doubles_out.reserve(rows * pairs);
    rotary_angles({out.data(), rows, pairs}, received.angles);
    return out;
  });
}

// cos, then sin: both rows x pairs in doubles_out.
struct DoubleTable {
  std::span<double> both;
  DoubleMatrixView cos, sin;

  DoubleTable(std::size_t rows, std::size_t pairs)
      : both(doubles_out.reserve(2 * rows * pairs)),
        cos(both.data(), rows, pairs),
        sin(both.data() + rows * pairs, rows, pairs) {}
};

Pointer table_of_angles(std::size_t axes, std::size_t rows, std::size_t pairs,
                        double attention_factor) {
  return guarded([&] {
    const ReceivedAngles received(axes, rows, pairs, attention_factor);
    check_rotary_angles(received.angles);
    const DoubleTable table(rows, pairs);
    rotary_table(table.cos, table.sin, received.angles);
    return table.both;
  });
}

// doubles: positions
Pointer table_of_base(std::size_t rows, std::size_t dim, double base) {
  return guarded([&] {
    const ExactFrequencies exact = exact_rotary_frequencies(dim, base);
    const RotaryAngles angles{rows, doubles_in.take(rows), exact.heads, {}, 1.0, exact.tails};
    check_rotary_angles(angles);
    const DoubleTable table(rows, angles.pairs());
    rotary_table(table.cos, table.sin, angles);
    return table.both;
  });
}

Pointer table_of_xpos(std::size_t rows, std::size_t pairs, double attention_factor, XposRole role,
                      double scale_base, double gamma, double center) {
  return guarded([&] {
    const ReceivedAngles received(1, rows, pairs, attention_factor);
    check_rotary_angles(received.angles);
    const DoubleTable table(rows, pairs);
    rotary_table(table.cos, table.sin, received.angles);
    scale_xpos(table.cos, table.sin, received.angles.coordinates, role,
               {scale_base, gamma, center});
    return table.both;
  });
}

// floats: increments, heads x length x width; doubles: temperatures, state (heads x width).
// Result: angles, then the state after the last token.
Pointer accumulated_angles(std::size_t heads, std::size_t length, std::size_t width,
                           std::size_t pairs, std::size_t temperatures, AngleSum sum) {
  return guarded([&] {
    const std::span<double> given = doubles_in.take(temperatures);
    const std::span<double> start = doubles_in.take(heads * width);
    const std::size_t count = heads * length * pairs;
    const std::span<double> all = doubles_out.reserve(count + start.size());
    std::ranges::copy(start, all.begin() + count);
    accumulate_angles(
        all.first(count), all.subspan(count),
        {heads, length, width, pairs, floats_in.take(heads * length * width), given, sum});
    return all;
  });
}

Pointer temperature_list(std::size_t pairs, AngleTemperature kind, double base, double max) {
  return guarded([&] { return doubles_out.assign(angle_temperatures(pairs, kind, base, max)); });
}

// doubles: angles. Result: cos, then sin
Pointer table_of_given_angles(std::size_t count) {
  return guarded([&] {
    const std::span<double> angles = doubles_in.take(count);
    const std::span<double> both = doubles_out.reserve(2 * count);
    sincos(angles, both.subspan(count), both.first(count));
    return both;
  });
}

// floats: x, outer x dim x inner
Pointer converted_layout(std::size_t outer, std::size_t dim, std::size_t inner,
                         std::size_t rotary_dim, RotaryLayout from, RotaryLayout to) {
  return guarded([&] {
    const std::span<float> x = floats_in.take(outer * dim * inner);
    const std::span<float> converted = floats_out.reserve(x.size());
    convert_rotary_layout(converted, x, dim, inner, rotary_dim, {from, to});
    return converted;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(rotary) {
  using namespace emscripten;
  enum_<RotaryLayout>("RotaryLayout", enum_value_type::string)
      .value("interleaved", RotaryLayout::interleaved)
      .value("half-split", RotaryLayout::half_split);
  enum_<XposRole>("XposRole", enum_value_type::string)
      .value("query", XposRole::query)
      .value("key", XposRole::key);
  enum_<AngleSum>("AngleSum", enum_value_type::string)
      .value("inclusive", AngleSum::inclusive)
      .value("exclusive", AngleSum::exclusive)
      .value("each", AngleSum::each);
  enum_<AngleTemperature>("AngleTemperature", enum_value_type::string)
      .value("rope", AngleTemperature::rope)
      .value("rfa", AngleTemperature::rfa);
  value_object<RotateCall>("RotateCall")
      .field("address", &RotateCall::address)
      .field("batches", &RotateCall::batches)
      .field("heads", &RotateCall::heads)
      .field("length", &RotateCall::length)
      .field("dim", &RotateCall::dim)
      .field("isHeadMajor", &RotateCall::is_head_major)
      .field("from", &RotateCall::from)
      .field("to", &RotateCall::to)
      .field("rows", &RotateCall::rows)
      .field("pairs", &RotateCall::pairs);
  function("rotate", &rotate_by_angles);
  function("rotateByTable", &rotate_by_table);
  function("rotaryAngles", &angle_list);
  function("rotaryTable", &table_of_angles);
  function("rotaryTableOfBase", &table_of_base);
  function("xposTable", &table_of_xpos);
  function("accumulatedAngles", &accumulated_angles);
  function("angleTemperatures", &temperature_list);
  function("tableOfAngles", &table_of_given_angles);
  function("convertRotaryLayout", &converted_layout);
}

}  // namespace ropewalk::bindings
