#include "training/position.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/elementary.hpp"
#include "base/require.hpp"
#include "bias/distance.hpp"
#include "input/learned.hpp"
#include "input/sinusoidal.hpp"
#include "kernels/softmax.hpp"
#include "rotary/position_maps.hpp"
#include "training/layers.hpp"

namespace ropewalk {
namespace {

double softplus(double x) {
  return std::max(x, 0.0) + portable::log1p(portable::exp(-std::abs(x)));
}
double softplus_slope(double x) { return 1.0 / (1.0 + portable::exp(-x)); }

void fill_normal(std::span<float> values, Random& random, double deviation) {
  for (float& value : values) value = static_cast<float>(deviation * random.normal());
}

// From `low` for the first to `high` for the last.
void fill_evenly(std::span<float> values, double low, double high) {
  const double steps = std::max<double>(1.0, static_cast<double>(values.size()) - 1.0);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(low + (high - low) * static_cast<double>(i) / steps);
}

}  // namespace

PositionScheme::PositionScheme(const PositionOptions& options, const ModelShape& shape,
                               ParameterList& parameters)
    : options_(options), shape_(shape), parameters_(parameters), layers_(shape.layers) {
  const std::size_t width = shape.width, heads = shape.heads;
  const auto add = [&](const char* name, std::size_t rows, std::size_t cols) {
    return parameters.add(name, rows, cols);
  };
  const auto add_to = [&](LayerParameters& own, const std::string& prefix) {
    switch (options.kind) {
      case PositionKind::t5:
        own.first = add((prefix + "t5.table").c_str(), options.buckets, heads);
        break;
      case PositionKind::kerple:
        own = {add((prefix + "kerple.r1").c_str(), 1, heads),
               add((prefix + "kerple.r2").c_str(), 1, heads)};
        break;
      case PositionKind::fire:
        own = {add((prefix + "fire.w1").c_str(), 1, options.hidden),
               add((prefix + "fire.b1").c_str(), 1, options.hidden),
               add((prefix + "fire.w2").c_str(), options.hidden, heads)};
        break;
      case PositionKind::cope:
        own.first = add((prefix + "cope.e").c_str(), options.rows, head_width());
        break;
      case PositionKind::fox:
        own = {add((prefix + "Wf").c_str(), width, heads), add((prefix + "bf").c_str(), 1, heads)};
        break;
      default:
        break;
    }
  };
  const bool per_layer = options.is_per_layer || options.kind == PositionKind::fox;
  for (std::size_t l = 0; l < shape.layers; ++l) {
    if (per_layer) {
      add_to(layers_[l], "blocks." + std::to_string(l) + ".");
    } else if (l == 0) {
      add_to(layers_[0], "");
    } else {
      layers_[l] = layers_[0];
    }
  }
  const std::size_t pairs = head_width() / 2;
  switch (options.kind) {
    case PositionKind::learned:
      require(options.rows > 0, "position: rows must be at least 1, got ", options.rows);
      layers_[0].first = add("pos", options.rows, width);
      break;
    case PositionKind::rope:
    case PositionKind::xpos:
      require_even("position: the head width", head_width());
      trained_frequencies_ = rotary_frequencies(2 * pairs, options.base);
      break;
    case PositionKind::alibi:
      alibi_slopes_ = alibi_slopes(heads);
      break;
    case PositionKind::t5:
      buckets_.emplace(T5Direction::causal, static_cast<std::int64_t>(options.buckets),
                       static_cast<std::int64_t>(options.max_distance));
      break;
    default:
      break;
  }
}

void PositionScheme::initialize(Random& random) {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const LayerParameters& own = layers_[l];
    if (l > 0 && own.first == layers_[0].first) break;
    switch (options_.kind) {
      case PositionKind::learned:
        return fill_normal(
            std::span(parameters_.row(own.first).data(), options_.rows * shape_.width), random,
            0.5);
      case PositionKind::kerple:
        fill_evenly(parameters_.row(own.first), 0.5, 2.0);
        std::ranges::fill(parameters_.row(own.second), 1.0f);
        break;
      case PositionKind::fire:
        // Kinks spread over [0, 1], where the inputs are.
        for (std::size_t i = 0; i < options_.hidden; ++i) {
          const double weight = random.normal();
          const double kink = (static_cast<double>(i) + 0.5) / static_cast<double>(options_.hidden);
          parameters_.row(own.first)[i] = static_cast<float>(weight);
          parameters_.row(own.second)[i] = static_cast<float>(-weight * kink);
        }
        fill_normal({parameters_.row(own.third).data(), options_.hidden * shape_.heads}, random,
                    1.0 / std::sqrt(static_cast<double>(options_.hidden)));
        break;
      case PositionKind::cope:
        fill_normal({parameters_.row(own.first).data(), options_.rows * head_width()}, random,
                    0.02);
        break;
      case PositionKind::fox:
        fill_evenly(parameters_.row(own.second), 0.0, 5.0);  // heads begin with different memories
        break;
      default:
        break;
    }
  }
}

