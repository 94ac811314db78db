// Gradients of drawn calls of attention beside those of whole matrices in double.
#include "attention/backward.hpp"
#include "fuzz/core/cases.hpp"

namespace ropewalk::fuzz {
namespace {

// A sum in double, with how far rounding may carry the floats from it.
struct Bounded {
  double value = 0, error = 0, magnitude = 0;
  std::size_t terms = 0;

  void add(double term, double term_error) {
    value += term;
    error += term_error;
    magnitude += std::abs(term);
    ++terms;
  }
  // Each term is rounded once by each addition after it, and a few times before.
  void compare(Comparison& comparison, float actual) const {
    comparison.add(actual, value,
                   error + rounding * double(terms + 12) * magnitude + smallest_normal);
  }
};

// The gradients of one head, with their errors.
class HeadGradients {
 public:
  HeadGradients(const AttentionCallCase& call, std::size_t batch, std::size_t head,
                const float* d_output)
      : call_(call),
        first_query_(double(call.first_query(batch))),
        one_(call.head(batch, head)),
        exact_(one_.expected()),
        d_output_(one_.q.rows, one_.v.cols, {d_output, d_output + one_.q.rows * one_.v.cols}),
        d_(reference::attend_backward(exact_, one_.v.view(), one_.terms(), d_output_.view())) {
    for (std::size_t m = 0; m < one_.q.rows; ++m) find_errors(m);
  }

  void add_to_v(std::vector<Bounded>& d_v) const {
    for (std::size_t n = 0; n < one_.v.rows; ++n) {
      for (std::size_t m = 0; m < one_.q.rows; ++m) {
        const double weight = exact_.weights[m][n];
        if (weight == 0) continue;
        for (std::size_t c = 0; c < one_.v.cols; ++c) {
          const double d = d_output_.at(m, c);
          d_v[n * one_.v.cols + c].add(weight * d, std::abs(d) * weight_error_[m][n]);
        }
      }
    }
  }

  // use(m, n, gradient of the biased score, its error)
  template <class Use>
  void for_each_biased(Use use) const {
    for (std::size_t m = 0; m < one_.q.rows; ++m) {
      for (std::size_t n = 0; n < one_.k.rows; ++n)
        if (exact_.weights[m][n] != 0) use(m, n, d_.biased[m][n], biased_error_[m][n]);
    }
  }

  void add_to_sink(Bounded& d_sink) const { d_sink.add(d_.sink, sink_error_); }

  // Both operands of the products, each rotated as the other sees it.
  void add_to_products(std::vector<Bounded>& d_q, std::vector<Bounded>& d_k) const {
    const std::size_t dim = one_.q.cols;
    for (std::size_t m = 0; m < one_.q.rows; ++m) {
      for (std::size_t n = 0; n < one_.k.rows; ++n) {
        if (exact_.weights[m][n] == 0) continue;
        const double d = d_.products[m][n], error = product_error_[m][n];
        const double at =
            call_.map ? relative_position(*call_.map, first_query_ + double(m), double(n)) : 0;
        add_rotated(&d_q[m * dim], one_.k.view().row(n), at, d, error);
        add_rotated(&d_k[n * dim], one_.q.view().row(m), -at, d, error);
      }
    }
  }

 private:
  // to += d * x rotated back by the angles at a relative position. A rotation there and one back
  // round each value 20 times, relative to the length of its pair.
  void add_rotated(Bounded* to, std::span<const float> x, double at, double d, double error) const {
    const std::size_t pairs = call_.map ? call_.frequencies.size() : 0;
    const bool is_split = call_.layout == RotaryLayout::half_split;
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::size_t a = is_split ? i : 2 * i, b = is_split ? i + pairs : 2 * i + 1;
      const double angle = at * call_.frequencies[i], cos = std::cos(angle), sin = std::sin(angle);
      const double length = std::hypot(x[a], x[b]);
      const double pair_error = length * (error + 20 * rounding * std::abs(d));
      to[a].add(d * (x[a] * cos + x[b] * sin), pair_error);
      to[b].add(d * (x[b] * cos - x[a] * sin), pair_error);
      to[a].magnitude += std::abs(d) * length;  // each sum is formed in the rotated pair
      to[b].magnitude += std::abs(d) * length;
    }
    for (std::size_t c = 2 * pairs; c < x.size(); ++c) to[c].add(d * x[c], std::abs(x[c]) * error);
  }

  // A weight is exp(score - log-sum-exp): the errors of both, and of exp.
  double relative_error(double row_error, double log_sum_exp, double score) const {
    const double of_sum = row_error + 4 * rounding * (std::abs(log_sum_exp) + 8);
    const double distance = std::abs(score - log_sum_exp);
    return std::expm1(row_error + of_sum + rounding * distance + exp_error(distance));
  }

