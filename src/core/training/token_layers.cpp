#include "training/token_layers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/require.hpp"
#include "kernels/activations.hpp"

namespace ropewalk {
namespace {

// use(t, source, j) for each tap j of each row t whose source row is in the same sequence.
template <class Use>
void for_taps(std::size_t rows, std::size_t taps, std::size_t length, Use use) {
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t j = 0; j < taps; ++j) {
      const std::size_t back = taps - 1 - j;
      if (back <= t % length) use(t, t - back, j);
    }
  }
}

// 1 / sqrt(sum of x^2 + epsilon)
double inverse_length(std::span<const float> x) {
  double sum = 1e-6;
  for (const float value : x) sum += double(value) * double(value);
  return 1.0 / std::sqrt(sum);
}

}  // namespace

void causal_convolution_forward(MatrixView y, ConstMatrixView x, ConstMatrixView w,
                                std::size_t length) {
  for (std::size_t r = 0; r < y.rows; ++r) std::ranges::fill(y.row(r), 0.0f);
  for_taps(x.rows, w.rows, length, [&](std::size_t t, std::size_t source, std::size_t j) {
    for (std::size_t c = 0; c < x.cols; ++c) y.row(t)[c] += w.row(j)[c] * x.row(source)[c];
  });
}

void causal_convolution_backward(MatrixView d_x, MatrixView d_w, ConstMatrixView d_y,
                                 ConstMatrixView x, ConstMatrixView w, std::size_t length) {
  for (std::size_t r = 0; r < d_x.rows; ++r) std::ranges::fill(d_x.row(r), 0.0f);
  for_taps(x.rows, w.rows, length, [&](std::size_t t, std::size_t source, std::size_t j) {
    for (std::size_t c = 0; c < x.cols; ++c) {
      d_x.row(source)[c] += w.row(j)[c] * d_y.row(t)[c];
      d_w.row(j)[c] += d_y.row(t)[c] * x.row(source)[c];
    }
  });
}

void silu_backward(std::span<float> d_x, std::span<const float> d_y, std::span<const float> x) {
  std::vector<float> gates(x.size());
  sigmoid(gates, x);
  for (std::size_t i = 0; i < x.size(); ++i)
    d_x[i] = d_y[i] * gates[i] * (1.0f + x[i] * (1.0f - gates[i]));
}

void unit_rows_forward(MatrixView y, ConstMatrixView x) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const double factor = inverse_length(x.row(r));
    for (std::size_t c = 0; c < x.cols; ++c)
      y.row(r)[c] = static_cast<float>(factor * double(x.row(r)[c]));
  }
}

void unit_rows_backward(MatrixView d_x, ConstMatrixView d_y, ConstMatrixView x) {
  for (std::size_t r = 0; r < x.rows; ++r) {
    const double factor = inverse_length(x.row(r));
    double along = 0.0;
    for (std::size_t c = 0; c < x.cols; ++c) along += double(d_y.row(r)[c]) * double(x.row(r)[c]);
    along *= factor * factor;
    for (std::size_t c = 0; c < x.cols; ++c)
      d_x.row(r)[c] =
          static_cast<float>(factor * (double(d_y.row(r)[c]) - along * double(x.row(r)[c])));
  }
}

}  // namespace ropewalk