double PositionScheme::last_position() const {
  return counts_up_ ? static_cast<double>(length_) - 1.0 : std::ranges::max(positions_);
}

void PositionScheme::begin(std::size_t batches, std::size_t length,
                           std::span<const double> positions, const RotaryUse& rotary) {
  require(positions.empty() || positions.size() == length || positions.size() == batches * length,
          "position: positions must have ", length, " or ", batches * length, " values, got ",
          positions.size());
  batches_ = batches;
  length_ = length;
  counts_up_ = positions.empty();
  positions_.assign(positions.begin(), positions.end());
  if (counts_up_) {
    positions_.resize(length);
    for (std::size_t i = 0; i < length; ++i) positions_[i] = static_cast<double>(i);
  }
  use_ = rotary;
  frequencies_ = rotary.frequencies.empty() ? trained_frequencies_ : rotary.frequencies;
  require(options_.kind != PositionKind::rope || frequencies_.size() <= head_width() / 2,
          "position: frequencies must be at most ", head_width() / 2, ", got ",
          frequencies_.size());
}

void PositionScheme::add_to_input(MatrixView x) {
  if (options_.kind != PositionKind::sinusoidal && options_.kind != PositionKind::learned) return;
  std::vector<float> numbers(positions_.size() * shape_.width);
  const MatrixView rows(numbers.data(), positions_.size(), shape_.width);
  if (options_.kind == PositionKind::learned) {
    look_up(rows, parameters_.values(layers_[0].first), positions_);
  } else {
    SinusoidOptions options{.base = options_.base};
    if (options_.is_half_split) options.layout = SinusoidLayout::half_split;
    sinusoidal(rows, positions_, options);
  }
  for (std::size_t r = 0; r < x.rows; ++r) add(x.row(r), rows.row(r % rows.rows));
}

void PositionScheme::add_to_input_backward(ConstMatrixView d_x) {
  if (options_.kind != PositionKind::learned) return;
  const MatrixView d_table = parameters_.gradients(layers_[0].first);
  for (std::size_t r = 0; r < d_x.rows; ++r)
    add(d_table.row(static_cast<std::size_t>(positions_[r % positions_.size()])), d_x.row(r));
}

void PositionScheme::apply_xpos(MatrixView x, XposRole role, bool transposed) const {
  const std::size_t rows = positions_.size(), pairs = frequencies_.size();
  std::vector<double> wide_cos(rows * pairs), wide_sin(rows * pairs);
  const DoubleMatrixView cos(wide_cos.data(), rows, pairs), sin(wide_sin.data(), rows, pairs);
  rotary_table(cos, sin, {.rows = rows, .coordinates = positions_, .frequencies = frequencies_});
  scale_xpos(cos, sin, positions_, role, {options_.scale_base, options_.gamma, 0.0});
  std::vector<float> narrow_cos(wide_cos.begin(), wide_cos.end()), narrow_sin(rows * pairs);
  for (std::size_t i = 0; i < narrow_sin.size(); ++i)
    narrow_sin[i] = static_cast<float>(transposed ? -wide_sin[i] : wide_sin[i]);
  rotate_heads({x.data, batches_, shape_.heads, length_, head_width(), false},
               {{narrow_cos.data(), rows, pairs}, {narrow_sin.data(), rows, pairs}}, {},
               {RotaryLayout::interleaved, RotaryLayout::interleaved});
}

void PositionScheme::rotate(MatrixView queries, MatrixView keys) {
  if (options_.kind != PositionKind::xpos) return;
  apply_xpos(queries, XposRole::query, false);
  apply_xpos(keys, XposRole::key, false);
}

void PositionScheme::rotate_backward(MatrixView d_queries, MatrixView d_keys) {
  if (options_.kind != PositionKind::xpos) return;
  apply_xpos(d_queries, XposRole::query, true);
  apply_xpos(d_keys, XposRole::key, true);
}

