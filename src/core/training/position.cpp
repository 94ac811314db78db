#include "training/position.hpp"

#include <algorithm>

#include "base/require.hpp"
#include "kernels/rows.hpp"
#include "training/position_schemes.hpp"

namespace ropewalk {

std::vector<PositionKind> position_kinds() {
  std::vector<PositionKind> all;
  for (const std::span<const PositionKind> kinds :
       {input_kinds, rotary_kinds, bias_kinds, text_rotary_kinds, text_bias_kinds, product_kinds})
    all.insert(all.end(), kinds.begin(), kinds.end());
  return all;
}

std::size_t position_kind(std::string_view name) {
  const std::vector<PositionKind> kinds = position_kinds();
  const auto found = std::ranges::find(kinds, name, &PositionKind::name);
  require(found != kinds.end(), "position: kind must be one of the list");
  return static_cast<std::size_t>(found - kinds.begin());
}

RotaryTableView SharedRotaryTables::of(std::span<const double> positions,
                                       std::span<const double> frequencies,
                                       double attention_factor) {
  for (const Entry& entry : entries_)
    if (entry.attention_factor == attention_factor &&
        std::ranges::equal(entry.frequencies, frequencies))
      return entry.table.view();
  // Built before it is moved: clang++ 14 makes no aggregate from parentheses.
  return entries_
      .emplace_back(Entry{{frequencies.begin(), frequencies.end()},
                          attention_factor,
                          rotary_table(positions, frequencies, attention_factor)})
      .table.view();
}

void InputScheme::forward(MatrixView x) {
  std::vector<float> numbers;
  const MatrixView rows = resized(numbers, setup_.sequences.positions.size(), x.cols);
  fill(rows);
  for (std::size_t r = 0; r < x.rows; ++r) add(x.row(r), rows.row(r % rows.rows));
}

Linear LayerScheme::add_linear(const char* weights, const char* bias, std::size_t rows,
                               std::size_t cols) {
  return {parameters_, {prefix_ + weights, *bias ? prefix_ + bias : ""}, rows, cols};
}

void LayerScheme::attach_modifier(AttentionCall& call, const ScoreModifier& modifier) {
  std::vector<const ScoreModifier*> modifiers(call.modifiers.begin(), call.modifiers.end());
  insert_modifier(modifiers, modifier);
  modifiers_ = std::move(modifiers);
  call.modifiers = modifiers_;
}

PositionScheme::PositionScheme(const PositionOptions& options, const ModelShape& shape,
                               ParameterList& parameters)
    : options_(options), shape_(shape), parameters_(parameters) {
  const std::vector<PositionKind> kinds = position_kinds();
  require(options.kind < kinds.size(), "position: kind must be below ", kinds.size(), ", got ",
          options.kind);
  const PositionKind& kind = kinds[options.kind];
  const PositionSetup setup{options_, shape_, sequences_, parameters};
  if (kind.input) input_ = kind.input(setup);
  const bool is_shared =
      kind.sharing == Sharing::all || (kind.sharing == Sharing::by_option && !options.is_per_layer);
  for (std::size_t l = 0; l < (is_shared ? 1 : shape.layers); ++l)
    layers_.push_back(kind.layer(setup, is_shared ? "" : layer_prefix(l)));
}

void PositionScheme::give(std::span<const GivenPosition> layers, bool drops_input) {
  require(layers.size() == shape_.layers, "position: layers must have ", shape_.layers,
          " values, got ", layers.size());
  const PositionSetup setup{options_, shape_, sequences_, parameters_};
  std::vector<std::unique_ptr<LayerScheme>> schemes;
  for (const GivenPosition& layer : layers) schemes.push_back(make_given(setup, layer));
  layers_ = std::move(schemes);
  adds_input_ = !drops_input;
  is_given_ = true;
}

void PositionScheme::initialize(Random& random) {
  if (input_) input_->initialize(random);
  for (const auto& layer : layers_) layer->initialize(random);
}

void PositionScheme::begin(std::size_t batches, std::size_t length,
                           std::span<const double> positions, const RotaryUse& rotary,
                           std::size_t past) {
  require(past == 0 || is_given_, "position: past must be 0 unless positions are given, got ",
          past);
  require(positions.empty() || positions.size() == length || positions.size() == batches * length,
          "position: positions must have ", length, " or ", batches * length, " values, got ",
          positions.size());
  const bool has_map = rotary.map.kind != PositionMapKind::plain;
  if (!layer(0).has_rotary_use()) {
    require(rotary.frequencies.empty(),
            "position: frequencies must be left out unless the scheme is rope, ssmax or selective, "
            "got ",
            rotary.frequencies.size());
    require(!has_map,
            "position: map must be left out unless the scheme is rope, ssmax or selective");
  }
  require(!has_map || positions.empty(),
          "position: map must be left out where positions are given, got ", positions.size());
  const RowSteps steps{positions.size() > length ? length : 0};
  sequences_ = {
      batches, length, {positions.begin(), positions.end()}, steps, positions.empty(), rotary,
      past,    {}};
  for (std::size_t i = 0; positions.empty() && i < length; ++i)
    sequences_.positions.push_back(static_cast<double>(past + i));
  for (const auto& layer : layers_) layer->begin();
}

}  // namespace ropewalk
