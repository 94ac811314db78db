// A view of a rows x cols matrix of floats that it does not own; row r starts at data + r * stride.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

namespace ropewalk {

template <class Element>
struct BasicMatrixView {
  Element* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  BasicMatrixView() = default;
  BasicMatrixView(Element* data, std::size_t rows, std::size_t cols)
      : BasicMatrixView(data, rows, cols, cols) {}
  BasicMatrixView(Element* data, std::size_t rows, std::size_t cols, std::size_t stride)
      : data(data), rows(rows), cols(cols), stride(stride) {}

  std::span<Element> row(std::size_t index) const {
    assert(index < rows);
    return {data + index * stride, cols};
  }

  operator BasicMatrixView<const Element>() const { return {data, rows, cols, stride}; }
};

using MatrixView = BasicMatrixView<float>;
using ConstMatrixView = BasicMatrixView<const float>;

}  // namespace ropewalk