  void find_errors(std::size_t m) {
    const std::size_t keys = one_.k.rows, dim = one_.v.cols;
    weight_error_.emplace_back(keys);
    biased_error_.emplace_back(keys);
    product_error_.emplace_back(keys);
    const double of_row = one_.weight_error(m, exact_), log_sum_exp = exact_.log_sum_exp[m];
    std::vector<double> d_weights(keys), magnitudes(keys);
    double delta = 0, delta_magnitude = 0, largest = 0;
    for (std::size_t n = 0; n < keys; ++n) {
      for (std::size_t c = 0; c < dim; ++c) {
        const double term = double(d_output_.at(m, c)) * one_.v.at(n, c);
        d_weights[n] += term;
        magnitudes[n] += std::abs(term);
      }
      delta += exact_.weights[m][n] * d_weights[n];
      delta_magnitude += exact_.weights[m][n] * magnitudes[n];
      largest = std::max(largest, magnitudes[n]);
    }
    // delta is d_output . output: the output's own error, and that of the inner product.
    const double lost = least_weight * double(keys) * largest;
    const double delta_error =
        (of_row + rounding * double(keys + dim + 12)) * delta_magnitude + lost;
    for (std::size_t n = 0; n < keys; ++n) {
      const double weight = exact_.weights[m][n];
      if (weight == 0) continue;
      const double relative = relative_error(of_row, log_sum_exp, exact_.biased[m][n]);
      const double apart = std::abs(d_weights[n] - delta);
      const double sum_error =
          rounding * (double(dim + 4) * magnitudes[n] + 3 * std::abs(delta)) + delta_error;
      weight_error_[m][n] = weight * relative + least_weight;
      biased_error_[m][n] = weight * (1 + relative) * sum_error +
                            weight_error_[m][n] * (apart + rounding) + smallest_normal;
      double slope = 1, slope_error = 0;
      if (one_.softcap != 0) {
        const double tanh = exact_.capped[m][n] / one_.softcap;
        const double tanh_error = one_.score_error(m, n) / one_.softcap + 5e-7 * std::abs(tanh);
        slope = 1 - tanh * tanh;
        slope_error = 2 * std::abs(tanh) * tanh_error + tanh_error * tanh_error + 2 * rounding;
      }
      const double biased = std::abs(d_.biased[m][n]);
      product_error_[m][n] =
          std::abs(one_.scale_of(m)) * (biased_error_[m][n] * (slope + slope_error) +
                                        biased * (slope_error + 4 * rounding * slope));
    }
    if (one_.sink == -infinity) return;
    const double sink_weight = std::exp(double(one_.sink) - log_sum_exp);
    const double relative = relative_error(of_row, log_sum_exp, one_.sink);
    sink_error_ += sink_weight * (relative * (std::abs(delta) + delta_error) + delta_error +
                                  rounding * double(one_.q.rows + 8) * std::abs(delta)) +
                   smallest_normal;
  }

  const AttentionCallCase& call_;
  double first_query_;
  AttentionCase one_;
  reference::AttentionResult exact_;
  Matrix d_output_;
  reference::AttentionGradients d_;
  reference::Rows weight_error_, biased_error_, product_error_;
  double sink_error_ = 0;
};

// All gradients of a call: of q, k, v, the sinks, the bias and the bias by distance.
void gradients(Draws& draws, Comparison& comparison) {
  const AttentionCallCase problem = drawn_call(draws, 3);
  const AttentionShape& shape = problem.shape;
  const std::size_t rows = shape.batches * shape.heads * shape.queries,
                    key_rows = shape.batches * shape.key_heads * shape.keys;
  const std::vector<float> d_output = draws.floats(rows * shape.value_dim);
  std::vector<float> output(rows * shape.value_dim), log_sum_exp(rows), d_q(rows * shape.dim),
      d_k(key_rows * shape.dim), d_v(key_rows * shape.value_dim), d_sinks(problem.sinks.size()),
      d_bias(problem.bias.size()), d_lists(problem.slopes.size() * problem.distances());
  AttentionScratch scratch;
  problem.with_call(
      [&](const AttentionCall& call) {
        attend(call, {.output = output.data(), .log_sum_exp = log_sum_exp.data()}, scratch);
        attend_backward(call, {output.data(), log_sum_exp.data(), d_output.data()},
                        {d_q.data(), d_k.data(), d_v.data(), d_sinks.data()}, scratch);
      },
      d_bias.data(), d_lists.data());

  std::vector<Bounded> of_sinks(d_sinks.size()), of_bias(d_bias.size()), of_lists(d_lists.size());
  const auto compare = [&](const std::vector<Bounded>& expected, const float* actual) {
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i].compare(comparison, actual[i]);
  };
  const std::size_t sharing = shape.heads / shape.key_heads;
  for (std::size_t b = 0; b < shape.batches; ++b) {
    for (std::size_t key_head = 0; key_head < shape.key_heads; ++key_head) {
      std::vector<Bounded> of_k(shape.keys * shape.dim), of_v(shape.keys * shape.value_dim);
      for (std::size_t h = key_head * sharing; h < (key_head + 1) * sharing; ++h) {
        const std::size_t first = (b * shape.heads + h) * shape.queries;
        const HeadGradients head(problem, b, h, d_output.data() + first * shape.value_dim);
        std::vector<Bounded> of_q(shape.queries * shape.dim);
        head.add_to_products(of_q, of_k);
        head.add_to_v(of_v);
        compare(of_q, d_q.data() + first * shape.dim);
        if (!of_sinks.empty()) head.add_to_sink(of_sinks[h]);
        head.for_each_biased([&](std::size_t m, std::size_t n, double d, double error) {
          if (!of_bias.empty())
            problem.broadcast(of_bias, problem.bias_extents, b, h, m, n).add(d, error);
          if (of_lists.empty()) return;
          const std::ptrdiff_t distance =
              std::ptrdiff_t(n) - std::ptrdiff_t(m) - problem.first_query(b);
          of_lists[h * problem.distances() + std::size_t(distance - problem.first_distance())].add(
              d, error);
        });
      }
      const std::size_t first = (b * shape.key_heads + key_head) * shape.keys;
      compare(of_k, d_k.data() + first * shape.dim);
      compare(of_v, d_v.data() + first * shape.value_dim);
    }
  }
  compare(of_sinks, d_sinks.data());
  compare(of_bias, d_bias.data());
  compare(of_lists, d_lists.data());
}

constexpr Case cases[] = {{"gradients", gradients}};

}  // namespace

std::span<const Case> gradient_cases() { return cases; }

}  // namespace ropewalk::fuzz