void PositionScheme::fill_kerple(const LayerParameters& own) {
  for (auto [values, index] : {std::pair(&r1_, own.first), std::pair(&r2_, own.second)}) {
    const std::span<const float> parameter = parameters_.row(index);
    values->assign(parameter.begin(), parameter.end());
    if (options_.is_softplus) std::ranges::transform(*values, values->begin(), softplus);
  }
}

// The biases of the distances -last_position() ... 0.
void PositionScheme::fill_lists(const LayerParameters& own) {
  const auto count = static_cast<std::size_t>(last_position()) + 1;
  const std::int64_t first = 1 - static_cast<std::int64_t>(count);
  lists_.resize(shape_.heads * count);
  const MatrixView lists(lists_.data(), shape_.heads, count);
  if (options_.kind == PositionKind::alibi) {
    alibi(lists, first, alibi_slopes_);
  } else if (options_.kind == PositionKind::t5) {
    t5_bias(lists, first, parameters_.values(own.first), *buckets_);
    scale(lists_, static_cast<float>(options_.table_scale));
  } else {
    fill_kerple(own);
    kerple(lists, first, KerpleKind::logarithmic, r1_, r2_);
  }
}

void PositionScheme::collect_lists(const LayerParameters& own) {
  const std::size_t count = lists_.size() / shape_.heads;
  const std::int64_t first = 1 - static_cast<std::int64_t>(count);
  const MatrixView d_lists(d_lists_.data(), shape_.heads, count);
  if (options_.kind == PositionKind::t5) {
    scale(d_lists_, static_cast<float>(options_.table_scale));
    t5_bias_backward(parameters_.gradients(own.first), d_lists, first, *buckets_);
  } else if (options_.kind == PositionKind::kerple) {
    std::vector<double> d_r1(shape_.heads), d_r2(shape_.heads);
    kerple_backward(d_r1, d_r2, d_lists, first, KerpleKind::logarithmic, r1_, r2_);
    for (auto [d, index] : {std::pair(&d_r1, own.first), std::pair(&d_r2, own.second)}) {
      for (std::size_t h = 0; h < shape_.heads; ++h) {
        const double slope = options_.is_softplus ? softplus_slope(parameters_.row(index)[h]) : 1.0;
        parameters_.gradients(index).row(0)[h] += static_cast<float>((*d)[h] * slope);
      }
    }
  }
}

// The package's layers store weights as outputs x inputs; the list has hidden x heads.
BiasNetwork PositionScheme::fire_network(const LayerParameters& own) {
  const std::size_t hidden = options_.hidden, heads = shape_.heads;
  head_weights_.resize(heads * hidden);
  for (std::size_t i = 0; i < hidden; ++i) {
    for (std::size_t h = 0; h < heads; ++h)
      head_weights_[h * hidden + i] = parameters_.values(own.third).row(i)[h];
  }
  return {{parameters_.row(own.first).data(), hidden, 1},
          parameters_.row(own.second),
          {head_weights_.data(), heads, hidden},
          {}};
}

void PositionScheme::attach(AttentionCall& call, std::size_t layer, ConstMatrixView h, float* d_q) {
  const LayerParameters& own = layers_[layer];
  const bool has_gradient = d_q != nullptr;
  const auto gradient_of = [&](std::vector<float>& values, std::vector<float>& gradient) {
    gradient.assign(has_gradient ? values.size() : 0, 0.0f);
    return has_gradient ? gradient.data() : nullptr;
  };
  modifier_ = nullptr;
  switch (options_.kind) {
    case PositionKind::rope:
      rotary_.frequencies = frequencies_;
      rotary_.attention_factor = use_.attention_factor;
      rotary_.layout =
          options_.is_half_split ? RotaryLayout::half_split : RotaryLayout::interleaved;
      if (counts_up_) {
        set_rotations(mapped_, use_.map, call);
        rotary_.rotations = mapped_.rotations;
      } else {
        plain_ = {positions_, positions_};
        rotary_.rotations = {&plain_, 1};
      }
      call.rotary = &rotary_;
      break;
    case PositionKind::alibi:
    case PositionKind::t5:
    case PositionKind::kerple: {
      fill_lists(own);
      float* const d_lists = gradient_of(lists_, d_lists_);
      const auto first = 1 - static_cast<std::int64_t>(lists_.size() / shape_.heads);
      if (counts_up_) {
        modifier_ = &distance_bias_.emplace(lists_, shape_.heads, first, d_lists);
      } else {
        modifier_ = &position_bias_.emplace(lists_, shape_.heads, first, positions_, d_lists);
      }
      break;
    }
    case PositionKind::fire: {
      require(positions_.size() == length_,
              "position: fire takes one list of positions for all sequences, got ",
              positions_.size(), " positions");
      lists_.resize(shape_.heads * length_ * length_);
      fire({lists_.data(), shape_.heads * length_, length_}, positions_, positions_,
           fire_network(own),
           {.c = options_.c, .threshold = options_.threshold, .epsilon = options_.epsilon});
      modifier_ = &bias_.emplace(lists_, BroadcastShape{{1, shape_.heads, length_, length_}},
                                 gradient_of(lists_, d_lists_));
      break;
    }
    case PositionKind::cope:
      modifier_ =
          &contextual_bias_.emplace(call.q, parameters_.values(own.first), d_q,
                                    has_gradient ? parameters_.gradients(own.first) : MatrixView());
      break;
    case PositionKind::fox: {
      // Gates come as (tokens, heads) and are read as (batches, heads, length).
      std::vector<float> by_token(h.rows * shape_.heads);
      linear_forward({by_token.data(), h.rows, shape_.heads}, h, parameters_.values(own.first),
                     scratch_);
      gates_.resize(by_token.size());
      for (std::size_t r = 0; r < h.rows; ++r) {
        for (std::size_t head = 0; head < shape_.heads; ++head) {
          gates_[(r / length_ * shape_.heads + head) * length_ + r % length_] =
              by_token[r * shape_.heads + head] + parameters_.row(own.second)[head];
        }
      }
      sums_.resize(gates_.size());
      prefix_sums(sums_, gates_, batches_ * shape_.heads, PrefixTerm::log_sigmoid);
      d_sums_.assign(has_gradient ? sums_.size() : 0, 0.0);
      modifier_ = &prefix_sum_bias_.emplace(sums_, d_sums_);
      break;
    }
    default:
      break;
  }
  if (modifier_) call.modifiers = {&modifier_, 1};
}

void PositionScheme::collect(std::size_t layer, ConstMatrixView h, MatrixView d_h) {
  const LayerParameters& own = layers_[layer];
  switch (options_.kind) {
    case PositionKind::t5:
    case PositionKind::kerple:
      collect_lists(own);
      break;
    case PositionKind::fire: {
      const std::size_t hidden = options_.hidden, heads = shape_.heads;
      std::vector<float> d_head_weights(heads * hidden);
      fire_backward(
          {.hidden_weights = {parameters_.gradients(own.first).data, hidden, 1},
           .hidden_bias = parameters_.gradients(own.second).row(0),
           .head_weights = {d_head_weights.data(), heads, hidden},
           .head_bias = {}},
          {d_lists_.data(), heads * length_, length_}, positions_, positions_, fire_network(own),
          {.c = options_.c, .threshold = options_.threshold, .epsilon = options_.epsilon});
      for (std::size_t i = 0; i < hidden; ++i) {
        for (std::size_t head = 0; head < heads; ++head)
          parameters_.gradients(own.third).row(i)[head] += d_head_weights[head * hidden + i];
      }
      break;
    }
    case PositionKind::fox: {
      d_gates_.resize(gates_.size());
      prefix_sums_backward(d_gates_, d_sums_, gates_, batches_ * shape_.heads,
                           PrefixTerm::log_sigmoid);
      std::vector<float> by_token(d_gates_.size()), d_more(h.rows * h.cols);
      for (std::size_t r = 0; r < h.rows; ++r) {
        for (std::size_t head = 0; head < shape_.heads; ++head) {
          const float d = d_gates_[(r / length_ * shape_.heads + head) * length_ + r % length_];
          by_token[r * shape_.heads + head] = d;
          parameters_.gradients(own.second).row(0)[head] += d;
        }
      }
      linear_backward({d_more.data(), h.rows, h.cols}, parameters_.gradients(own.first),
                      {by_token.data(), h.rows, shape_.heads}, h, parameters_.values(own.first),
                      scratch_);
      for (std::size_t r = 0; r < h.rows; ++r)
        add(d_h.row(r), std::span(d_more).subspan(r * h.cols, h.cols));
      break;
    }
    default:
      break;
  }
}

}  // namespace ropewalk
